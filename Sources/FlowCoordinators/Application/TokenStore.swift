public import AuthService

/// The store in which a front keeps the token of the session from one start to the next.
///
/// A token is a secret: anybody who has it is signed in.
public protocol TokenStore {
    /// The token that is kept; nil when there is none.
    func load() throws -> String?
    /// Makes a place for another token, before anything is done that gives one, because that cannot be undone: what can fail
    /// is to fail here.
    func prepare() throws -> any TokenPlace
    /// Keeps a token in the place of the one before.
    func save(_ token: String) throws
    /// Removes the token, if there is one.
    func remove() throws
    /// The token of a device on which a user has logged in, so that the guesses of others do not keep the user out; nil if there is none.
    func device(of user: Username) throws -> DeviceToken?
    /// Keeps it, in the place of the one before. It stays when the session ends.
    func keep(_ device: DeviceToken, of user: Username) throws
}

/// A place for a token, beside the one that is kept. Nothing of it is to remain where it is let go of without a token.
public protocol TokenPlace {
    /// Keeps the token in the place of the one before. Called once.
    func save(_ token: String) throws
}

extension TokenStore {
    /// A place that is made when there is a token: nothing is known to be in the way.
    public func prepare() throws -> any TokenPlace { UnpreparedPlace(store: self) }

    /// None: every log-in is a stranger's.
    public func device(of user: Username) throws -> DeviceToken? { nil }

    /// Keeps none.
    public func keep(_ device: DeviceToken, of user: Username) throws {}
}

private struct UnpreparedPlace: TokenPlace {
    let store: any TokenStore

    func save(_ token: String) throws { try store.save(token) }
}
