public import Essentials
import Text

/// What a program logs in with, in the name of a user: named, limited in what it may do, and with an end.
public struct APIToken: Identifiable, Hashable, Sendable {
    /// What it may be used for.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// To read.
        case read
        /// To change the library, too, as far as its user may.
        case write
    }

    /// What names it; it proves nothing. It is like that of a session.
    public let id: Session.ID
    /// What its user calls it.
    public let name: String
    /// What it may be used for.
    public let scope: Scope
    /// When it was made, in whole seconds.
    public let createdAt: Date
    /// When it ends, in whole seconds.
    public let expiresAt: Date
    /// When it was last used, in whole seconds, behind by up to `SessionPolicy.touchInterval`; nil when it was not.
    public let lastUsedAt: Date?

    /// A token, as a repository reads it.
    public init(id: Session.ID, name: String, scope: Scope, createdAt: Date, expiresAt: Date, lastUsedAt: Date? = nil) {
        self.id = id
        self.name = name
        self.scope = scope
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }
}
