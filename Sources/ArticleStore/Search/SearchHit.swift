/// Why a search found an article.
public struct SearchHit: Sendable, Hashable {
    /// How well it answers, in a list by relevance: more is better.
    public var score: Double?
    /// A line of its text around the first words that were found, without markup; nil where they are in the title alone.
    public var excerpt: MarkedText?
    /// The title, with the words that were found.
    public var title: MarkedText?

    /// A hit of known parts.
    public init(score: Double? = nil, excerpt: MarkedText? = nil, title: MarkedText? = nil) {
        self.score = score
        self.excerpt = excerpt
        self.title = title
    }
}

/// A text some pieces of which are marked.
public struct MarkedText: Sendable, Hashable {
    /// A piece of the text.
    public struct Piece: Sendable, Hashable {
        /// The text of the piece.
        public var text: String
        /// Whether it is marked.
        public var isMarked: Bool

        /// A piece.
        public init(_ text: String, isMarked: Bool = false) {
            self.text = text
            self.isMarked = isMarked
        }
    }

    /// The pieces, in their order.
    public var pieces: [Piece]

    /// A text of pieces.
    public init(_ pieces: [Piece]) { self.pieces = pieces }

    /// The text without marks.
    public var text: String { pieces.map(\.text).joined() }
}
