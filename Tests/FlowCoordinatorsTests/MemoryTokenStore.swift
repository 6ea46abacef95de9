import FlowCoordinators

/// A token that lives as long as the test.
final class MemoryTokenStore: TokenStore {
    var token: String?
    /// Why no token can be kept.
    var failure: (any Error)?

    func load() -> String? { token }

    func save(_ token: String) throws {
        if let failure { throw failure }
        self.token = token
    }

    func remove() { token = nil }
}
