package import ArticleStore
import Database

/// The rules in the tables `rule` and `rule_position`.
extension SQLiteMarkRepository {
    private static let columns = "r.name, r.source_id, r.search, r.address, r.pattern, r.actions"

    /// Returns the rules of a user. See `MarkRepository`.
    /// - Throws: `StoreError`.
    package func rules(of user: Int64) async throws -> [Rule] {
        try database.query("SELECT \(Self.columns) FROM rule AS r WHERE user_id = ? ORDER BY key", [Value(user)]) {
            try Self.rule($0, at: 0)
        }.compactMap(\.self)
    }

    /// Saves a rule. See `MarkRepository`.
    /// - Throws: `RuleError.tooMany`, `StoreError`.
    package func save(_ rule: Rule, replacing old: TagName?, of user: Int64) async throws -> Bool {
        try await write(by: user) { transaction in
            let known = try transaction.query("SELECT key FROM rule WHERE user_id = ?", [Value(user)]) {
                try $0.value(0) as String
            }
            let isNew = !known.contains(rule.name.key)
            guard !isNew || known.count(where: { $0 != old?.key }) < Rule.most else { throw RuleError.tooMany }
            // The position of a user without rules is old.
            try transaction.run(
                "INSERT OR \(known.isEmpty ? "REPLACE" : "IGNORE") INTO rule_position (user_id, applied_to) "
                    + "VALUES (?, (\(SQLiteArticleRepository.lastNumber)))", [Value(user)])
            if let old {
                try transaction.run("DELETE FROM rule WHERE user_id = ? AND key = ?", [Value(user), Value(old.key)])
            }
            let condition = rule.condition
            try transaction.run(
                """
                INSERT OR REPLACE INTO rule (user_id, key, name, source_id, search, address, pattern, actions)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    Value(user), Value(rule.name.key), Value(rule.name.name), Value(condition.source),
                    Value(condition.search?.text), Value(condition.address), Value(condition.pattern?.text),
                    Value(rule.storedActions),
                ])
            return isNew
        } ?? false
    }

    /// Removes a rule. See `MarkRepository`.
    /// - Throws: `StoreError`.
    package func removeRule(_ name: TagName, of user: Int64) async throws -> Bool {
        try await write(by: user) { transaction in
            try transaction.run("DELETE FROM rule WHERE user_id = ? AND key = ?", [Value(user), Value(name.key)]) > 0
        } ?? false
    }

    /// Returns the rules that wait for an application. See `MarkRepository`.
    /// - Throws: `StoreError`.
    package func waitingRules() async throws -> [UserRules] {
        let rows = try database.query(
            """
            SELECT p.user_id, p.applied_to, \(Self.columns) FROM rule_position AS p
            CROSS JOIN rule AS r ON r.user_id = p.user_id
            WHERE p.applied_to < (\(SQLiteArticleRepository.lastNumber)) ORDER BY p.user_id, r.key
            """, []
        ) { (user: try $0.value(0) as Int64, appliedTo: try $0.value(1) as Int64, rule: try Self.rule($0, at: 2)) }
        return UserRules.grouping(rows)
    }

    /// Records how far rules were applied. See `MarkRepository`.
    /// - Throws: `StoreError`.
    package func recordRules(of users: [Int64], appliedTo article: Int64) async throws {
        try await database.write { transaction in
            try transaction.run(
                """
                UPDATE rule_position SET applied_to = ?2
                WHERE user_id IN (SELECT value FROM json_each(?1)) AND applied_to < ?2
                """, [Value(list: users), Value(article)])
        }
    }

    private static func rule(_ row: Row, at start: Int) throws -> Rule? {
        Rule(
            storedName: try row.value(start),
            condition: RuleCondition(
                source: try row.value(start + 1), storedSearch: try row.value(start + 2),
                address: try row.value(start + 3), pattern: try row.value(start + 4)),
            actions: try row.value(start + 5))
    }
}
