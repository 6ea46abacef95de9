/// A block of a document.
public indirect enum MarkupBlock: Hashable, Sendable {
    /// Running text.
    case paragraph([MarkupInline])
    /// A heading, of level 1 to 6.
    case heading(level: Int, [MarkupInline])
    /// Code, line by line as it was written.
    case code(String)
    /// Text in which white space counts.
    case preformatted(String)
    /// Text of which nothing but its lines is known.
    case lines(String)
    /// A quotation.
    case quote([MarkupBlock])
    /// A list; numbered where it has a start, and without room between its items where it is tight.
    case list(start: Int?, isTight: Bool, items: [Item])
    /// A table, of which every row has the cells that the header has.
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
        case .paragraph(let inlines), .heading(_, let inlines): inlines.text
        case .code(let text), .preformatted(let text), .lines(let text): text
        case .quote(let blocks): blocks.text
        case .list(_, _, let items): items.map(\.blocks.text).joined(separator: "\n")
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
