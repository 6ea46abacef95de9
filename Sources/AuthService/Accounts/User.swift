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
