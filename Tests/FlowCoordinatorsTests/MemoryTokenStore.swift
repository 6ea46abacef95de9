import FlowCoordinators

/// A token that lives as long as the test.
final class MemoryTokenStore: TokenStore {
    var token: String?
    /// Why no token can be kept, and none forgotten.
    var failure: (any Error)?
    /// Why none could be kept, where that is known before.
    var refusal: (any Error)?

    func load() -> String? { token }

    func prepare() throws -> any TokenPlace {
        if let refusal { throw refusal }
        return Place(store: self)
    }

    func save(_ token: String) throws {
        if let failure { throw failure }
        self.token = token
    }

    private struct Place: TokenPlace {
        let store: MemoryTokenStore

        func save(_ token: String) throws { try store.save(token) }
    }

    func remove() throws {
        if let failure { throw failure }
        token = nil
    }
}
