/// Articles that an import of their source did not meet: they have left it, or are drafts there now.
public struct Departure: Sendable, Hashable {
    /// The source that they have left.
    public let source: Source
    /// Their numbers.
    public let articles: [Int64]
    /// Their keys, in the order of the numbers.
    public let keys: [ExactText]
    /// How many articles the source has in all.
    public let total: Int
}

/// Why articles that may have left their source were not removed.
public enum RefusedRemoval: Sendable, Hashable, CustomStringConvertible {
    /// Something could not be read, and nobody knows whether it was one of them.
    case unreadable(Int)
    /// They are more than half of the articles of the source.
    case tooMany(source: String, Int, of: Int)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .unreadable(let count):
            "nothing was removed, because \(count) \(count == 1 ? "record" : "records") could not be read: "
                + "mend what is reported above first"
        case .tooMany(let source, let count, let total):
            "\(count) of the \(total) articles of “\(source)” have left it, more than half: nothing was removed"
        }
    }
}

extension [Departure] {
    /// How many articles they are about in all.
    var articleCount: Int { reduce(0) { $0 + $1.articles.count } }
}
