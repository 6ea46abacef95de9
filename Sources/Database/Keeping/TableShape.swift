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
