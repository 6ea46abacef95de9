/// The limits of requests and responses in size, number, and time. A request beyond a limit gets the status that is
/// named there, and the connection ends.
public struct HTTPLimits: Sendable {
    /// Bytes of a request's head, from its first line to the empty one. 431.
    public var headBytes = 16 * 1024
    /// How many fields a head may have. 431.
    public var headFields = 100
    /// Bytes of the target in a request's first line. 414.
    public var targetBytes = 8 * 1024
    /// Bytes of a body, by what is asked for: it is called with each request that has passed the other checks, before
    /// a byte of its body is taken, and must not wait for anything. 413.
    public var bodyBytes: @Sendable (HTTPRequest) -> Int = { _ in 1024 * 1024 }
    /// Bytes of the bodies of all requests together that have come and are not answered yet. 503, and the client is to
    /// try again after a second.
    public var bodyBytesInAll = 64 * 1024 * 1024
    /// Whether bodies in chunks are taken, which do not say their length first. 411 otherwise. A connection ends with
    /// the answer to one.
    public var allowsChunks = true
    /// Bytes of a response's body from which on it is sent as the client reads it, and counts for the limits below. A
    /// smaller one is copied for each connection.
    public var largeResponse = 64 * 1024
    /// Bytes of the large bodies of all responses together that clients have not read yet. 503, and the client is to try
    /// again after a second.
    public var responseBytesInAll = 256 * 1024 * 1024
    /// Bytes of the large bodies of one user, or of one address for responses without a user, that were not read yet. 429.
    public var responseBytesPerUser = 64 * 1024 * 1024
    /// How long a client may take to read 32 KiB of a large body. Then the connection ends.
    public var responseTime = Duration.seconds(60)
    /// From the beginning of a connection to the end of its first head, the handshake of TLS included. 408. A later
    /// head has this and `idleTime` together.
    public var headTime = Duration.seconds(10)
    /// From the end of a head to the end of its body. 408.
    public var bodyTime = Duration.seconds(60)
    /// How long nothing may come from the client, nor be taken by it, while nothing is worked on; in whole seconds,
    /// rounded up. Then the connection ends without a word.
    public var idleTime = Duration.seconds(60)
    /// How many connections there may be. More wait with the system until one ends.
    public var connections = 2_000
    /// How many connections there may be from one address (of IPv6: one network of 64 bits), or nil where that is not
    /// looked at, as behind a proxy. 429. Connections by a Unix socket are not counted.
    public var connectionsPerAddress: Int?
    /// How many requests may be worked on, until the last byte of a stream. 503, and the client is to try again after
    /// a second.
    public var requests = 1_024
    /// The number of threads that wait for connections. Handlers do not run on these.
    public var threads = 2

    /// The limits of a server that is open to everybody.
    public init() {}
}
