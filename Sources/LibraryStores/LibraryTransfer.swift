internal import ArticleStore
internal import AuthService
internal import Database
internal import Migrations
internal import Platform
internal import PostgreSQLStores
internal import SQLiteStores
package import Text

/// Copies a library to another place, possibly of another engine.
///
/// The rows are copied in batches. The target stores the progress with each batch, so a copy that was interrupted or killed
/// continues where it stopped. Finally, the contents of each table of both libraries are compared by their hashes. Until
/// they are equal, the target cannot be used.
package struct LibraryTransfer: Sendable {
    /// The comparison of a table.
    package struct TableResult: Sendable, Hashable {
        /// The name of the table.
        package let name: String
        /// The number of its rows.
        package let rowCount: Int
        /// The hash of its rows, in hexadecimal digits.
        package let hash: String
    }

    /// A step of the work: the name of the table, and the number of rows that were copied or compared in it by this run.
    package typealias Progress = (_ table: String, _ rowCount: Int) throws -> Void

    private let source: any TransferLibrary
    private let place: StorePlace
    private let target: any TransferLibrary

    /// Opens both libraries. If there is nothing at `target`, a library is created there.
    ///
    /// - Throws: `TransferError`, `StoreError`.
    package init(from source: StorePlace, to target: StorePlace, options: Stores.Options) async throws {
        guard source != target else { throw TransferError.samePlace(source) }
        place = source
        self.source = try await Stores.transferSource(source, options)
        self.target = try await Stores.transferTarget(target, options)
    }

    /// Copies the library, or continues an unfinished copy.
    ///
    /// - Parameter progress: called after each batch. If it throws, the copy stops, and another run continues it.
    /// - Returns: the result for each table.
    /// - Throws: `TransferError`, `StoreError`, the error of `progress`.
    package func run(progress: Progress = { _, _ in }) async throws -> [TableResult] {
        var state = try await begin()
        while let table = state.table {
            var count = 0
            repeat {
                let rows = try await source.rows(of: table, after: state.key)
                let key = rows.count < table.batchSize ? nil : rows.last.map { Array($0.prefix(table.keyCount)) }
                let next = TransferProgress(
                    source: state.source, table: key == nil ? Self.table(after: table) : table, key: key)
                do {
                    try await target.insert(rows, into: table, from: state, to: next)
                } catch let error as StoreError where error.kind == .refused {
                    throw TransferError.refused(table: table.name, reason: error.description)
                }
                state = next
                count += rows.count
                try progress(table.name, count)
            } while state.table == table
        }
        let results = try await compare(progress)
        try await target.finish()
        return results
    }

    private func begin() async throws -> TransferProgress {
        guard let identity = try await self.source.rows(of: .library, after: nil).first,
            case .text(let uid)? = identity.dropFirst(TransferTable.library.keyCount).first
        else { throw StoreError(.damaged, "The source has no identity") }
        // Copies of a library have its identity, but may have other rows.
        let source = "\(uid) \(place.absolute)"
        if let unfinished = try await target.unfinishedTransfer() {
            guard unfinished.source == source else { throw TransferError.otherSource }
            return unfinished
        }
        for table in TransferTable.all where !table.hasInitialRow {
            guard try await target.rows(of: table, after: nil).isEmpty else { throw TransferError.notEmpty }
        }
        let beginning = TransferProgress(source: source, table: TransferTable.all.first)
        try await target.begin(beginning)
        return beginning
    }

    private static func table(after table: TransferTable) -> TransferTable? {
        TransferTable.all.drop { $0 != table }.dropFirst().first
    }

    private func compare(_ progress: Progress) async throws -> [TableResult] {
        var results: [TableResult] = []
        var different: [String] = []
        for table in TransferTable.all {
            let wanted = try await digest(of: table, in: source, progress)
            if try await digest(of: table, in: target, progress) != wanted { different.append(table.name) }
            results.append(TableResult(name: table.name, rowCount: wanted.rowCount, hash: wanted.description))
        }
        guard different.isEmpty else { throw TransferError.different(tables: different) }
        return results
    }

    private func digest(
        of table: TransferTable, in library: any TransferLibrary, _ progress: Progress
    ) async throws -> RowDigest {
        var digest = RowDigest()
        var key: [TransferValue]?
        repeat {
            let rows = try await library.rows(of: table, after: key)
            for row in rows { digest.add(row, of: table) }
            key = rows.count < table.batchSize ? nil : rows.last.map { Array($0.prefix(table.keyCount)) }
            try progress(table.name, digest.rowCount)
        } while key != nil
        return digest
    }
}

