/// The shape of a table's rows in the file, which identifies their table if nothing else does.
struct TableShape {
    private struct Column {
        let name: String
        let type: String
        let isOptional: Bool
        /// Whether rows that were written before the column was added may lack it.
        let isLater: Bool
        let keyPosition: Int
    }

    let name: String
    let hasRowID: Bool
    /// The columns in the order in which they are stored.
    private let columns: [Column]

    /// Returns the shapes of all tables with data of the program.
    static func all(_ connection: Connection) throws -> [TableShape] {
        try Salvage.tables(of: connection).map { try TableShape($0, connection) }
    }

    private init(_ name: String, _ connection: Connection) throws {
        self.name = name
        hasRowID = try connection.hasRowID(name)
        var columns: [Column] = []
        // Generated columns are not stored.
        let sql =
            "SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid"
        try connection.forEach(sql, [.text(name)]) { row in
            let isOptional: Bool = try !row.value(2)
            let hasDefault = try row.value(3) as String? != nil
            columns.append(
                Column(
                    name: try row.value(0), type: try row.value(1), isOptional: isOptional,
                    isLater: isOptional || hasDefault, keyPosition: try row.value(4)))
        }
        let keys = columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
        self.columns = hasRowID ? columns : keys + columns.filter { $0.keyPosition == 0 }
    }

    /// Returns whether a page may belong to the table.
    func fits(_ page: RawPage) -> Bool {
        guard page.kind.isOfTable == hasRowID, let records = page.records else { return false }
        return records.allSatisfy(fits)
    }

    private func fits(_ record: RawRecord) -> Bool {
        let (stored, missing) = (columns.prefix(record.classes.count), columns.dropFirst(record.classes.count))
        guard record.classes.count <= columns.count, missing.allSatisfy(\.isLater) else { return false }
        return zip(stored, record.classes).allSatisfy { column, storage in
            // The row ID is not stored again in its column.
            if isNumber(column) { return storage == .null }
            return switch storage {
            case .null: column.isOptional && (hasRowID || column.keyPosition == 0)
            case .integer: ["INTEGER", "INT", "REAL", "ANY"].contains(column.type)
            case .real: ["REAL", "ANY"].contains(column.type)
            case .text: ["TEXT", "ANY"].contains(column.type)
            case .blob: ["BLOB", "ANY"].contains(column.type)
            }
        }
    }

    private func isNumber(_ column: Column) -> Bool {
        hasRowID && column.keyPosition > 0 && column.type == "INTEGER"
            && columns.filter { $0.keyPosition > 0 }.count == 1
    }

    /// Returns a statement that creates a table with the same columns under another name, without constraints.
    func sql(named name: String) -> String {
        let list = columns.map { $0.name.quotedIdentifier + (isNumber($0) ? " INTEGER PRIMARY KEY" : "") }
        let keys = columns.filter { $0.keyPosition > 0 }.map(\.name.quotedIdentifier)
        let key = hasRowID ? "" : ", PRIMARY KEY (\(keys.joined(separator: ", ")))"
        return "CREATE TABLE \(name.quotedIdentifier) (\(list.joined(separator: ", "))\(key))"
            + (hasRowID ? "" : " WITHOUT ROWID")
    }
}

extension Connection {
    /// Returns whether the rows of a table have row IDs.
    func hasRowID(_ table: String) throws -> Bool {
        try first("SELECT wr FROM pragma_table_list WHERE name = ?", [.text(table)]) { try $0.value(0) as Int == 0 }
            ?? true
    }
}

/// A table, index, trigger, or view in the schema of a database.
struct SchemaObject: Equatable {
    let type: String
    let name: String
    let sql: String

    /// Whether it can be created again from the tables.
    var isDerived: Bool { type == "index" || type == "trigger" }

    static func == (left: SchemaObject, right: SchemaObject) -> Bool {
        // Ignore quotation marks: the version of SQLite determines how it quotes a renamed object.
        func plain(_ sql: String) -> String { sql.filter { $0 != "\"" && !$0.isWhitespace } }
        return left.type == right.type && plain(left.sql) == plain(right.sql)
    }

    /// Returns the objects of a database by name, without those of SQLite and the migrator.
    static func all(_ connection: Connection) throws -> [String: SchemaObject] {
        var objects: [String: SchemaObject] = [:]
        let sql = """
            SELECT type, name, sql FROM sqlite_schema
            WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'schema_migration' AND sql IS NOT NULL
            """
        try connection.forEach(sql, []) { row in
            let object = SchemaObject(type: try row.value(0), name: try row.value(1), sql: try row.value(2))
            objects[object.name] = object
        }
        return objects
    }

    /// Returns the objects that the migrations of a schema create, by running them in memory.
    static func all(of schema: Schema) throws -> [String: SchemaObject] {
        try all(Connection(inMemory: schema.migrations[...]))
    }
}

extension Connection {
    /// Creates a database in memory with these migrations.
    convenience init(inMemory migrations: ArraySlice<Migration>) throws {
        try self.init(alone: ":memory:", access: .readWrite)
        try execute("PRAGMA foreign_keys=OFF")
        for migration in migrations { try execute(migration.sql) }
    }
}

/// The rows of a table with a foreign key that refers to missing rows.
struct Orphans {
    let table: String
    let parent: String
    let count: Int
    /// Whether they would have been deleted together with the rows to which they refer.
    let isCascading: Bool
    private let condition: String

    static func all(_ connection: Connection) throws -> [Orphans] {
        var counts: [Key: Int] = [:]
        try connection.forEach("PRAGMA foreign_key_check", []) { row in
            counts[Key(table: try row.value(0), parent: try row.value(2), number: try row.value(3)), default: 0] += 1
        }
        return try counts.sorted { ($0.key.table, $0.key.number) < ($1.key.table, $1.key.number) }.map { key, count in
            try Orphans(key, count: count, connection)
        }
    }

    /// Removes all orphans, and the rows that refer to them.
    ///
    /// - Returns: the number of removed rows.
    static func removeAll(_ connection: Connection) throws -> Int {
        var count = 0
        while true {
            let found = try all(connection)
            if found.isEmpty { return count }
            for orphans in found { count += try orphans.remove(connection) }
        }
    }

    /// - Returns: the number of removed rows.
    @discardableResult
    func remove(_ connection: Connection) throws -> Int {
        try connection.run("DELETE FROM \(table.quotedIdentifier) WHERE \(condition)", [])
    }

    private struct Key: Hashable {
        let table: String
        let parent: String
        let number: Int
    }

    private init(_ key: Key, count: Int, _ connection: Connection) throws {
        var columns: [(from: String, to: String?)] = []
        var isCascading = false
        try connection.forEach(
            "SELECT \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) WHERE id = ?",
            [.text(key.table), Value(key.number)]
        ) { row in
            columns.append((try row.value(0), try row.value(1)))
            isCascading = try row.value(2) == "CASCADE"
        }
        table = key.table
        parent = key.parent
        self.count = count
        // In the schema of this package, foreign keys always name the referenced column.
        self.isCascading = isCascading && !columns.isEmpty && columns.allSatisfy { $0.to != nil }
        let child = key.table.quotedIdentifier
        let set = columns.map { "\(child).\($0.from.quotedIdentifier) IS NOT NULL" }
        let match = columns.map { "parent.\(($0.to ?? "").quotedIdentifier) = \(child).\($0.from.quotedIdentifier)" }
        condition =
            (set + [
                "NOT EXISTS (SELECT 1 FROM \(key.parent.quotedIdentifier) AS parent WHERE "
                    + match.joined(separator: " AND ") + ")"
            ]).joined(separator: " AND ")
    }
}
