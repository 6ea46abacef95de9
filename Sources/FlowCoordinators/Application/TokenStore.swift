public import AuthService

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
    /// What is kept since a user logged in here, so that the guesses of others do not keep them out; nil when nothing is.
    func device(of user: Username) throws -> DeviceToken?
    /// Keeps it, in the place of the one before. It stays when the session ends.
    func keep(_ device: DeviceToken, of user: Username) throws
}

extension TokenStore {
    /// Nothing is known to be in the way.
    public func checkSave() throws {}

    /// None: every log-in is a stranger's.
    public func device(of user: Username) throws -> DeviceToken? { nil }

    /// Keeps none.
    public func keep(_ device: DeviceToken, of user: Username) throws {}
}
