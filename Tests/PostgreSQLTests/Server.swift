import Foundation
import PostgreSQL
import Testing

/// The server that `Scripts/with-postgresql` started.
enum Server {
    static let url = ProcessInfo.processInfo.environment["ARTICLES_POSTGRESQL"]

    /// The folder of its socket.
    static var folder: String {
        get throws {
            let components = URLComponents(string: try #require(url))
            return try #require(components?.queryItems?.first { $0.name == "host" }?.value)
        }
    }

    static func address(_ parameters: String = "") throws -> ServerAddress {
        try ServerAddress(#require(url) + parameters)
    }

    /// Creates a pool. Its patience is long, so that no test depends on how busy the machine is.
    static func pool(
        connections: Int = 4, waitingTasks: Int = 16, patience: Duration = .seconds(600), retries: Int = 3,
        lockTimeout: Duration = .seconds(600), parameters: String = "", onRoundTrip: @escaping @Sendable () -> Void = {}
    ) throws -> ConnectionPool {
        var limits = ConnectionPool.Limits()
        limits.connections = connections
        limits.waitingTasks = waitingTasks
        limits.patience = patience
        limits.retries = retries
        limits.lockTimeout = lockTimeout
        return try ConnectionPool(address(parameters), limits: limits, onRoundTrip: onRoundTrip)
    }

    /// Creates a table that the database deletes with the schema's other tables at the end of the server.
    static func table(_ columns: String, in pool: ConnectionPool) async throws -> String {
        let name = "t" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        try await pool.write { try await $0.run([Statement("CREATE TABLE \(name) (\(columns))")]) }
        return name
    }
}

extension Trait where Self == ConditionTrait {
    static var withServer: Self { .enabled("needs a server: make test-postgresql") { Server.url != nil } }
}
