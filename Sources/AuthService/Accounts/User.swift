public import Essentials

/// A person who has an account.
public struct User: Identifiable, Hashable, Sendable {
    /// The number of the account; it is never given to another one.
    public let id: Int64
    /// The name of the account.
    public let username: Username
    /// The region in which the person lives, as they said.
    public let region: Region
    /// When the account was made, in whole seconds.
    public let createdAt: Date
    /// When the password was last chosen, in whole seconds. It grows with every change, so it also tells one password of
    /// the account from the next.
    public let passwordChangedAt: Date
    /// The role, which gives the rights of the user.
    public let role: Role
    /// Since when the user cannot log in, in whole seconds; nil while they can.
    public let disabledAt: Date?

    /// A user, as a repository reads it.
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
