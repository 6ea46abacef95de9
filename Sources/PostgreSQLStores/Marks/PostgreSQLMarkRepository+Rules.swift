package import ArticleStore
internal import PostgreSQL

/// The rules in the tables `rule` and `rule_position`.
extension PostgreSQLMarkRepository {
    private static let columns = "r.name, r.source_id, r.search, r.address, r.pattern, r.actions"

    /// Returns the rules of a user. See `MarkRepository`.
    package func rules(of user: Int64) async throws -> [Rule] {
        try await server.query(
            Statement("SELECT \(Self.columns) FROM rule AS r WHERE user_id = $1 ORDER BY key", [.integer(user)])
        ) { try Self.rule($0, at: 0) }.compactMap(\.self)
    }

    /// Saves a rule. See `MarkRepository`.
    package func save(_ rule: Rule, replacing old: TagName?, of user: Int64) async throws -> Bool {
        try await write(by: user) { transaction in
            let rows = try await transaction.run([
                Statement("SELECT key FROM rule WHERE user_id = $1", [.integer(user)])
            ])
            let known = try rows[0].map { try $0.value(0) as String }
            let isNew = !known.contains(rule.name.key)
            guard !isNew || known.count(where: { $0 != old?.key }) < Rule.most else { throw RuleError.tooMany }
            let condition = rule.condition
            // The position of a user without rules is old.
            let update = known.isEmpty ? "UPDATE SET applied_to = excluded.applied_to" : "NOTHING"
            _ = try await transaction.run([
                Statement(
                    """
                    INSERT INTO rule_position (user_id, applied_to)
                    SELECT $1, coalesce(max(id), 0) FROM article ON CONFLICT (user_id) DO \(update)
                    """, [.integer(user)]),
                Statement(
                    "DELETE FROM rule WHERE user_id = $1 AND key = $2", [.integer(user), Value(anyText: old?.key)]),
                Statement(
                    """
                    INSERT INTO rule (user_id, key, name, source_id, search, address, pattern, actions)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                    ON CONFLICT (user_id, key) DO UPDATE SET name = excluded.name, source_id = excluded.source_id,
                        search = excluded.search, address = excluded.address, pattern = excluded.pattern,
                        actions = excluded.actions
                    """,
                    [
                        .integer(user), Value(anyText: rule.name.key), Value(anyText: rule.name.name),
                        Value(condition.source), Value(anyText: condition.search?.text),
                        Value(anyText: condition.address), Value(anyText: condition.pattern?.text),
                        Value(anyText: rule.storedActions),
                    ]),
            ])
            return isNew
        } ?? false
    }

    /// Removes a rule. See `MarkRepository`.
    package func removeRule(_ name: TagName, of user: Int64) async throws -> Bool {
        try await write(by: user) { transaction in
            let rows = try await transaction.run([
                Statement(
                    "DELETE FROM rule WHERE user_id = $1 AND key = $2 RETURNING key",
                    [.integer(user), Value(anyText: name.key)])
            ])
            return !rows[0].isEmpty
        } ?? false
    }

    /// Returns the rules that wait for an application. See `MarkRepository`.
    package func waitingRules() async throws -> [UserRules] {
        let rows = try await server.query(
            Statement(
                """
                SELECT p.user_id, p.applied_to, \(Self.columns) FROM rule_position AS p
                JOIN rule AS r ON r.user_id = p.user_id
                WHERE p.applied_to < (SELECT max(id) FROM article) ORDER BY p.user_id, r.key
                """)
        ) { (user: try $0.value(0) as Int64, appliedTo: try $0.value(1) as Int64, rule: try Self.rule($0, at: 2)) }
        return UserRules.grouping(rows)
    }

    /// Records how far rules were applied. See `MarkRepository`.
    package func recordRules(of users: [Int64], appliedTo article: Int64) async throws {
        try await server.write([
            Statement(
                "UPDATE rule_position SET applied_to = $2 WHERE user_id = ANY ($1) AND applied_to < $2",
                [.integers(users), .integer(article)])
        ])
    }

    private static func rule(_ row: Row, at start: Int) throws -> Rule? {
        Rule(
            storedName: try row.anyText(start),
            condition: RuleCondition(
                source: try row.value(start + 1), storedSearch: try row.optionalText(start + 2),
                address: try row.optionalText(start + 3), pattern: try row.optionalText(start + 4)),
            actions: try row.anyText(start + 5))
    }
}
