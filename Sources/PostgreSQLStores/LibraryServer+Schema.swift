internal import ArticleStore
package import PostgreSQL
internal import PostgreSQLMigrations

extension LibraryServer {
    /// Prepares connections to the library in the database of a URL; the first use connects. It does not create tables.
    ///
    /// - Throws: `StoreError` if the URL cannot be used; `SystemError`.
    package init(_ url: String, limits: ConnectionPool.Limits) throws {
        self.init(try translating { try ConnectionPool(ServerAddress(url), limits: limits) }, url: url)
    }

    /// A step of the schema, and its record if it was applied.
    package typealias Step = (migration: Migration, applied: Migrator.Applied?)

    /// Returns the steps of the schema.
    ///
    /// - Throws: `StoreError`, also if a newer program has changed the schema.
    package func schemaSteps() async throws -> [Step] {
        try await explaining {
            let migrator = migrator()
            let records = try await migrator.applied()
            if let last = records.last, last.version > supportedVersion {
                throw MigrationError.newerSchema(found: last.version, supported: supportedVersion)
            }
            return postgreSQLMigrations.map { migration in
                (migration, records.first { $0.version == migration.version })
            }
        }
    }

    /// Updates the schema of the database, or creates it in an empty one.
    ///
    /// - Parameters:
    ///   - lock: the number of the advisory lock that admits one migrator at a time.
    ///   - clock: the present time in seconds since 1970.
    /// - Returns: the applied steps.
    /// - Throws: `StoreError`.
    @discardableResult
    package func migrate(
        lock: Int64 = 0x4152_5443, clock: @escaping @Sendable () -> Int64
    ) async throws -> [Step] {
        if let encoding = try await first("SHOW server_encoding", { try $0.value(0) as String }),
            !["UTF8", "SQL_ASCII"].contains(encoding)
        {
            throw StoreError(
                .unavailable, "The database has the encoding \(encoding), which does not have all characters",
                advice: "create it with: createdb --encoding UTF8 --template template0")
        }
        return try await explaining {
            let migrator = migrator(lock: lock, clock: clock)
            let migrated = try await migrator.migrate()
            let records = try await migrator.applied()
            return migrated.map { migration in (migration, records.first { $0.version == migration.version }) }
        }
    }

    /// Whether the database contains a library, of any version.
    ///
    /// - Throws: `StoreError`.
    package func hasLibrary() async throws -> Bool {
        try await explaining { try await !migrator().applied().isEmpty }
    }

    /// Checks that the database contains a library with the schema of this program.
    ///
    /// - Throws: `StoreError` if it does not.
    package func requireCurrentSchema() async throws {
        try await explaining {
            let migrator = migrator()
            let records = try await migrator.applied()
            try migrator.check(records)
            guard let last = records.last else {
                throw StoreError(
                    .unavailable, "The database does not contain a library",
                    advice: "create it with: \(migrateCommand)")
            }
            guard last.version == supportedVersion else {
                throw StoreError(
                    .unavailable,
                    "The database has version \(last.version) of the schema, but this program needs \(supportedVersion)",
                    advice: "update it with: \(migrateCommand)")
            }
        }
    }

    /// Whether the database is an unfinished copy of another library.
    ///
    /// - Throws: `StoreError`.
    package func isUnfinished() async throws -> Bool {
        try await first(Migrator.isUnfinished) { try $0.value(0) } ?? false
    }

    private var supportedVersion: Int { postgreSQLMigrations.last?.version ?? 0 }

    private var migrateCommand: String {
        // A URL may contain characters of the shell, such as “&”.
        "articlesctl migrate" + (url.map { " --database '\($0.replacing("'", with: "%27"))'" } ?? "")
    }

    private func migrator(
        lock: Int64 = 0, clock: @escaping @Sendable () -> Int64 = { 0 }
    ) -> Migrator {
        Migrator(pool, migrations: postgreSQLMigrations, lock: lock, clock: clock)
    }

    private func explaining<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await translating(body)
        } catch let error as MigrationError {
            throw StoreError(error)
        }
    }
}

extension StoreError {
    fileprivate init(_ error: MigrationError) {
        let (description, advice): (String, String) =
            switch error {
            case .newerSchema(let found, let supported):
                (
                    "The database has version \(found) of the schema, but this program only knows \(supported)",
                    "install the version of articlesctl that wrote it, or a newer one"
                )
            case .changed(let version, let name):
                (
                    "Step \(version) (\(name)) of the schema differs from the one of this program",
                    "use the version of articlesctl that wrote it"
                )
            case .unfinished:
                (
                    "The database is an unfinished copy of another library",
                    "finish it with: articlesctl migrate --from PLACE --to PLACE"
                )
            case .foreignTables:
                (
                    "The database contains tables of another program",
                    "create a database for the library, and give its name: createdb articles"
                )
            }
        self.init(.unavailable, description, advice: advice, cause: error)
    }
}
