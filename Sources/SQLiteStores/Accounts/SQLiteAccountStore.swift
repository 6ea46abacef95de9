import AuthService
package import Database

/// The accounts in a SQLite file. See `AccountStore`.
package struct SQLiteAccountStore: AccountStore {
    let database: LibraryFile

    /// Creates a store on the tables of `database`.
    package init(database: Database) { self.database = LibraryFile(database) }
}

extension Row {
    /// Returns the value that `parse` makes from the text in a column.
    ///
    /// - Throws: `DatabaseError.unexpectedValue` if `parse` returns nil, so that a damaged row is not confused with
    ///   wrong input.
    func value<T>(_ column: Int, as parse: (String) -> T?) throws(DatabaseError) -> T {
        let text: String = try value(column)
        guard let value = parse(text) else {
            throw .unexpectedValue(column: column, expected: "\(T.self)", sql: "a row of an account or a session")
        }
        return value
    }
}
