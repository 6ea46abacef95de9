public import Foundation
#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends requests to a server.
public protocol Transport: Sendable {
    /// Sends a request, and returns the whole response with any status.
    ///
    /// - Throws: an error if the server does not respond.
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
