internal import ArticleStore
internal import PostgreSQL
internal import PostgreSQLMigrations

/// An object of the schema that is missing or differs from the one that the migrations create.
package struct SchemaFault: Sendable, Hashable {
    /// The kind, such as “index”.
    package let kind: String
    /// The name of the object, after that of its table.
    package let name: String
    /// Whether the object is missing. Otherwise it differs.
    package let isMissing: Bool
    /// The statement that creates the object again; nil if that does not bring back its rows or its behavior.
    package let remedy: String?
}

extension LibraryServer {
    /// Compares the tables, columns, indexes, constraints, triggers, and functions with those that the migrations create.
    /// Objects of other programs are ignored.
    ///
    /// The migrations run in a schema of their own, in a transaction that is rolled back.
    ///
    /// - Throws: `StoreError`, also if the user may not create a schema in the database.
    package func schemaFaults() async throws -> [SchemaFault] {
        struct RolledBack: Error { let faults: [SchemaFault] }
        do {
            try await translating {
                try await pool.write { transaction in
                    let found = try await transaction.run([SchemaObject.select])[0].map(SchemaObject.init)
                    // Only this transaction sees the schema.
                    try await transaction.run([
                        "CREATE SCHEMA articles_check", "SET LOCAL search_path = articles_check",
                    ])
                    for migration in postgreSQLMigrations { try await transaction.run(script: migration.sql) }
                    let wanted = try await transaction.run([SchemaObject.select])[0].map(SchemaObject.init)
                    throw RolledBack(faults: SchemaObject.faults(found, wanted))
                }
            }
            return []
        } catch let end as RolledBack {
            return end.faults
        }
    }
}

/// An object of a schema.
private struct SchemaObject: Hashable {
    let kind: String
    let table: String
    let name: String
    let definition: String

    init(_ row: Row) throws {
        (kind, table) = (try row.value(0), try row.value(1))
        (name, definition) = (try row.value(2), try row.value(3))
    }

    /// Selects the objects of the current schema. The index of a constraint is part of it.
    static let select: Statement = """
        WITH t AS (
            SELECT oid, relname FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p'))
        SELECT 'table', relname::text, '', '' FROM t
        UNION ALL
        SELECT 'column', t.relname::text, a.attname::text, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
            CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), a.attidentity)
        FROM t JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef AS d ON d.adrelid = t.oid AND d.adnum = a.attnum
        UNION ALL
        SELECT 'index', t.relname::text, c.relname::text,
            pg_get_indexdef(i.indexrelid, 0, true) || CASE WHEN i.indisvalid THEN '' ELSE ' INVALID' END
        FROM t JOIN pg_index AS i ON i.indrelid = t.oid JOIN pg_class AS c ON c.oid = i.indexrelid
        WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND conrelid = t.oid)
        UNION ALL
        SELECT 'constraint', t.relname::text, c.conname::text, pg_get_constraintdef(c.oid, true)
        FROM t JOIN pg_constraint AS c ON c.conrelid = t.oid
        UNION ALL
        SELECT 'trigger', t.relname::text, g.tgname::text,
            pg_get_triggerdef(g.oid, true) || CASE g.tgenabled WHEN 'O' THEN '' ELSE ' DISABLED' END
        FROM t JOIN pg_trigger AS g ON g.tgrelid = t.oid AND NOT g.tgisinternal
        UNION ALL
        SELECT 'function', '', proname::text, pg_get_function_arguments(oid) || ' ' || md5(prosrc)
        FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
        ORDER BY 1, 2, 3
        """

    private var place: [String] { [kind, table, name] }

    /// The name that an administrator knows.
    private var fullName: String { [table, name].filter { !$0.isEmpty }.joined(separator: ".") }

    private var remedy: String? {
        switch kind {
        case "index", "trigger": definition
        case "constraint": "ALTER TABLE \(table) ADD CONSTRAINT \(name) \(definition)"
        default: nil
        }
    }

    /// Returns the missing and the different ones of the wanted objects. A missing table stands for all that belongs to it.
    static func faults(_ found: [SchemaObject], _ wanted: [SchemaObject]) -> [SchemaFault] {
        let known = Dictionary(found.map { ($0.place, $0.definition) }) { first, _ in first }
        let tables = Set(found.map(\.table))
        return wanted.compactMap { object in
            let definition = known[object.place]
            guard definition != object.definition, object.kind == "table" || tables.contains(object.table) else {
                return nil
            }
            return SchemaFault(
                kind: object.kind, name: object.fullName, isMissing: definition == nil,
                remedy: definition == nil ? object.remedy : nil)
        }
    }
}
