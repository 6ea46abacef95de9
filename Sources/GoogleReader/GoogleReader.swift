public import FlowCoordinators
public import HTTPServer

/// The front of readers that speak the API of Google Reader.
public struct GoogleReader: Sendable {
    private let services: Services

    /// A front on services.
    public init(services: Services) { self.services = services }

    /// Answers a request; nil where its path is none of this front's.
    public func answer(_ request: HTTPRequest) async -> HTTPResponse? { nil }
}