/// The reason why a library cannot be copied.
package enum TransferError: Error, Hashable, Sendable {
    /// The source is the target.
    case samePlace(StorePlace)
    /// The target contains a library already.
    case notEmpty
    /// The target is an unfinished copy of another library.
    case otherSource
    /// The target refused rows of this table.
    case refused(table: String, reason: String)
    /// The contents of these tables differ.
    case different(tables: [String])
}

extension TransferError: ExplainedError {
    package var description: String {
        switch self {
        case .samePlace(let place): "the library cannot be copied to its own place, \(place)"
        case .notEmpty: "the target of the copy contains a library already; it was not changed"
        case .otherSource: "the target is an unfinished copy of a library at another place; it was not changed"
        case .refused(let table, let reason): "the table \(table) cannot be copied: \(reason)"
        case .different(let tables):
            "these tables of the copy differ from the source: \(tables.joined(separator: ", "))"
        }
    }

    package var errorKind: ErrorKind {
        switch self {
        case .samePlace: .usage
        case .notEmpty, .otherSource: .cannotCreate
        case .refused, .different: .changed
        }
    }

    package var hint: String? {
        switch self {
        case .samePlace: nil
        case .notEmpty: "give the name of a file that does not exist, or of an empty database"
        case .otherSource:
            "copy from the same place as before, or to a file that does not exist or an empty database"
        case .refused, .different:
            "the source has changed since the copy began: end the programs that use it, remove the unfinished target, and "
                + "copy again"
        }
    }
}

extension StorePlace {
    /// The place regardless of the current folder.
    fileprivate var absolute: String {
        guard case .file(let path) = self, let resolved = realpath(path, nil) else { return description }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// A hash of the rows of a table. It does not depend on their order, because engines order texts differently.
private struct RowDigest: Equatable, CustomStringConvertible {
    private(set) var rowCount = 0
    /// The sum of the SHA-256 of all rows, by words of 64 bits.
    private var sum: [UInt64] = [0, 0, 0, 0]

    mutating func add(_ row: [TransferValue], of table: TransferTable) {
        rowCount += 1
        var bytes: [UInt8] = []
        func append(_ tag: UInt8, _ number: Int64, _ content: some Sequence<UInt8> = []) {
            // The length comes before the content, so that different rows never have the same bytes.
            bytes.append(tag)
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: content)
        }
        for (column, value) in zip(table.columns, row) {
            switch value {
            // The position of the row takes the place of a number that only orders the rows.
            case .integer where column.kind == .order: append(4, Int64(rowCount))
            case .null: append(0, 0)
            case .integer(let number): append(1, number)
            case .text(let text): append(2, Int64(text.utf8.count), text.utf8)
            case .bytes(let content): append(3, Int64(content.count), content)
            }
        }
        let hash = Sodium.sha256(bytes)
        for index in sum.indices {
            sum[index] &+= hash[(index * 8)..<(index * 8 + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    var description: String {
        sum.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

extension Stores {
    /// Opens a library for reading its rows. It must be up to date.
    fileprivate static func transferSource(_ place: StorePlace, _ options: Options) async throws -> any TransferLibrary
    {
        switch place {
        case .file(let path):
            return try translating { SQLiteTransferLibrary(database: try database(path, options)) }
        case .server(let url):
            let server = try server(url, options)
            try await server.requireCurrentSchema()
            return PostgreSQLTransferLibrary(server)
        }
    }

    /// Opens a library for writing its rows: a new one, or an unfinished copy.
    fileprivate static func transferTarget(_ place: StorePlace, _ options: Options) async throws -> any TransferLibrary
    {
        switch place {
        case .file(let path):
            return try translating {
                do {
                    let migrator = migrator(path, options)
                    if try migrator.status().allSatisfy({ $0.state == .pending }) {
                        _ = try migrator.migrate(backup: false)
                    }
                    return SQLiteTransferLibrary(database: try database(path, options))
                } catch DatabaseError.unfinished {
                    return SQLiteTransferLibrary(
                        database: try Database(
                            path: path, applicationID: Schema.articlesctl.applicationID,
                            configuration: configuration(options)))
                }
            }
        case .server(let url):
            let server = try server(url, options)
            if try await !server.isUnfinished() {
                if try await !server.hasLibrary() { _ = try await migrateServer(url, options) }
                try await server.requireCurrentSchema()
            }
            return PostgreSQLTransferLibrary(server)
        }
    }

    private static func database(_ path: String, _ options: Options) throws -> Database {
        try Database(path: path, schema: .articlesctl, configuration: configuration(options))
    }
}
