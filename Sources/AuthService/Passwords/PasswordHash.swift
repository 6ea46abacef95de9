/// The stored hash of a password: an Argon2id string with its parameters and salt. It does not print itself.
public struct PasswordHash: Hashable, Sendable, Redacted {
    /// The string in the standard form, `$argon2id$v=19$m=65536,t=3,p=1$…$…`.
    public let encoded: String

    /// Creates a hash from its stored form.
    public init(encoded: String) { self.encoded = encoded }
}
