/// The reason why a search found an article.
public struct SearchHit: Sendable, Hashable {
    /// The score in a list by relevance; a higher score is better.
    public var score: Double?
    /// A line of the text around the first matches, without markup; nil if only the title has matches.
    public var excerpt: MarkedText?
    /// The title, with the matches marked.
    public var title: MarkedText?

    /// Creates a hit.
    public init(score: Double? = nil, excerpt: MarkedText? = nil, title: MarkedText? = nil) {
        self.score = score
        self.excerpt = excerpt
        self.title = title
    }
}

/// A text with some parts marked.
public struct MarkedText: Sendable, Hashable {
    /// A piece of the text.
    public struct Piece: Sendable, Hashable {
        /// The text of the piece.
        public var text: String
        /// Whether the piece is marked.
        public var isMarked: Bool

        /// Creates a piece.
        public init(_ text: String, isMarked: Bool = false) {
            self.text = text
            self.isMarked = isMarked
        }
    }

    /// The pieces, in order.
    public var pieces: [Piece]

    /// Creates a text from pieces.
    public init(_ pieces: [Piece]) { self.pieces = pieces }

    /// The text without marks.
    public var text: String { pieces.map(\.text).joined() }
}

/// Facts about a search in addition to its results.
public struct SearchReport: Sendable, Hashable {
    /// The number of articles that the search could not consider, because they are not indexed yet.
    public var waiting: Int
    /// Whether the search ended before it had considered all articles, so there may be more or better matches.
    public var isCut: Bool
    /// If nothing was found, the search with words that occur in the library; otherwise nil.
    public var suggestion: String?

    /// Creates a report.
    public init(waiting: Int = 0, isCut: Bool = false, suggestion: String? = nil) {
        self.waiting = waiting
        self.isCut = isCut
        self.suggestion = suggestion
    }
}
