package import ArticleStore
package import Database

/// A library in a SQLite file whose rows are copied. See `TransferLibrary`.
package struct SQLiteTransferLibrary: TransferLibrary {
    private let file: LibraryFile

    /// Creates the library in `database`, which may be an unfinished copy.
    package init(database: Database) { file = LibraryFile(database) }

    /// Returns the rows of a table. See `TransferLibrary`.
    package func rows(of table: TransferTable, after key: [TransferValue]?) async throws -> [[TransferValue]] {
        let columns = table.columns.map(\.name).joined(separator: ", ")
        let keys = table.key.map(\.name).joined(separator: ", ")
        let marks = table.key.map { _ in "?" }.joined(separator: ", ")
        let condition = key == nil ? "" : " WHERE (\(keys)) > (\(marks))"
        return try file.query(
            "SELECT \(columns) FROM \(Self.relation(table)) AS t\(condition) ORDER BY \(keys) LIMIT \(table.batchSize)",
            (key ?? []).map { Value($0) }
        ) { row in table.columns.indices.map { TransferValue(row.stored($0)) } }
    }

    /// Returns the progress of the unfinished copy. See `TransferLibrary`.
    package func unfinishedTransfer() async throws -> TransferProgress? {
        try file.read { snapshot in
            let isUnfinished = try snapshot.first(
                "SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(Schema.unfinishedTable)]
            ) { _ in true }
            guard isUnfinished == true else { return nil }
            let text: String? = try snapshot.first("SELECT progress FROM \(Schema.unfinishedTable)") { try $0.value(0) }
            guard let progress = text.flatMap({ TransferProgress(stored: $0) }) else {
                throw StoreError(.damaged, "The progress of the copy into this database cannot be read")
            }
            return progress
        }
    }

    /// Marks the library as unfinished. See `TransferLibrary`.
    package func begin(_ progress: TransferProgress) async throws {
        try await file.write { transaction in
            try transaction.run("CREATE TABLE \(Schema.unfinishedTable) (progress TEXT NOT NULL) STRICT")
            try transaction.run("INSERT INTO \(Schema.unfinishedTable) VALUES (?)", [.text(progress.stored)])
        }
    }

    /// Writes rows. See `TransferLibrary`.
    package func insert(
        _ rows: [[TransferValue]], into table: TransferTable, from old: TransferProgress, to new: TransferProgress
    ) async throws {
        try await file.write { transaction in
            let isExpected = try transaction.run(
                "UPDATE \(Schema.unfinishedTable) SET progress = ? WHERE progress = ?",
                [.text(new.stored), .text(old.stored)])
            guard isExpected > 0 else { throw StoreError.otherTransfer }
            if old.key == nil, let clear = Self.clear(table) { try transaction.run(clear) }
            let statements = Self.insert(table)
            for row in rows {
                let values = row.map { Value($0) }
                for (sql, columns) in statements { try transaction.run(sql, columns.map { values[$0] }) }
                if table == .articleBody, let id = row.first { try Self.index(Value(id), in: transaction) }
            }
        }
    }

    /// Computes the counters and the rest of the search index, and removes the mark. See `TransferLibrary`.
    package func finish() async throws {
        try await file.write { try MarkCheck.recount($0) }
        var waiting = true
        while waiting {
            waiting = try await file.write { transaction in
                try SearchIndex(transaction: transaction).advance(.large)
                return try SearchIndex.backlog(in: transaction) > 0
            }
        }
        while try await file.write({ try SearchIndex(transaction: $0).merge() }) {}
        try await file.write { try $0.run("DROP TABLE \(Schema.unfinishedTable)") }
    }

    /// Adds the labels and the checksum of an article.
    private static func index(_ id: Value, in transaction: Transaction) throws {
        guard let article = try transaction.first(ArticleRow.selectByID, [id], ArticleRow.article) else { return }
        try LabelIndex(transaction: transaction).insert(article)
        try transaction.run(
            "UPDATE article_body SET checksum = ? WHERE article_id = ?", [Value(ArticleChecksum(article).value), id])
    }
}

// How the tables of this engine differ from those of the transfer.
extension SQLiteTransferLibrary {
    private static let names = [
        "account": "user", "deleted_account": "deleted_user", "account_appearance": "user_appearance",
    ]

