package import ArticleStore
package import PostgreSQL

/// The library on a PostgreSQL server, for the repositories. It converts each error of the server to a `StoreError`.
package struct LibraryServer: Sendable {
    let pool: ConnectionPool
    private let makeKey: @Sendable () -> [UInt8]

    /// The URL, for messages; nil if it is not known.
    let url: String?

    /// Creates a library.
    ///
    /// - Parameters:
    ///   - pool: the database.
    ///   - url: the URL of the database, for messages.
    ///   - makeKey: returns 16 random bytes, the key of a transaction.
    package init(
        _ pool: ConnectionPool, url: String? = nil,
        makeKey: @escaping @Sendable () -> [UInt8] = { (0..<16).map { _ in .random(in: .min ... .max) } }
    ) {
        (self.pool, self.url, self.makeKey) = (pool, url, makeKey)
    }

    /// Runs statements that change nothing, in one round trip and on one snapshot of the data.
    ///
    /// - Parameter isCancellable: whether the server ends the statements if the task is canceled.
    func read(_ statements: [Statement], isCancellable: Bool = false) async throws -> [Rows] {
        do {
            return try await pool.read(statements, isCancellable: isCancellable)
        } catch let error as PostgreSQLError {
            throw StoreError(reading: error)
        }
    }

    /// Returns the value that `make` creates from the first row of a statement that changes nothing.
    func first<T>(_ statement: Statement, _ make: (Row) throws -> T) async throws -> T? {
        let rows = try await read([statement])[0]
        return try translating { try rows.first.map(make) }
    }

    /// Returns the values that `make` creates from the rows of a statement that changes nothing.
    func query<T>(_ statement: Statement, _ make: (Row) throws -> T) async throws -> [T] {
        let rows = try await read([statement])[0]
        return try translating { try rows.map(make) }
    }

    /// Runs a transaction that changes nothing and sees one snapshot of the data.
    ///
    /// - Parameter body: runs the statements. It may be called several times.
    func read<T>(_ body: (Transaction) async throws -> T) async throws -> T {
        do {
            return try await pool.write { transaction in
                transaction.queue(["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"])
                return try await body(transaction)
            }
        } catch let error as PostgreSQLError {
            throw StoreError(reading: error)
        }
    }

    /// Runs statements as one transaction and in one round trip. The transaction does not have a key: if its outcome is
    /// unknown, it is not sent again.
    @discardableResult
    func write(_ statements: [Statement]) async throws -> [Rows] {
        try await translating { try await pool.write(statements) }
    }

    /// Runs a transaction with a key. If the answer to its commit is lost, the transaction is sent again unless it was
    /// committed, so it happens once.
    ///
    /// - Parameter body: runs the statements. It may be called several times. If it throws, the transaction is rolled
    ///   back.
    /// - Throws: the error of `body`, `StoreError`.
    func write<T>(_ body: (Transaction) async throws -> T) async throws -> T {
        let key = Value.bytes(makeKey())
        let insertKey = Statement("INSERT INTO applied_write (key) VALUES ($1) ON CONFLICT (key) DO NOTHING", [key])
        let touchKey = Statement("UPDATE applied_write SET applied_at = applied_at WHERE key = $1", [key])
        var result: T?
        var lost: PostgreSQLError?
        for _ in 0..<Self.attempts {
            do {
                return try await pool.write { transaction in
                    if lost == nil {
                        transaction.queue([insertKey])
                    } else if try await transaction.run([insertKey])[0].affected == 0 {
                        guard let result else { throw AlreadyApplied() }
                        // A server that crashed or stopped during the first commit may have stored it without waiting for
                        // a synchronous standby. The commit of a later change waits for both.
                        transaction.queue([touchKey])
                        return result
                    }
                    let value = try await body(transaction)
                    result = value
                    return value
                }
            } catch is AlreadyApplied {
                break
            } catch let error as PostgreSQLError where error.isOutcomeUnknown {
                lost = error
            } catch let error as PostgreSQLError {
                guard let lost else { throw StoreError(error) }
                throw StoreError(lost)
            }
        }
        throw StoreError(lost ?? .connectionLost("the connection ended"))
    }

    private struct AlreadyApplied: Error {}
    private static let attempts = 3

    /// Removes the keys of transactions that nobody sends again.
    static let removeOldKeys: Statement =
        "DELETE FROM applied_write WHERE applied_at < extract(epoch FROM now())::bigint - 86400"
}

/// Converts errors of the server to a `StoreError`.
func translating<T>(_ body: () async throws -> T) async throws -> T {
    do {
        return try await body()
    } catch let error as PostgreSQLError {
        throw StoreError(error)
    }
}

/// Converts errors of the server to a `StoreError`.
func translating<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as PostgreSQLError {
        throw StoreError(error)
    }
}

/// The versions of a library on a server. See `LibraryVersions`.
package struct PostgreSQLLibraryVersions: LibraryVersions {
    private let server: LibraryServer

    /// Creates the versions of the library on `server`.
    package init(_ server: LibraryServer) { self.server = server }

    /// Returns the present version. See `LibraryVersions`.
    package func current() async throws -> LibraryVersion? {
        // A snapshot names the transactions whose changes it shows. Another server that takes over has another start.
        try await server.first("SELECT pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text") {
            LibraryVersion(try $0.value(0))
        }
    }
}
