import FlowCoordinators

/// A token that lives as long as the test.
final class MemoryTokenStore: TokenStore {
    var token: String?
    /// Why no token can be kept, and none forgotten.
    var failure: (any Error)?
    /// Why none could be kept, where that is known before.
    var refusal: (any Error)?

    func load() -> String? { token }

    func checkSave() throws {
        if let refusal { throw refusal }
    }

    func save(_ token: String) throws {
        if let failure { throw failure }
        self.token = token
    }

    func remove() throws {
        if let failure { throw failure }
        token = nil
    }
}