    /// The columns of `article_mark` with a mark and its time, by the table of the transfer.
    private static let marks = [
        "article_read": ("is_read", "read_at"), "article_star": ("is_starred", "starred_at"),
        "article_later": ("is_later", "later_at"), "article_hidden": ("is_hidden", "hidden_at"),
        "article_place": ("place", "placed_at"),
    ]

    private static let relations = [
        "reader": "SELECT user_id, up_to AS read_up_to, changed_at AS all_read_at FROM all_read",
        "library": """
        SELECT id, uid, ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'article'), 0) AS last_article,
            max(ifnull((SELECT max(id) FROM source), 0), ifnull((SELECT last FROM source_number), 0)) AS last_source
        FROM library_copy
        """,
        "article_own_tag": """
        SELECT o.user_id, o.key, a.article_id, a.is_set, a.changed_at
        FROM own_tag AS o JOIN article_own_tag AS a ON a.tag_id = o.id
        """,
        "mark_number": """
        SELECT 1 AS id, ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'mark_change'), 0) AS last
        """,
    ]

    private static func relation(_ table: TransferTable) -> String {
        if let relation = relations[table.name] { return "(\(relation))" }
        if let (value, time) = marks[table.name] {
            return """
                (SELECT user_id, article_id, \(value) AS \(table.columns[2].name), \(time) AS changed_at
                FROM article_mark WHERE \(value) IS NOT NULL OR \(time) IS NOT NULL)
                """
        }
        return names[table.name] ?? table.name
    }

    private static func clear(_ table: TransferTable) -> String? {
        switch table.name {
        case "library": "DELETE FROM library_copy"
        // Triggers have logged the appearances and the marks that were copied.
        case "article_change", "mark_change": "DELETE FROM \(table.name)"
        case "mark_number": nil
        default: table.hasInitialRow ? "DELETE FROM \(table.name)" : nil
        }
    }

    /// Returns the statements that write a row, each with the columns of its values.
    private static func insert(_ table: TransferTable) -> [(sql: String, columns: [Int])] {
        if let (value, time) = marks[table.name] {
            return [
                (
                    """
                    INSERT INTO article_mark (user_id, article_id, \(value), \(time)) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET \(value) = excluded.\(value), \(time) = excluded.\(time)
                    """, [0, 1, 2, 3]
                )
            ]
        }
        func raise(_ sequence: String, column: Int) -> [(sql: String, columns: [Int])] {
            [
                (
                    """
                    INSERT INTO sqlite_sequence (name, seq) SELECT '\(sequence)', 0
                    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '\(sequence)')
                    """, []
                ),
                ("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = '\(sequence)'", [column]),
            ]
        }
        switch table.name {
        case "library":
            return [
                ("INSERT INTO library_copy (id, uid) VALUES (?, ?)", [0, 1]),
                ("INSERT INTO source_number (id, last) VALUES (?, ?)", [0, 3]),
            ] + raise("article", column: 2)
        case "reader": return [("INSERT INTO all_read (user_id, up_to, changed_at) VALUES (?, ?, ?)", [0, 1, 2])]
        case "article_own_tag":
            return [
                (
                    """
                    INSERT INTO article_own_tag (tag_id, article_id, is_set, changed_at)
                    SELECT id, ?3, ?4, ?5 FROM own_tag WHERE user_id = ?1 AND key = ?2
                    """, [0, 1, 2, 3, 4]
                )
            ]
        case "mark_change":
            return [
                (
                    """
                    INSERT INTO mark_change (user_id, sequence, article_id)
                    VALUES (?1, max(?2, 1 + ifnull((SELECT max(sequence) FROM mark_change), 0)), ?3)
                    """, [0, 1, 2]
                )
            ]
        case "mark_number": return raise("mark_change", column: 1)
        default:
            let columns = table.columns.map(\.name).joined(separator: ", ")
            let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
            return [
                (
                    "INSERT INTO \(names[table.name] ?? table.name) (\(columns)) VALUES (\(marks))",
                    Array(table.columns.indices)
                )
            ]
        }
    }
}

extension Value {
    fileprivate init(_ value: TransferValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .text(let text): .text(text)
            case .bytes(let bytes): .blob(bytes)
            }
    }
}

extension TransferValue {
    fileprivate init(_ value: Value) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            // Columns of strict tables do not have this type.
            case .real(let number): .integer(Int64(number))
            case .text(let text): .text(text)
            case .blob(let bytes): .bytes(bytes)
            }
    }
}
