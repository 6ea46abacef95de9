/// Where a front keeps the token of the session between one start and the next.
///
/// A token is a secret: whoever has it is signed in.
public protocol TokenStore {
    /// The token that is kept; nil when there is none.
    func load() throws -> String?
    /// Keeps a token in the place of the one before.
    func save(_ token: String) throws
    /// Forgets the token; that there is none is no error.
    func remove() throws
}
