import HTTPServer

/// Cross-origin requests (the CORS protocol of the Fetch standard): pages of the configured origins may use the API
/// from scripts. Tokens are sent only in `Authorization`, so responses never allow the browser's credentials.
struct CORS: Sendable {
    /// The configured origins, in the spelling of browsers.
    let origins: Set<String>

    /// The time for which browsers may cache the response to a preflight request, in seconds.
    private static let lifetime = 600

    /// Returns the response to a preflight request; nil if this is not a preflight request or its origin is not
    /// configured.
    ///
    /// - Parameter methods: the methods of the path, which only a preflight request needs.
    func preflight(_ request: HTTPRequest, methods: @autoclosure () -> [String]) -> HTTPResponse? {
        guard request.method == .options, isAllowed(request), request.fields["access-control-request-method"] != nil,
            let names = try? HTTPFieldValue(methods().joined(separator: ", "))
        else { return nil }
        return HTTPResponse(
            .noContent,
            fields: [
                "access-control-allow-methods": names,
                "access-control-allow-headers": "authorization, content-type, idempotency-key, if-match, if-none-match",
                "access-control-max-age": HTTPFieldValue(Self.lifetime), .cacheControl: "no-store",
            ])
    }

    /// Allows pages of the request's origin to read the response, if the origin is configured.
    func apply(to response: inout HTTPResponse, for request: HTTPRequest) {
        guard !origins.isEmpty else { return }
        response.fields.append("origin", for: .vary)
        guard isAllowed(request), let origin = request.fields["origin"] else { return }
        response.fields["access-control-allow-origin"] = origin
        response.fields["access-control-expose-headers"] =
            "etag, link, location, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id"
    }

    private func isAllowed(_ request: HTTPRequest) -> Bool {
        request.fields["origin"].map { origins.contains($0.text) } ?? false
    }
}
