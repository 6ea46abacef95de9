import AuthService
package import Database

/// The accounts in a SQLite file. See `AccountStore`.
package struct SQLiteAccountStore: AccountStore {
    let database: LibraryFile

    /// Creates a store on the tables of `database`.
    package init(database: Database) { self.database = LibraryFile(database) }
}
