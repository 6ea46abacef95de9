public import FlowCoordinators
public import HTTPServer

/// The front of programs: the library as JSON beneath `/api/v1`, and lists as feeds.
public struct WebAPI: Sendable {
    private let services: Services

    /// A front on services.
    public init(services: Services) { self.services = services }

    /// Answers a request; nil where its path is none of this front's.
    public func answer(_ request: HTTPRequest) async -> HTTPResponse? { nil }
}
