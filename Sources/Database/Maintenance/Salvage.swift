/// Copies the rows of one table from a damaged database.
///
/// A scan of the table stops at a damaged page. A scan from the other end stops on the other side of it. The gap in
/// between is divided until each row was requested by its row ID.
struct Salvage {
    private let source: Connection
    private let isInterrupted: @Sendable () -> Bool
    private let target: Connection
    private let columns: [String]
    private let keys: [String]
    private let hasRowID: Bool
    /// The name of the table in the damaged database.
    private let sourceName: String
    private var table: Recoverer.Table
    /// The number of requests that remain. It ensures that a table of millions of rows with a damaged root comes to an
    /// end.
    private var budget = 1_000_000

    /// Returns the names of the tables with data of the program.
    static func tables(of connection: Connection) throws -> [String] {
        var names: [String] = []
        try connection.forEach(
            """
            SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name <> 'schema_migration'
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """, []
        ) { names.append(try $0.value(0)) }
        return names
    }

    /// Ensures that IDs of deleted rows are not reused.
    static func copySequences(from source: Connection, to target: Connection) throws {
        var sequences: [(String, Int64)] = []
        try? source.forEach("SELECT name, seq FROM sqlite_sequence", []) {
            sequences.append((try $0.value(0), try $0.value(1)))
        }
        for (name, number) in sequences {
            _ = try target.run(
                "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", [Value(number), .text(name)])
        }
    }

    init(
        _ name: String, named sourceName: String, from source: Connection, to target: Connection,
        isInterrupted: @escaping @Sendable () -> Bool
    ) throws {
        self.sourceName = sourceName
        self.isInterrupted = isInterrupted
        self.source = source
        self.target = target
        table = Recoverer.Table(name: name)
        func names(_ sql: String, of name: String, on connection: Connection) throws -> [String] {
            var names: [String] = []
            try connection.forEach(sql, [.text(name)]) { names.append(try $0.value(0)) }
            return names
        }
        // Skip generated columns, because they are computed again.
        let all = "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid"
        let known = (try? names(all, of: sourceName, on: source)) ?? []
        columns = try names(all, of: name, on: target).filter(known.contains)
        keys = try names("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", of: name, on: target)
        hasRowID = try target.hasRowID(name)
    }

    /// Copies all readable rows.
    func run() throws -> Recoverer.Table {
        var salvage = self
        guard !columns.isEmpty else {
            salvage.table.isComplete = false
            return salvage.table
        }
        if hasRowID { try salvage.copyByNumber() } else { try salvage.copyByKey() }
        return salvage.table
    }

    private var list: String { columns.map(\.quotedIdentifier).joined(separator: ", ") }

    // MARK: Rows that have a number

    private mutating func copyByNumber() throws {
        let (end, isAll) = try walk(Int64.min...Int64.max, isAscending: true)
        if isAll { return }
        let first = end.map { $0 + 1 } ?? Int64.min
        let (start, isRest) = try walk(first...Int64.max, isAscending: false)
        if isRest { return }
        let last = start.map { $0 - 1 } ?? highestNumber(after: end ?? 0)
        guard max(first, 0) <= last else { return finish(unread: [first...max(first, last)]) }
        try divide(max(first, 0)...last)
    }

    private mutating func divide(_ gap: ClosedRange<Int64>) throws {
        var ranges = [gap]
        var unread: [ClosedRange<Int64>] = []
        while let range = ranges.popLast() {
            guard budget > 0 else {
                unread.append(range)
                continue
            }
            let (end, isAll) = try walk(range, isAscending: true)
            if isAll { continue }
            let first = end.map { $0 + 1 } ?? range.lowerBound
            guard first <= range.upperBound else { continue }
            let (start, isRest) = try walk(first...range.upperBound, isAscending: false)
            if isRest { continue }
            let last = start.map { $0 - 1 } ?? range.upperBound
            guard first <= last else { continue }
            if first == last {
                unread.append(first...last)
            } else if end != nil || start != nil {
                ranges.append(first...last)
            } else {
                let middle = first + (last - first) / 2
                ranges += [middle + 1...last, first...middle]
            }
        }
        finish(unread: unread)
    }

