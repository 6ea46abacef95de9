public import Text

/// A token with which a program acts on behalf of a user. It has a name, a scope, and an expiration time.
public struct APIToken: Identifiable, Hashable, Sendable {
    /// The permissions of a token.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// Reading.
        case read
        /// Reading, and changing the library as far as the user may.
        case write
    }

    /// The ID, which is not secret. It has the format of a session's ID.
    public let id: Session.ID
    /// The name that the user gave it.
    public let name: String
    /// The permissions.
    public let scope: Scope
    /// The time of creation, in whole seconds.
    public let createdAt: Date
    /// The expiration time, in whole seconds.
    public let expiresAt: Date
    /// The time of the last use, in whole seconds, late by up to `SessionPolicy.touchInterval`; nil if it was never
    /// used.
    public let lastUsedAt: Date?

    /// Creates a token from its stored data.
    public init(id: Session.ID, name: String, scope: Scope, createdAt: Date, expiresAt: Date, lastUsedAt: Date? = nil) {
        self.id = id
        self.name = name
        self.scope = scope
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }
}
