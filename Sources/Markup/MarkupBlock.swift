/// A block of a document.
public indirect enum MarkupBlock: Hashable, Sendable {
    /// Running text.
    case paragraph([MarkupInline])
    /// A heading, of level 1 to 6, with the name that its author gave it for links to lead to.
    case heading(level: Int, id: String? = nil, [MarkupInline])
    /// Code as it was written, its lines separated by line feeds and none after the last, in the language that its author
    /// named.
    case code(language: String?, String)
    /// Text in which white space counts, and which holds links or pictures; without any it is ``code(language:_:)``.
    case preformatted([MarkupInline])
    /// Text of which nothing but its lines is known.
    case lines(String)
    /// A quotation.
    case quote([MarkupBlock])
    /// A list; numbered where it has a start, and without room between its items where it is tight.
    case list(start: Int?, isTight: Bool, items: [Item])
    /// Terms and what they mean.
    case definitionList([Definition])
    /// A table. Each row has the cells that the header has, and there are as many alignments: where a row was written with
    /// more, the header and the other rows have empty ones.
    case table(alignments: [Alignment], header: [[MarkupInline]], rows: [[[MarkupInline]]])
    /// A rule between sections.
    case thematicBreak

    /// An item of a list.
    public struct Item: Hashable, Sendable {
        /// Whether the task is done; nil where the item is none.
        public var isDone: Bool?
        /// What is in it.
        public var blocks: [MarkupBlock]

        /// An item of these blocks.
        public init(isDone: Bool? = nil, blocks: [MarkupBlock]) {
            self.isDone = isDone
            self.blocks = blocks
        }
    }

    /// Terms that mean the same, and what they mean.
    public struct Definition: Hashable, Sendable {
        /// The terms, each of running text.
        public var terms: [[MarkupInline]]
        /// What they mean; each of several definitions in blocks of its own.
        public var definitions: [[MarkupBlock]]

        /// A definition of these terms.
        public init(terms: [[MarkupInline]], definitions: [[MarkupBlock]]) {
            self.terms = terms
            self.definitions = definitions
        }
    }

    /// Where the cells of a column stand.
    public enum Alignment: Hashable, Sendable {
        case left
        case center
        case right
    }
}

extension MarkupBlock {
    /// The text alone.
    public var text: String {
        switch self {
        case .paragraph(let inlines), .heading(_, _, let inlines), .preformatted(let inlines): inlines.text
        case .code(_, let text), .lines(let text): text
        case .quote(let blocks): blocks.text
        case .list(_, _, let items): items.map(\.blocks.text).joined(separator: "\n")
        case .definitionList(let definitions):
            definitions.flatMap { $0.terms.map(\.text) + $0.definitions.map(\.text) }.joined(separator: "\n")
        case .table(_, let header, let rows):
            ([header] + rows).map { $0.map(\.text).joined(separator: " ") }.joined(separator: "\n")
        case .thematicBreak: ""
        }
    }
}

extension [MarkupBlock] {
    /// The text alone, a line a block.
    public var text: String { map(\.text).joined(separator: "\n") }
}
