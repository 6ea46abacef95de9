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

    /// Reads CommonMark with GitHub's tables, task lists, strikethrough and bare links. HTML in it is reduced to its text, and
    /// a script to nothing.
    ///
    /// Nil where the text is too large, or built to exhaust the reader: take it as plain text.
    public init?(markdown: String) {
        guard let blocks = MarkdownReader.blocks(of: markdown) else { return nil }
        self.init(blocks: blocks)
    }

    /// Reads HTML: tags are taken out, block elements become blocks, scripts and styles vanish. Wrong markup gives odd text
    /// at worst.
    public init(html: String) { self.init(blocks: HTMLReader.blocks(of: html)) }

    /// Takes a text line by line, as it is.
    public init(plain text: String) { self.init(blocks: text.isEmpty ? [] : [.lines(text)]) }
}
