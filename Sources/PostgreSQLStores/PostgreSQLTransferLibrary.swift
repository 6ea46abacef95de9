package import ArticleStore
internal import PostgreSQL

/// A library on a PostgreSQL server whose rows are copied. See `TransferLibrary`.
package struct PostgreSQLTransferLibrary: TransferLibrary {
    private let server: LibraryServer

    /// Creates the library on `server`, which may be an unfinished copy.
    package init(_ server: LibraryServer) { self.server = server }

    /// Returns the rows of a table. See `TransferLibrary`.
    package func rows(of table: TransferTable, after key: [TransferValue]?) async throws -> [[TransferValue]] {
        let columns = table.columns.map(\.name).joined(separator: ", ")
        let keys = table.key.map(\.name).joined(separator: ", ")
        let marks = (1...table.keyCount).map { "$\($0)" }.joined(separator: ", ")
        let condition = key == nil ? "" : " WHERE (\(keys)) > (\(marks))"
        let relation = Self.relations[table.name].map { "(\($0))" } ?? table.name
        return try await server.query(
            Statement(
                "SELECT \(columns) FROM \(relation) AS t\(condition) ORDER BY \(keys) LIMIT \(table.batchSize)",
                zip(table.key, key ?? []).map { Value($1, of: $0) })
        ) { row in
            try table.columns.enumerated().map { try row.transferValue($0.offset, $0.element.kind) }
        }
    }

    /// Returns the progress of the unfinished copy. See `TransferLibrary`.
    package func unfinishedTransfer() async throws -> TransferProgress? {
        guard try await server.isUnfinished() else { return nil }
        let text = try await server.first(Statement("SELECT progress FROM \(Migrator.unfinishedTable)")) {
            try $0.anyText(0)
        }
        guard let progress = text.flatMap({ TransferProgress(stored: $0) }) else {
            throw StoreError(.damaged, "The progress of the copy into this database cannot be read")
        }
        return progress
    }

    /// Marks the library as unfinished. See `TransferLibrary`.
    package func begin(_ progress: TransferProgress) async throws {
        try await server.write { transaction in
            try await transaction.run([Statement("CREATE TABLE \(Migrator.unfinishedTable) (progress text NOT NULL)")])
            transaction.queue([
                Statement("INSERT INTO \(Migrator.unfinishedTable) VALUES ($1)", [Value(anyText: progress.stored)])
            ])
        }
    }

    /// Writes rows. See `TransferLibrary`.
    package func insert(
        _ rows: [[TransferValue]], into table: TransferTable, from old: TransferProgress, to new: TransferProgress
    ) async throws {
        try await server.write { transaction in
            let changed = try await transaction.run([
                Statement(
                    "UPDATE \(Migrator.unfinishedTable) SET progress = $1 WHERE progress = $2",
                    [Value(anyText: new.stored), Value(anyText: old.stored)])
            ])
            guard changed[0].affected > 0 else { throw StoreError.otherTransfer }
            // Triggers have logged the appearances that were copied.
            let isFilled = table.hasInitialRow || table.name == "article_change"
            if old.key == nil, isFilled, Self.relations[table.name] == nil {
                transaction.queue([Statement("DELETE FROM \(table.name)")])
            }
            let sql = Self.insert(table)
            transaction.queue(
                rows.map { row in Statement(sql, zip(table.columns, row).map { Value($1, of: $0) }) })
            guard table == .articleBody else { return }
            let ids = rows.compactMap { row in if case .integer(let id)? = row.first { id } else { nil as Int64? } }
            let articles = try await transaction.run([Statement(ArticleRow.selectByIDs, [.integers(ids)])])[0]
                .map(ArticleRow.article)
            transaction.queue(UnitOfWork.labelStatements(of: articles) + UnitOfWork.searchStatements(of: articles))
        }
    }

    /// Computes the counters, and removes the mark. See `TransferLibrary`.
    package func finish() async throws {
        try await server.write([
            "DELETE FROM source_size",
            """
            INSERT INTO source_size (source_id, articles, appearances)
            SELECT source_id, count(*) FILTER (WHERE is_own), count(*) FILTER (WHERE NOT is_own) FROM (
                SELECT source_id, true AS is_own FROM article
                UNION ALL SELECT source_id, false FROM article_appearance) AS a
            GROUP BY source_id
            """,
            """
            SELECT setval(pg_get_serial_sequence('article_change', 'sequence'),
                (SELECT coalesce(max(sequence), 0) + 1 FROM article_change), false)
            """,
            Statement("DROP TABLE \(Migrator.unfinishedTable)"),
        ])
    }
}

// How the tables of this engine differ from those of the transfer.
extension PostgreSQLTransferLibrary {
    private static let relations = [
        // A user who has marked single articles has a row, too.
        "reader": """
        SELECT user_id, read_up_to, coalesce(all_read_at, 0) AS all_read_at FROM reader
        WHERE read_up_to > 0 OR all_read_at IS NOT NULL
        """,
        "mark_number": "SELECT 1::bigint AS id, coalesce(max(last_change), 0) AS last FROM reader",
    ]

    /// Returns the statement that writes a row.
    private static func insert(_ table: TransferTable) -> String {
        guard table.name != "mark_number" else {
            return """
                INSERT INTO reader (user_id, last_change) SELECT account.id, $2 FROM account WHERE $1 = 1
                ON CONFLICT (user_id) DO UPDATE SET last_change = excluded.last_change
                """
        }
        let columns = table.columns.map(\.name).joined(separator: ", ")
        let marks = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(table.name) (\(columns)) OVERRIDING SYSTEM VALUE VALUES (\(marks))"
    }
}

extension Value {
    fileprivate init(_ value: TransferValue, of column: TransferTable.Column) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): column.kind == .bool ? .bool(number != 0) : .integer(number)
            case .text(let text): Value(anyText: text)
            case .bytes(let bytes): .bytes(bytes)
            }
    }
}

extension Row {
    fileprivate func transferValue(_ column: Int, _ kind: TransferTable.Column.Kind) throws -> TransferValue {
        switch kind {
        case .integer, .order: try (value(column) as Int64?).map { .integer($0) } ?? .null
        case .bool: try (value(column) as Bool?).map { .integer($0 ? 1 : 0) } ?? .null
        case .text: try optionalText(column).map { .text($0) } ?? .null
        case .bytes: try (value(column) as [UInt8]?).map { .bytes($0) } ?? .null
        }
    }
}
