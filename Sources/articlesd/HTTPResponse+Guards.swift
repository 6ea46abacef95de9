import HTTPServer

extension HTTPResponse {
    /// The fields of all responses that are not pages: browsers must not show, run, or store them.
    private static let guards: [(HTTPFieldName, HTTPFieldValue)] = [
        (.cacheControl, "no-store"), ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        ("cross-origin-resource-policy", "same-origin"), ("referrer-policy", "no-referrer"),
    ]

    /// Returns the response with security fields that the front has not set itself (OWASP ASVS 5.0, 3.2.1 and 3.4).
    ///
    /// - Parameter isSecure: whether the client's connection is encrypted.
    func guarded(isSecure: Bool) -> HTTPResponse {
        var response = self
        for (name, value) in Self.guards where fields[name] == nil { response.fields[name] = value }
        // Without subdomains, because they may belong to others.
        if isSecure { response.fields["strict-transport-security"] = "max-age=31536000" }
        return response
    }
}
