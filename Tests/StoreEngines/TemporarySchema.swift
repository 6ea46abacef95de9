import Foundation
package import PostgreSQL
package import PostgreSQLStores
import Synchronization

/// A migrated schema of its own in the database of `Scripts/with-postgresql`. It is dropped with the value.
public final class TemporarySchema: Sendable {
    /// The address of the database; nil without a server.
    public static let url = ProcessInfo.processInfo.environment["ARTICLES_POSTGRESQL"]

    /// The connections to the schema.
    package let pool: ConnectionPool
    /// The library in the schema.
    package let server: LibraryServer
    private let name: String

    /// Makes the schema.
    ///
    /// - Parameter onRoundTrip: called before each message to the server, also those that make the schema.
    package init(onRoundTrip: @escaping @Sendable () -> Void = {}) async throws {
        guard let url = Self.url else { throw PostgreSQLError.unavailable("ARTICLES_POSTGRESQL is not set") }
        await Self.places.take()
        name = "t" + UUID().uuidString.replacing("-", with: "").lowercased()
        do {
            pool = try Self.pool(url + "&options=-csearch_path%3D" + name, onRoundTrip: onRoundTrip)
            try await pool.write([Statement("CREATE SCHEMA \(name)")])
            try await LibraryServer.migrate(pool, lock: .random(in: .min ... .max), clock: { 1_700_000_000 })
        } catch {
            Self.places.giveBack()
            throw error
        }
        server = LibraryServer(pool)
    }

    deinit {
        let (pool, name) = (pool, name)
        Task {
            _ = try? await pool.write([Statement("DROP SCHEMA \(name) CASCADE")])
            Self.places.giveBack()
        }
    }

    /// Makes further connections to the schema, as another process would.
    ///
    /// - Parameters:
    ///   - folder: the folder of the server's socket, or that of a proxy.
    package func otherPool(through folder: String? = nil) throws -> ConnectionPool {
        let host = folder.map { "&host=" + $0 } ?? ""
        return try Self.pool((Self.url ?? "") + host + "&options=-csearch_path%3D" + name)
    }

    /// The folder of the server's socket.
    package static var folder: String {
        let items = URLComponents(string: url ?? "")?.queryItems
        return items?.first { $0.name == "host" }?.value ?? ""
    }

    private static func pool(
        _ url: String, onRoundTrip: @escaping @Sendable () -> Void = {}
    ) throws -> ConnectionPool {
        var limits = ConnectionPool.Limits()
        limits.connections = 4
        // Many tests share the machine.
        limits.patience = .seconds(60)
        return try ConnectionPool(ServerAddress(url), limits: limits, onRoundTrip: onRoundTrip)
    }

    /// All tests of a target run at once, and the server has a limited number of connections.
    private static let places = Places(count: 16)
}

/// A number of places, each of which is taken by one task at a time.
private final class Places: Sendable {
    private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(count: Int) { state = Mutex((count, [])) }

    /// Waits until a place is free, and takes it.
    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Frees a place, for the task that waits for it the longest.
    func giveBack() {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.free += 1
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
