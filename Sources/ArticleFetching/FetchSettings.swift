package import HTTPClient

/// The settings of an operator for requests to other servers.
package struct FetchSettings: Sendable, Hashable {
    /// The address in `User-Agent`, at which operators of other servers find the operator of this program; nil for none.
    package var contact: String?
    /// The hosts, in lower case, to which requests may go whatever their addresses and ports are.
    package var trustedHosts: Set<String> = []
    /// Whether pictures of new articles are fetched and stored.
    package var keepsImages = false
    /// Creates the default settings.
    package init() {}

    /// Returns a text as a trusted host; nil if it is not the name or the IP address of a host alone, without a scheme, a
    /// port, or a path.
    package static func host(_ text: String) -> String? {
        let host = text.lowercased()
        return [host, "[\(host)]"].first { (try? HTTPURL("http://\($0)/"))?.host == $0 }
    }

    /// Whether a text can be the address in `User-Agent`.
    package static func isContact(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"()\\\"".utf8.contains($0) }
    }

    /// Returns the settings of a client.
    ///
    /// - Parameter program: The name and the version of the program, such as `articlesctl/1.0`.
    package func client(for program: String) -> HTTPClientConfiguration {
        var client = HTTPClientConfiguration(userAgent: contact.map { "\(program) (+\($0))" } ?? program)
        client.trustedHosts = trustedHosts
        return client
    }
}
