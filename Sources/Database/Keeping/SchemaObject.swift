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
