package import ArticleStore
import Database
import Text

/// The saved searches in the table `saved_search`.
extension SQLiteMarkRepository {
    /// Returns the saved searches of a user. See `MarkRepository`.
    /// - Throws: `StoreError`.
    package func savedSearches(of user: Int64) async throws -> [SavedSearch] {
        try database.read { try Self.savedSearches(of: user, in: $0) }
    }

    static func savedSearches(of user: Int64, in connection: some Queryable) throws -> [SavedSearch] {
        try connection.query(
            """
            SELECT l.name, l.query, o.name FROM saved_search AS l LEFT JOIN source AS o ON o.id = l.source_id
            WHERE l.user_id = ? ORDER BY l.key
            """, [Value(user)]
        ) { row in
            SavedSearch(storedName: try row.value(0), text: try row.value(1), source: try row.value(2))
        }.compactMap(\.self)
    }

    /// Saves a search. See `MarkRepository`.
    /// - Throws: `SavedSearchError.tooMany`, `StoreError`.
    package func save(_ search: SavedSearch, of user: Int64) async throws -> Bool {
        try await write(by: user) { transaction in
            let (key, name) = (Value(search.name.key), Value(search.name.name))
            let isKnown = try Self.has(search.name, of: user, in: transaction)
            let count = try transaction.first("SELECT count(*) FROM saved_search WHERE user_id = ?", [Value(user)]) {
                try $0.value(0) as Int
            }
            guard isKnown || count ?? 0 < SavedSearch.most else { throw SavedSearchError.tooMany }
            try transaction.run(
                """
                INSERT OR REPLACE INTO saved_search (user_id, key, name, query, source_id)
                VALUES (?, ?, ?, ?, (SELECT id FROM source WHERE name_key = ?))
                """,
                [Value(user), key, name, Value(search.text), Value(search.saved.source.map { FoldedKey.fold($0) })])
            return !isKnown
        } ?? false
    }

    /// Gives a saved search another name. See `MarkRepository`.
    /// - Throws: `SavedSearchError.nameIsTaken`, `StoreError`.
    package func renameSavedSearch(_ old: TagName, to new: TagName, of user: Int64) async throws -> Bool {
        try await write(by: user) { transaction in
            guard try Self.has(old, of: user, in: transaction) else { return false }
            guard try old == new || !Self.has(new, of: user, in: transaction) else {
                throw SavedSearchError.nameIsTaken(new)
            }
            try transaction.run(
                "UPDATE saved_search SET key = ?3, name = ?4 WHERE user_id = ?1 AND key = ?2",
                [Value(user), Value(old.key), Value(new.key), Value(new.name)])
            return true
        } ?? false
    }

    /// Removes a saved search. See `MarkRepository`.
    /// - Throws: `StoreError`.
    package func removeSavedSearch(_ name: TagName, of user: Int64) async throws -> Bool {
        try await write(by: user) { transaction in
            let isKnown = try Self.has(name, of: user, in: transaction)
            try transaction.run(
                "DELETE FROM saved_search WHERE user_id = ? AND key = ?", [Value(user), Value(name.key)])
            return isKnown
        } ?? false
    }

    private static func has(_ name: TagName, of user: Int64, in transaction: Transaction) throws -> Bool {
        try transaction.first(
            "SELECT 1 FROM saved_search WHERE user_id = ? AND key = ?", [Value(user), Value(name.key)]
        ) { _ in true } == true
    }
}
