package import ArticleStore
internal import PostgreSQL
internal import Text

/// The saved searches in the table `saved_search`.
extension PostgreSQLMarkRepository {
    /// Returns the saved searches of a user. See `MarkRepository`.
    package func savedSearches(of user: Int64) async throws -> [SavedSearch] {
        try await server.query(Self.selectSearches(of: user), Self.search).compactMap(\.self)
    }

    static func selectSearches(of user: Int64) -> Statement {
        Statement(
            """
            SELECT l.name, l.query, o.name FROM saved_search AS l LEFT JOIN source AS o ON o.id = l.source_id
            WHERE l.user_id = $1 ORDER BY l.key
            """, [.integer(user)])
    }

    static func search(_ row: Row) throws -> SavedSearch? {
        SavedSearch(storedName: try row.value(0), text: try row.value(1), source: try row.value(2))
    }

    /// Saves a search. See `MarkRepository`.
    package func save(_ search: SavedSearch, of user: Int64) async throws -> Bool {
        try await write(by: user) { transaction in
            let known = try await Self.keys(of: user, in: transaction)
            let isKnown = known.contains(search.name.key)
            guard isKnown || known.count < SavedSearch.most else { throw SavedSearchError.tooMany }
            _ = try await transaction.run([
                Statement(
                    """
                    INSERT INTO saved_search (user_id, key, name, query, source_id)
                    VALUES ($1, $2, $3, $4, (SELECT id FROM source WHERE name_key = $5))
                    ON CONFLICT (user_id, key) DO UPDATE
                    SET name = excluded.name, query = excluded.query, source_id = excluded.source_id
                    """,
                    [
                        .integer(user), Value(search.name.key), Value(search.name.name), Value(search.text),
                        Value(search.saved.source.map { FoldedKey.fold($0) }),
                    ])
            ])
            return !isKnown
        } ?? false
    }

    /// Gives a saved search another name. See `MarkRepository`.
    package func renameSavedSearch(_ old: TagName, to new: TagName, of user: Int64) async throws -> Bool {
        try await write(by: user) { transaction in
            let known = try await Self.keys(of: user, in: transaction)
            guard known.contains(old.key) else { return false }
            guard old == new || !known.contains(new.key) else { throw SavedSearchError.nameIsTaken(new) }
            _ = try await transaction.run([
                Statement(
                    "UPDATE saved_search SET key = $3, name = $4 WHERE user_id = $1 AND key = $2",
                    [.integer(user), Value(old.key), Value(new.key), Value(new.name)])
            ])
            return true
        } ?? false
    }

    /// Removes a saved search. See `MarkRepository`.
    package func removeSavedSearch(_ name: TagName, of user: Int64) async throws -> Bool {
        try await write(by: user) { transaction in
            let known = try await Self.keys(of: user, in: transaction)
            _ = try await transaction.run([
                Statement(
                    "DELETE FROM saved_search WHERE user_id = $1 AND key = $2", [.integer(user), Value(name.key)])
            ])
            return known.contains(name.key)
        } ?? false
    }

    private static func keys(of user: Int64, in transaction: Transaction) async throws -> Set<String> {
        let rows = try await transaction.run([
            Statement("SELECT key FROM saved_search WHERE user_id = $1", [.integer(user)])
        ])
        return Set(try rows[0].map { try $0.value(0) })
    }
}
