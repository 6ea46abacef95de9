internal import Platform

/// Copies the readable data of a damaged database into a new one.
public struct Recoverer: Sendable {
    /// The result for the rows of a table.
    public struct Table: Hashable, Sendable {
        /// The name of the table.
        public let name: String
        /// The number of recovered rows.
        public internal(set) var rows = 0
        /// The number of rows that were read but violate constraints, such as duplicates.
        public internal(set) var rejected = 0
        /// The ranges of row IDs that could not be read.
        public internal(set) var unread: [ClosedRange<Int64>] = []
        /// Whether the whole table was read.
        public internal(set) var isComplete = true

        init(name: String) { self.name = name }

        mutating func add(_ part: Table) {
            rows += part.rows
            rejected += part.rejected
            unread += part.unread
            isComplete = isComplete && part.isComplete
        }
    }

    /// The result of a recovery.
    public struct Outcome<Completion: Sendable>: Sendable {
        /// The tables of the damaged database, by name.
        public let tables: [Table]
        /// The number of rows that were dropped because they refer to lost rows.
        public let orphans: Int
        /// The number of bytes that could not be read from the disk.
        public let unreadBytes: Int
        /// The result of the completion.
        public let completion: Completion
    }

    private let path: String
    private let schema: Schema
    private let configuration: Database.Configuration
    private let migrator: Migrator

    /// Creates a recoverer for the database at `path`.
    public init(path: String, schema: Schema, configuration: Database.Configuration = Database.Configuration()) {
        self.path = path
        self.schema = schema
        self.configuration = configuration
        migrator = Migrator(path: path, schema: schema)
    }

    /// Creates a new database with mode 0600 from the readable rows, and skips damaged pages. If the locations of
    /// tables are lost, it searches for them. The damaged database is not changed.
    ///
    /// - Parameters:
    ///   - destination: a path that does not exist.
    ///   - complete: repairs derived data, with the present schema.
    /// - Throws: `DatabaseError`: `missing`, `notAFile`, `cannotOpen`, `foreign`, `newerSchema`, `notADatabase` if the
    ///   contents are not recognizable, `interrupted`; or the error of `complete`.
    public func recover<T: Sendable>(
        to destination: String, complete: (Transaction) throws -> T
    ) throws -> Outcome<T> {
        let copy = try DamagedCopy(of: path, beside: destination, configuration: configuration)
        let file = try PartialFile(of: destination)
        let source = try copy.open(schema)
        let target = try Connection(alone: file.path, access: .readWrite, isDurable: false)
        // Foreign keys are checked at the end, and an incomplete copy is discarded.
        try target.execute(
            "PRAGMA journal_mode=MEMORY; PRAGMA foreign_keys=OFF; PRAGMA application_id=\(schema.applicationID)")
        let version = version(of: source)
        for migration in schema.migrations.prefix(version) { try migrator.apply(migration, on: target) }
        try target.execute("PRAGMA foreign_keys=OFF")

        try target.begin(.immediate)
        let tables = try Salvage.tables(of: target).map { name in
            let found = copy.lostTables[name]
            var table = Table(name: name)
            // Recovered rows replace rows that migrations inserted; those remain only if nothing was recovered.
            let quoted = name.quotedIdentifier
            let isMade = try target.first("SELECT 1 FROM \(quoted)", []) { _ in true } ?? false
            if isMade {
                try target.execute("CREATE TEMP TABLE made AS SELECT * FROM main.\(quoted); DELETE FROM main.\(quoted)")
            }
            for part in 0..<max(1, found?.roots.count ?? 1) {
                let sourceName = LostTables.name(name, part: part)
                table.add(
                    try Salvage(
                        name, named: sourceName, from: source, to: target, isInterrupted: configuration.isInterrupted
                    ).run())
            }
            if isMade { try target.execute("INSERT OR IGNORE INTO main.\(quoted) SELECT * FROM made; DROP TABLE made") }
            // Other parts of the table may be lost.
            if let found, !found.isTold { table.isComplete = false }
            return table
        }
        try Salvage.copySequences(from: source, to: target)
        try target.commit()

        for migration in schema.migrations.dropFirst(version) {
            try migrator.apply(migration, on: target, checksReferences: false)
        }
        try target.execute("PRAGMA foreign_keys=OFF")
        try target.begin(.immediate)
        let completion = try complete(Transaction(connection: target))
        let orphans = try Orphans.removeAll(target)
        try target.commit()
        try file.check(of: destination)
        let outcome = Outcome(
            tables: tables, orphans: orphans, unreadBytes: copy.unreadBytes, completion: completion)
        try file.finish()
        return outcome
    }

    /// Returns the schema version of the damaged database.
    private func version(of source: Connection) -> Int {
        let written: Int? = try? source.first("PRAGMA user_version", []) { try $0.value(0) }
        if let written, (1...schema.version).contains(written) { return written }
        let recorded: Int? = try? source.first("SELECT max(version) FROM schema_migration", []) { try $0.value(0) }
        return recorded.flatMap { (1...schema.version).contains($0) ? $0 : nil } ?? schema.version
    }
}
