package import ArticleStore
package import Database
internal import Text

/// The SQLite file of a library, for the repositories. It converts each error of SQLite to a `StoreError`.
struct LibraryFile: Sendable {
    /// The file.
    let database: Database

    init(_ database: Database) { self.database = database }

    func read<T: Sendable>(_ body: (Snapshot) throws -> T) throws -> T {
        try translating { try database.read(body) }
    }

    @discardableResult
    func write<T: Sendable>(
        timeout: Double? = nil, isDurable: Bool = true, overwritesFreedPages: Bool = true,
        _ body: (Transaction) throws -> T
    ) async throws -> T {
        do {
            return try await database.write(
                timeout: timeout, isDurable: isDurable, overwritesFreedPages: overwritesFreedPages, body)
        } catch let error as DatabaseError {
            throw StoreError(error)
        }
    }
}

extension LibraryFile: Queryable {
    func forEach(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try translating { try database.forEach(sql, values, body) }
    }

    func forFirst(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try translating { try database.forFirst(sql, values, body) }
    }
}

/// Converts errors of SQLite to a `StoreError`.
func translating<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as DatabaseError {
        throw StoreError(error)
    }
}

extension Value {
    /// Creates a JSON array of numbers, for `json_each`.
    init(list numbers: [Int64]) {
        var list = "["
        for number in numbers {
            if list.utf8.count > 1 { list += "," }
            list += String(number)
        }
        self.init(list + "]")
    }

    /// Creates a JSON array, for `json_each`. A text with a NUL becomes null: SQLite would end the text there, and
    /// find another row.
    init(list values: [JSON]) { self.init(JSON.array(values.map(\.withoutNULs)).description) }
}

extension JSON {
    fileprivate var withoutNULs: JSON {
        switch self {
        case .string(let text) where text.utf8.contains(0): .null
        case .array(let values): .array(values.map(\.withoutNULs))
        default: self
        }
    }
}

/// The versions of a library in a file. See `LibraryVersions`.
package struct SQLiteLibraryVersions: LibraryVersions {
    private let database: Database

    /// Creates the versions of the library in `database`.
    package init(database: Database) { self.database = database }

    /// Returns the present version. See `LibraryVersions`.
    package func current() async throws -> LibraryVersion? {
        try translating { try database.version() }.map { LibraryVersion(String($0)) }
    }
}
