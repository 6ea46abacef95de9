public import AuthService

/// The store in which a front keeps its session token between starts.
///
/// A token is a secret: everybody who has it is signed in.
public protocol TokenStore {
    /// Returns the saved token; nil if there is none.
    func load() throws -> String?
    /// Prepares a place for a new token. It is called before the request for a new session, because a session cannot be
    /// undone. Everything that can fail must fail here.
    func prepare() throws -> any PreparedTokenWrite
    /// Saves a token in place of the present one.
    func save(_ token: String) throws
    /// Removes the token, if there is one.
    func remove() throws
    /// Returns the device token of a user who has logged in here; nil if there is none. With it, failed attempts of
    /// strangers do not lock out the user.
    func device(of user: Username) throws -> DeviceToken?
    /// Saves a device token in place of the present one. It remains when the session ends.
    func save(_ device: DeviceToken, of user: Username) throws
}

/// A prepared place for a token. If it is released without a token, it must leave nothing behind.
public protocol PreparedTokenWrite {
    /// Saves the token in place of the present one. It is called once.
    func save(_ token: String) throws
}

extension TokenStore {
    /// Returns a place that is created when the token is saved. Use it for stores that need no preparation.
    public func prepare() throws -> any PreparedTokenWrite { UnpreparedPlace(store: self) }

    /// Returns nil: every login counts as one from an unknown device.
    public func device(of user: Username) throws -> DeviceToken? { nil }

    /// Does nothing.
    public func save(_ device: DeviceToken, of user: Username) throws {}
}

private struct UnpreparedPlace: PreparedTokenWrite {
    let store: any TokenStore

    func save(_ token: String) throws { try store.save(token) }
}
