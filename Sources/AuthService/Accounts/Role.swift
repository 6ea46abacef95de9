/// The rights of a user in the library. Each role includes the rights of those before it.
public enum Role: String, Hashable, Sendable, CaseIterable {
    /// May read, and manage their own account.
    case reader
    /// May also add and change articles.
    case editor
    /// May also manage users.
    case `operator`
}

extension Role: Comparable {
    /// Whether the first role has fewer rights.
    public static func < (first: Role, second: Role) -> Bool { first.rank < second.rank }

    /// The word with its article, for a sentence.
    public var withArticle: String { self == .reader ? "a reader" : "an \(rawValue)" }

    private var rank: Int {
        switch self {
        case .reader: 0
        case .editor: 1
        case .operator: 2
        }
    }
}
