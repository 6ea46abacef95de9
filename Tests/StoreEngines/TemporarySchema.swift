import Foundation
package import PostgreSQL
package import PostgreSQLStores
import Synchronization

/// A schema of its own in the database of `Scripts/with-postgresql`. With the end of the value, it is emptied for another
/// test, because creating and dropping the tables takes longer than most tests. If its tables may be others, it is dropped.
///
/// An emptied schema gets another name, so a task that continues after its test cannot change the schema of another test.
public final class TemporarySchema: Sendable {
    /// The address of the database; nil without a server.
    public static let url = ProcessInfo.processInfo.environment["ARTICLES_POSTGRESQL"]

    /// The connections to the schema.
    package let pool: ConnectionPool
    /// The library in the schema.
    package let server: LibraryServer
    /// The name of the schema.
    public let name: String
    private let place: Places.Holder
    /// Whether the schema may have other tables than those of a library.
    private let isChanged: Atomic<Bool>

    /// Makes the schema.
    ///
    /// - Parameters:
    ///   - isEmpty: whether the schema contains no library.
    ///   - onRoundTrip: called before each message to the server, also those that make the schema.
    package init(isEmpty: Bool = false, onRoundTrip: @escaping @Sendable () -> Void = {}) async throws {
        guard Self.url != nil else { throw PostgreSQLError.unavailable("ARTICLES_POSTGRESQL is not set") }
        place = await Self.places.take()
        let emptied = isEmpty ? nil : Self.emptied.withLock { $0.popLast() }
        isChanged = Atomic(isEmpty)
        name = emptied ?? Self.newName()
        do {
            pool = try Self.pool(Self.address(of: name), onRoundTrip: onRoundTrip)
            server = LibraryServer(pool)
            guard emptied == nil else { return }
            try await pool.write([Statement("CREATE SCHEMA \(name)")])
            guard !isEmpty else { return }
            try await server.migrate(lock: .random(in: .min ... .max), clock: { 1_700_000_000 })
            try await pool.write([Self.saveInitialRows])
        } catch {
            Self.places.giveBack(place)
            throw error
        }
    }

    deinit {
        let (pool, name, isChanged, place) = (pool, name, isChanged.load(ordering: .relaxed), place)
        Task {
            let other = Self.newName()
            if isChanged {
                _ = try? await pool.write([Statement("DROP SCHEMA \(name) CASCADE")])
            } else if (try? await pool.write([
                Self.restoreInitialRows, Statement("ALTER SCHEMA \(name) RENAME TO \(other)"),
            ])) != nil {
                Self.emptied.withLock { $0.append(other) }
            }
            Self.places.giveBack(place)
        }
    }

    private static func newName() -> String {
        "t" + UUID().uuidString.replacing("-", with: "").lowercased()
    }

    /// The address of the schema, for another program.
    ///
    /// - Parameter parameters: further parameters, each after an “&”. They replace earlier ones.
    public func address(_ parameters: String = "") -> String { Self.address(of: name) + parameters }

    private static func address(of name: String) -> String { (url ?? "") + "&options=-csearch_path%3D" + name }

    /// Runs statements in the schema.
    public func run(_ statements: String...) async throws {
        isChanged.store(true, ordering: .relaxed)
        try await pool.write(statements.map { Statement($0) })
    }

    /// Makes further connections to the schema, as another process would.
    ///
    /// - Parameters:
    ///   - folder: the folder of the server's socket, or that of a proxy.
    package func otherPool(through folder: String? = nil) throws -> ConnectionPool {
        try Self.pool(address(folder.map { "&host=" + $0 } ?? ""))
    }

    /// The folder of the server's socket.
    public static var folder: String {
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

    /// The names of the schemas that another test has used.
    private static let emptied = Mutex<[String]>([])

    /// Copies the rows of a new library into tables whose names begin with `initial_`.
    private static let saveInitialRows: Statement = """
        DO $$
        DECLARE
            name text;
            has_rows boolean;
        BEGIN
            FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
                EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO has_rows;
                IF has_rows THEN EXECUTE format('CREATE TABLE %I AS TABLE %I', 'initial_' || name, name); END IF;
            END LOOP;
        END $$
        """

    /// Deletes all other rows, and sets the sequences to their beginning. Foreign keys and triggers are off for that time.
    private static let restoreInitialRows: Statement = """
        DO $$
        DECLARE
            name text;
        BEGIN
            SET LOCAL session_replication_role = replica;
            FOR name IN
                SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE 'initial_%'
            LOOP
                EXECUTE format('DELETE FROM %I', name);
            END LOOP;
            FOR name IN
                SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'initial_%'
            LOOP
                EXECUTE format('INSERT INTO %I TABLE %I', substr(name, 9), name);
            END LOOP;
            PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence JOIN pg_class ON pg_class.oid = seqrelid
            WHERE relnamespace = current_schema()::regnamespace;
        END $$
        """

    /// All tests of a target run at once, and the server has a limited number of connections.
    private static let places = Places(count: 16)
}

/// A number of places, each of which is taken by one task at a time. A task that has a place takes further ones without
/// waiting: if several tasks waited for their second place, none would ever give one back.
private final class Places: Sendable {
    /// The identity of the task that has a place.
    typealias Holder = Int

    private struct State {
        var free: Int
        /// The number of places of each task.
        var taken: [Holder: Int] = [:]
        var waiting: [(holder: Holder, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(free: count)) }

    /// Waits until a place is free, and takes it.
    func take() async -> Holder {
        let holder = withUnsafeCurrentTask { $0?.hashValue ?? 0 }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 || state.taken[holder] != nil else {
                    state.waiting.append((holder, continuation))
                    return false
                }
                state.free -= 1
                state.taken[holder, default: 0] += 1
                return true
            }
            if isFree { continuation.resume() }
        }
        return holder
    }

    /// Frees a place, for the task that waits for it the longest.
    func giveBack(_ holder: Holder) {
        let next = state.withLock { state in
            state.free += 1
            state.taken[holder] = state.taken[holder].flatMap { $0 > 1 ? $0 - 1 : nil }
            guard state.free > 0, !state.waiting.isEmpty else { return nil as CheckedContinuation<Void, Never>? }
            let next = state.waiting.removeFirst()
            state.free -= 1
            state.taken[next.holder, default: 0] += 1
            return next.continuation
        }
        next?.resume()
    }
}
