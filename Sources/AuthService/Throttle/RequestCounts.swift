/// The requests of a client in a minute.
package struct RequestCount: Sendable, Hashable {
    /// The key of the client.
    package let client: String
    /// The minute since 1970.
    package let minute: Int
    /// The number of requests.
    package let count: Int

    /// Creates a count.
    package init(client: String, minute: Int, count: Int) {
        (self.client, self.minute, self.count) = (client, minute, count)
    }
}

/// The requests that all servers of a library have counted. Each server exchanges its own counts every second, so that no
/// request waits for the database.
package protocol RequestCounts: Sendable {
    /// Adds the new requests of this server, and removes the counts of minutes before `minute`, except for the last one.
    ///
    /// - Parameters:
    ///   - new: the requests since the last exchange, each client and minute once.
    ///   - minute: the present minute.
    ///   - limit: the number of requests in `minute` from which a client is returned in any case.
    /// - Returns: the requests on all servers of the clients in `new`, and of those that have reached `limit`.
    func exchange(_ new: [RequestCount], in minute: Int, reporting limit: Int) async throws -> [RequestCount]
}
