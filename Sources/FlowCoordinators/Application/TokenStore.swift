/// Where a front keeps the token of the session between one start and the next.
///
/// A token is a secret: whoever has it is signed in.
public protocol TokenStore {
    /// The token that is kept; nil when there is none.
    func load() throws -> String?
    /// Says before anything is done whether another token could be kept, because what gives one cannot be undone.
    func checkSave() throws
    /// Keeps a token in the place of the one before.
    func save(_ token: String) throws
    /// Forgets the token; that there is none is no error.
    func remove() throws
}

extension TokenStore {
    /// Nothing is known to be in the way.
    public func checkSave() throws {}
}
