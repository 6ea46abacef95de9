public import Text
/// Articles that an import of their source did not find: they were removed there, or became drafts.
public struct Departure: Sendable, Hashable {
    /// The source.
    public let source: Source
    /// The IDs of the articles.
    public let articles: [Int64]
    /// The keys of the articles, in the order of the IDs.
    public let keys: [ExactText]
    /// The number of all articles of the source.
    public let total: Int
}

/// The reason why missing articles were not removed.
public enum RefusedRemoval: Sendable, Hashable, CustomStringConvertible {
    /// Some records could not be read, and the missing articles may be among them.
    case unreadable(Int)
    /// More than half of the articles of the source are missing.
    case tooMany(source: String, Int, of: Int)

    /// The reason in words for the user.
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
    /// The total number of articles.
    var articleCount: Int { reduce(0) { $0 + $1.articles.count } }
}
