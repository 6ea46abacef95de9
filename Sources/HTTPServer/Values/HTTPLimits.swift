internal import Platform

/// The limits of requests and responses in size, number, and time. If a limit is exceeded, the response has the status
/// that is given there, and the connection ends.
package struct HTTPLimits: Sendable {
    /// The maximum size of a request's head in bytes, from its first line to the empty line. Status 431.
    package var headBytes = 16 * 1024
    /// The maximum number of fields in a request. Status 431.
    package var headFields = 100
    /// The maximum size of the target in a request's first line, in bytes. Status 414.
    package var targetBytes = 8 * 1024
    /// Returns the maximum size of a body in bytes. It is called with each request that has passed the other checks,
    /// before its body is read, and must not block. Status 413.
    package var bodyBytes: @Sendable (HTTPRequest) -> Int = { _ in 1024 * 1024 }
    /// The maximum size in bytes of the bodies of all requests together that were received and not answered yet. Status
    /// 503, and the client should try again after one second.
    package var bodyBytesInAll = 64 * 1024 * 1024
    /// Whether chunked bodies are accepted, which do not announce their length. Otherwise the status is 411. A
    /// connection ends after a request with a chunked body.
    package var allowsChunks = true
    /// The maximum size in bytes of a response's body that the server copies, and passes to the library as a whole, such as
    /// a usual page. A larger body is sent in pieces as the client reads it, and counts for the limits below. So clients
    /// that do not read can hold at most `connections` times this size outside those limits.
    package var largeResponse = 128 * 1024
    /// The maximum size in bytes of all large bodies together that clients have not read yet. Status 503, and the
    /// client should try again after one second.
    package var responseBytesInAll = 256 * 1024 * 1024
    /// The maximum size in bytes of unread large bodies of one user, or of one address for responses without a user.
    /// Status 429.
    package var responseBytesPerUser = 64 * 1024 * 1024
    /// The maximum time in which a client must read 32 KiB of a large body. After it, the connection ends.
    package var responseTime = Duration.seconds(60)
    /// The maximum time from the start of a connection, including the TLS handshake, to the end of its first head.
    /// Status 408. For a later head it is the sum of this and `idleTime`.
    package var headTime = Duration.seconds(10)
    /// The maximum time from the end of a head to the end of its body. Status 408.
    package var bodyTime = Duration.seconds(60)
    /// The maximum time without data from or to the client while no request is in progress, rounded up to whole
    /// seconds. After it, the connection ends without a response.
    package var idleTime = Duration.seconds(60)
    /// The maximum number of connections. Further ones wait in the queue of the system.
    package var connections = 2_000
    /// The maximum number of connections from one address (for IPv6, one 64-bit network); nil for no limit, as behind a
    /// proxy. Status 429. Connections through a Unix socket do not count.
    package var connectionsPerAddress: Int?
    /// The maximum number of requests in progress, up to the last byte of a stream. Status 503, and the client should
    /// try again after one second.
    package var requests = 1_024
    /// The number of threads that serve the connections. They run the requests that only read, so by default there is
    /// one for each processor.
    package var threads = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Creates limits for a public server.
    package init() {}
}
