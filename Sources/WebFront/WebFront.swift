public import FlowCoordinators
public import HTTPServer

/// The front of a browser: each place of the application is an address, and each screen a page.
public struct WebFront: Sendable {
    private let services: Services

    /// A front on services.
    public init(services: Services) { self.services = services }

    /// Answers a request of a browser.
    public func answer(_ request: HTTPRequest) async -> HTTPResponse { HTTPResponse(.notFound, text: "not found\n") }
}