    private mutating func finish(unread: [ClosedRange<Int64>]) {
        table.isComplete = false
        for range in unread.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = table.unread.last, last.upperBound + 1 == range.lowerBound {
                table.unread[table.unread.count - 1] = last.lowerBound...range.upperBound
            } else {
                table.unread.append(range)
            }
        }
    }

    /// Copies the rows of a range in one direction, until its end or an unreadable page.
    ///
    /// - Returns: the row ID of the last copied row, and whether the end of the range was reached.
    private mutating func walk(_ range: ClosedRange<Int64>, isAscending: Bool) throws -> (last: Int64?, isAll: Bool) {
        budget -= 1
        let sql = """
            SELECT rowid, \(list) FROM \(sourceName.quotedIdentifier) NOT INDEXED WHERE rowid BETWEEN ? AND ?
            ORDER BY rowid \(isAscending ? "ASC" : "DESC")
            """
        var last: Int64?
        var failure: (any Error)?
        do {
            try source.forEach(sql, [Value(range.lowerBound), Value(range.upperBound)]) { row in
                let number: Int64 = try row.value(0)
                // Damaged pages that refer to each other would make an endless loop.
                guard range.contains(number), last.map({ isAscending ? $0 < number : $0 > number }) ?? true else {
                    throw RunawayError()
                }
                last = number
                do {
                    try insert(row, from: 1)
                } catch {
                    failure = error
                    throw error
                }
            }
            return (last, true)
        } catch {
            if let failure { throw failure }
            return (last, false)
        }
    }

    /// The scan reached a row that cannot be there.
    private struct RunawayError: Error {}

    /// Returns the highest possible row ID if the end of the table cannot be read, from an index or the counter.
    private func highestNumber(after end: Int64) -> Int64 {
        var highest = end
        func raise(_ sql: String, _ values: [Value]) {
            try? source.forEach(sql, values) { highest = max(highest, (try $0.value(0) as Int64?) ?? 0) }
        }
        raise("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(table.name)])
        var indexes: [String] = []
        try? source.forEach("SELECT name FROM pragma_index_list(?) WHERE partial = 0", [.text(sourceName)]) {
            indexes.append(try $0.value(0))
        }
        for index in indexes {
            // Read only data that is in the index itself.
            raise("SELECT rowid FROM \(sourceName.quotedIdentifier) INDEXED BY \(index.quotedIdentifier)", [])
        }
        // Estimate it from the page count: the maximum number of rows per page, for all pages.
        let pages: Int64 = (try? source.first("PRAGMA page_count", []) { try $0.value(0) }) ?? 0
        return highest > end ? highest : end + min(pages * 64, 100_000)
    }

    // MARK: Rows that have none

    private mutating func copyByKey() throws {
        for direction in ["ASC", "DESC"] {
            let order = keys.map { "\($0.quotedIdentifier) \(direction)" }.joined(separator: ", ")
            var failure: (any Error)?
            do {
                try source.forEach("SELECT \(list) FROM \(sourceName.quotedIdentifier) ORDER BY \(order)", []) { row in
                    budget -= 1
                    guard budget > -100_000_000 else { throw RunawayError() }
                    do {
                        try insert(row, from: 0)
                    } catch {
                        failure = error
                        throw error
                    }
                }
                return
            } catch {
                if let failure { throw failure }
                table.isComplete = false
            }
        }
    }

    // MARK: Both

    private mutating func insert(_ row: Row, from start: Int) throws {
        if isInterrupted() { throw DatabaseError.interrupted }
        let values = columns.indices.map { row.stored($0 + start) }
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        do {
            let count = try target.run(
                "INSERT OR IGNORE INTO \(table.name.quotedIdentifier) (\(list)) VALUES (\(marks))", values)
            if count > 0 { table.rows += 1 } else if hasRowID { table.rejected += 1 }
        } catch let error as DatabaseError {
            // The value has another type than the column.
            guard error.isConstraintViolation else { throw error }
            table.rejected += 1
        }
    }
}
