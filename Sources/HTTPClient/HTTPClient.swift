internal import Synchronization

/// Fetches pages and feeds from untrusted servers.
///
/// libcurl transfers them on a single thread, which ends with the client: HTTP/1.1 and HTTP/2, compressed, with few
/// connections, which are used again. Every address to which a host name leads is checked when the connection is opened,
/// so a name cannot be checked with one address and fetched from another. Redirects are followed here, and each is
/// checked like the first address. Cookies, referrers, and the proxies of the environment are not used.
package final class HTTPClient: Sendable {
    private let configuration: HTTPClientConfiguration
    private let loop: TransferLoop

    /// Loads libcurl and starts the thread.
    ///
    /// - Throws: `HTTPClientError.unavailable`, or `outOfMemory` if there is no memory for the thread.
    package init(_ configuration: HTTPClientConfiguration) throws(HTTPClientError) {
        self.configuration = configuration
        loop = try TransferLoop(configuration)
    }

    deinit { loop.stop() }

    /// Sends a request, and returns the response after the redirects. The status may be any.
    ///
    /// - Throws: `HTTPClientError`. If the task is canceled, the transfer ends at once.
    package func send(_ request: ClientRequest) async throws(HTTPClientError) -> ClientResponse {
        var configuration = configuration
        configuration.bodyBytes = min(request.bodyBytes ?? .max, configuration.bodyBytes)
        var patience = configuration.patience
        var (url, credentials) = (request.url, request.credentials)
        var redirects: [ClientResponse.Redirect] = []
        while true {
            try check(url)
            if credentials != nil, !url.isSecure, !configuration.trustedHosts.contains(url.host) {
                throw .passwordInTheClear(url.host)
            }
            let transfer = try Transfer(
                url, fields: request.fields, form: request.form, credentials: credentials, configuration,
                patience: patience)
            let response = try await loop.run(transfer)
            patience -= response.duration
            let redirections = request.form == nil ? Self.redirections : Self.redirectionsOfForms
            guard let location = response.location, redirections.contains(response.status) else {
                return ClientResponse(
                    status: response.status, fields: response.fields, body: response.body, url: url,
                    redirects: redirects)
            }
            redirects.append(ClientResponse.Redirect(status: response.status, from: url))
            guard redirects.count <= configuration.redirects else {
                throw .tooManyRedirects(configuration.redirects)
            }
            let next = try HTTPURL(location, relativeTo: url)
            // A form may contain a secret.
            if request.form != nil, url.isSecure, !next.isSecure { throw .insecure(host: next.host, reason: "no TLS") }
            // Another host, or one without encryption, must not get the password.
            if next.origin != url.origin { credentials = nil }
            url = next
        }
    }

    private static let redirections: Set = [301, 302, 303, 307, 308]
    /// The redirects after which a form is sent again (RFC 9110, section 15.4.8). The others mean a request without it.
    private static let redirectionsOfForms: Set = [307, 308]

    private func check(_ url: HTTPURL) throws(HTTPClientError) {
        guard !configuration.trustedHosts.contains(url.host), let ports = configuration.ports else { return }
        guard ports.contains(url.port) else { throw .forbiddenPort(url.port) }
    }
}

/// The settings of a client.
package struct HTTPClientConfiguration: Sendable {
    /// The value of `User-Agent`: the program, its version, and an address of the operator.
    package var userAgent: String
    /// The ports to which requests may go; nil for all.
    package var ports: Set<Int>? = [80, 443, 8_080, 8_443]
    /// The hosts, in lower case, to which requests may go whatever their addresses and ports are.
    package var trustedHosts: Set<String> = []
    /// The time that a request with its redirects may take, without the time that it waits for other requests.
    package var patience = Duration.seconds(30)
    /// The time that opening a connection may take.
    package var connectPatience = Duration.seconds(10)
    /// The size of a body in bytes, after decompression.
    package var bodyBytes = 32 << 20
    /// The size of the header in bytes.
    package var headerBytes = 64 << 10
    /// The number of redirects.
    package var redirects = 10
    /// The number of requests at a time. There is one at a time for each host.
    package var connections = 64
    /// The file with the certificates of the authorities to trust; nil for those of the system.
    package var authorities: String?
    /// Whether all requests should end with `canceled`. While requests run, it is called on another thread, every 100 ms.
    package var isInterrupted: (@Sendable () -> Bool)?

    package init(userAgent: String) { self.userAgent = userAgent }
}

/// A request for the document at an address.
package struct ClientRequest: Sendable {
    package var url: HTTPURL
    /// Additional fields, such as the validators of an earlier response.
    package var fields: [HTTPClientField] = []
    /// The fields of a form, which is sent with `POST`; nil for a request with `GET`.
    package var form: [(name: String, value: String)]?
    /// The user and the password for the host of the address. They are not sent to another host, and over `http` only if
    /// the host is trusted.
    package var credentials: (user: String, password: String)?
    /// The maximum size of the body in bytes, if it is smaller than that of the client; nil for that of the client.
    package var bodyBytes: Int?

    package init(_ url: HTTPURL) { self.url = url }
}

/// A response.
package struct ClientResponse: Sendable {
    /// A redirect that was followed.
    package struct Redirect: Sendable, Hashable {
        package let status: Int
        /// The address that redirected.
        package let from: HTTPURL

        package init(status: Int, from: HTTPURL) { (self.status, self.from) = (status, from) }
    }

    package let status: Int
    /// The fields in the order of the response.
    package let fields: [HTTPClientField]
    /// The decompressed body.
    package let body: [UInt8]
    /// The address that responded.
    package let url: HTTPURL
    /// The redirects that led there, in order.
    package let redirects: [Redirect]

    package init(status: Int, fields: [HTTPClientField], body: [UInt8], url: HTTPURL, redirects: [Redirect]) {
        (self.status, self.fields, self.body, self.url, self.redirects) = (status, fields, body, url, redirects)
    }

    /// Returns the value of a field, of the first one if there are several; nil if there is none.
    package func value(of name: String) -> [UInt8]? { fields.first { $0.isNamed(name) }?.value }
}

/// A field of a header. Its value is kept as it was sent, so that a validator can be returned byte for byte (RFC 9110,
/// section 8.8).
package struct HTTPClientField: Sendable, Hashable {
    package let name: String
    package let value: [UInt8]

    package init(_ name: String, _ value: [UInt8]) { (self.name, self.value) = (name, value) }

    package init(_ name: String, _ value: String) { self.init(name, Array(value.utf8)) }

    /// The value, in which invalid UTF-8 is replaced.
    package var text: String { String(decoding: value, as: UTF8.self) }

    /// Whether the value is free of bytes that could begin another field.
    package var canBeSent: Bool { !value.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D } }

    package func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}
