/// A document as a tree that is independent of the markup language.
///
/// Reading does not load resources or run scripts. The tree contains the original text, including control characters.
public struct MarkupDocument: Hashable, Sendable {
    /// The blocks in document order.
    public var blocks: [MarkupBlock]
    /// The texts of the footnotes as blocks, in the order in which the text first refers to them.
    public var footnotes: [[MarkupBlock]]

    /// Creates a document.
    public init(blocks: [MarkupBlock], footnotes: [[MarkupBlock]] = []) {
        self.blocks = blocks
        self.footnotes = footnotes
    }

    /// Reads CommonMark with GitHub's tables, task lists, strikethrough (two tildes), and bare links; footnotes;
    /// definition lists (`: …` below a term); `^superscript^` and `~subscript~`; and names of headings (`{#name}`).
    /// HTML in it is read as by ``init(html:)``.
    ///
    /// Nil if the text has more than 4 MiB or is malicious. Treat it as plain text then.
    public init?(markdown: String) {
        guard let document = MarkdownReader.document(of: markdown) else { return nil }
        self = document
    }

    /// Reads HTML as browsers do, and keeps the readable content: text and its structure, links, descriptions of
    /// pictures, and links to media (`video`, `audio`, `iframe`, `embed`, `object`). Scripts, styles, forms, and hidden
    /// elements are dropped.
    ///
    /// For a text of more than 16 MiB, or a malicious one (elements nested more than 1,024 deep), the document is the
    /// text without tags, line by line.
    public init(html: String) {
        self = HTMLReader.page(html)?.document ?? MarkupDocument(plain: HTMLReader.tagless(html))
    }

    /// Creates a document from plain text, line by line.
    public init(plain text: String) { self.init(blocks: text.isEmpty ? [] : [.lines(text)]) }
}
