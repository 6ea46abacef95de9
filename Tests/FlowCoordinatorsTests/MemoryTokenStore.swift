import FlowCoordinators

/// A token that lives as long as the test.
final class MemoryTokenStore: TokenStore {
    var token: String?
    /// The error of storing or removing a token.
    var failure: (any Error)?
    /// The error of storing a token, if it is known in advance.
    var refusal: (any Error)?

    func load() -> String? { token }

    func prepare() throws -> any PreparedTokenWrite {
        if let refusal { throw refusal }
        return Place(store: self)
    }

    func save(_ token: String) throws {
        if let failure { throw failure }
        self.token = token
    }

    private struct Place: PreparedTokenWrite {
        let store: MemoryTokenStore

        func save(_ token: String) throws { try store.save(token) }
    }

    func remove() throws {
        if let failure { throw failure }
        token = nil
    }
}
