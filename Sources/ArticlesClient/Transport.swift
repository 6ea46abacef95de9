public import Foundation
#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What carries requests to a server.
public protocol Transport: Sendable {
    /// Sends a request, and returns the answer whole, whatever its status.
    ///
    /// - Throws: where there is no answer.
    func send(_ request: URLRequest) async throws -> (body: Data, response: HTTPURLResponse)
}

extension URLSession: Transport {
    /// Sends a request. See ``Transport``.
    public func send(_ request: URLRequest) async throws -> (body: Data, response: HTTPURLResponse) {
        let (body, response) = try await data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (body, response)
    }
}
