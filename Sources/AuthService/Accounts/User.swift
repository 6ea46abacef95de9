public import Text

/// A user with an account.
public struct User: Identifiable, Hashable, Sendable {
    /// The ID. It is never reused for another account.
    public let id: Int64
    /// The username.
    public let username: Username
    /// The region where the user lives, as they stated it.
    public let region: Region
    /// The time of registration, in whole seconds.
    public let createdAt: Date
    /// The time of the last password change, in whole seconds. It increases with every change, so it also identifies
    /// the password.
    public let passwordChangedAt: Date
    /// The role, which determines the rights of the user.
    public let role: Role
    /// The time when the user was disabled, in whole seconds; nil if they can log in.
    public let disabledAt: Date?

    /// Creates a user from stored data.
    public init(
        id: Int64, username: Username, region: Region, createdAt: Date, passwordChangedAt: Date, role: Role = .reader,
        disabledAt: Date? = nil
    ) {
        self.id = id
        self.username = username
        self.region = region
        self.createdAt = createdAt
        self.passwordChangedAt = passwordChangedAt
        self.role = role
        self.disabledAt = disabledAt
    }
}

/// The rights of a user in the library. Each role includes the rights of those before it.
public enum Role: String, Hashable, Sendable, CaseIterable {
    /// May read, and manage their own account.
    case reader
    /// May also add, change, and delete articles, and manage sources.
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
