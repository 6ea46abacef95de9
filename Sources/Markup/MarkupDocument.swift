/// A document as a tree: one, whichever language it was written in.
///
/// Nothing is fetched or run. What is in the tree is what was written, control characters too.
public struct MarkupDocument: Hashable, Sendable {
    /// What it consists of, from the start to the end.
    public var blocks: [MarkupBlock]
    /// The texts of its footnotes, each in blocks, in the order in which the text first refers to them.
    public var footnotes: [[MarkupBlock]]

    /// A document of these blocks and footnotes.
    public init(blocks: [MarkupBlock], footnotes: [[MarkupBlock]] = []) {
        self.blocks = blocks
        self.footnotes = footnotes
    }

    /// Reads CommonMark with GitHub's tables, task lists, strikethrough (two tildes) and bare links, footnotes, definition
    /// lists (`: …` below a term), `^superscript^` and `~subscript~`, and names of headings (`{#name}`). HTML in it is read as
    /// ``init(html:)`` does.
    ///
    /// Nil where the text is of more than 4 MiB, or built to exhaust the reader: take it as plain text.
    public init?(markdown: String) {
        guard let document = MarkdownReader.document(of: markdown) else { return nil }
        self = document
    }

    /// Reads HTML as browsers do, and keeps what there is to read: text and its structure, links, pictures by what is said of
    /// them, and what is to be heard or seen (`video`, `audio`, `iframe`, `embed`, `object`) as links. Scripts, styles, forms
    /// and what is hidden are left out.
    ///
    /// A text of more than 16 MiB, or built to exhaust the reader (elements nested more than 1,024 deep), gives its text
    /// without tags, line by line.
    public init(html: String) {
        self = HTMLReader.page(html)?.document ?? MarkupDocument(plain: HTMLReader.tagless(html))
    }

    /// Takes a text line by line, as it is.
    public init(plain text: String) { self.init(blocks: text.isEmpty ? [] : [.lines(text)]) }
}
