internal import ArticleStore
package import Database
internal import Text
internal import PostgreSQL
internal import PostgreSQLStores

extension Stores {
    static func serverHasLibrary(_ url: String, _ options: Options) async throws -> Bool {
        try await server(url, options).hasLibrary()
    }

    static func migrateServer(_ url: String, _ options: Options) async throws -> [SchemaStep] {
        try await server(url, options).migrate { Int64(options.clock().timeIntervalSince1970) }.map(SchemaStep.init)
    }

    static func serverSteps(_ url: String, _ options: Options) async throws -> [SchemaStep] {
        try await server(url, options).schemaSteps().map(SchemaStep.init)
    }

    /// Returns the tables, indexes, and other objects of a schema on a server that are missing or differ from those of this
    /// program.
    ///
    /// - Throws: `StoreError`.
    package static func schemaFindings(atServer url: String, options: Options) async throws -> [Finding] {
        do {
            return try await server(url, options).schemaFaults().map { fault in
                let problem = fault.isMissing ? "is missing" : "differs from that of this program"
                return Finding(
                    .schema, on: fault.name, "the \(fault.kind) \(fault.name) \(problem)",
                    advice: fault.remedy.map { "create it with SQL: \($0)" }
                        ?? "restore a backup: see docs/postgresql.md")
            }
        } catch let error as StoreError where error.kind == .unavailable {
            return [
                Finding(
                    .schema, on: "schema", "the tables and indexes were not checked: \(error)",
                    advice: "run doctor as the owner of the database, who may create a schema", isFault: false)
            ]
        }
    }

    static func openServer(_ url: String, _ options: Options) async throws -> Stores {
        let server = try server(url, options)
        try await server.requireCurrentSchema()
        let articles = PostgreSQLArticleRepository(server, clock: options.clock)
        return Stores(
            articles: articles, accounts: PostgreSQLAccountStore(server), marks: PostgreSQLMarkRepository(server),
            reading: PostgreSQLReadingStateRepository(server),
            subscriptions: PostgreSQLSubscriptionRepository(server),
            pictures: PostgreSQLPictureRepository(server), visits: PostgreSQLVisitRepository(server),
            requestCounts: PostgreSQLRequestCounts(server), versions: PostgreSQLLibraryVersions(server),
            recordingChanges: { articles.recordingChanges($0) }, hasRoom: { _ in true })
    }

    static func server(_ url: String, _ options: Options) throws -> LibraryServer {
        var limits = ConnectionPool.Limits()
        limits.patience = .seconds(max(5, options.busyTimeout))
        limits.lockTimeout = .seconds(options.busyTimeout)
        limits.waitingTasks = options.waitingWrites
        return try LibraryServer(url, limits: limits)
    }
}

extension SchemaStep {
    fileprivate init(_ step: LibraryServer.Step) {
        self.init(
            version: step.migration.version, name: step.migration.name, sql: step.migration.sql,
            appliedAt: step.applied.map { Date(timeIntervalSince1970: Double($0.appliedAt)) },
            isUnchanged: step.applied.map { $0.checksum == step.migration.checksum } ?? true)
    }
}
