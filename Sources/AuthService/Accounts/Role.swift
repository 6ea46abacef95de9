/// The rights of a user in the library. Each role includes the rights of those before it.
public enum Role: String, Hashable, Sendable, CaseIterable {
    /// To read, and to look after one's own account.
    case reader
    /// To bring articles in, too.
    case editor
    /// To look after the users, too.
    case `operator`
}

extension Role: Comparable {
    /// Whether the first may do less.
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
