public import ArticleStore
import Synchronization

extension MemoryArticles {
    /// Returns the rules of a user. See `MarkRepository`.
    public func rules(of user: Int64) async throws -> [Rule] {
        guard isReader(user) else { return [] }
        let sources = Set(try await sources().map(\.id))
        return rules.withLock { rules in
            // Rules for a source are removed with it.
            rules[user]?.rules.removeAll { $0.condition.source.map { !sources.contains($0) } ?? false }
            return rules[user]?.rules ?? []
        }.sorted { $0.name < $1.name }
    }

    /// Saves a rule. See `MarkRepository`.
    public func save(_ rule: Rule, replacing old: TagName?, of user: Int64) async throws -> Bool {
        guard isReader(user) else { return false }
        let known = try await rules(of: user)
        let last = everything.keys.max() ?? 0
        return try rules.withLock { rules in
            let others = known.filter { $0.name != rule.name && $0.name != old }
            let isNew = !known.contains { $0.name == rule.name }
            guard !isNew || others.count < Rule.most else { throw RuleError.tooMany }
            let position = known.isEmpty ? last : rules[user]?.appliedTo ?? last
            rules[user] = UserRules(user: user, appliedTo: position, rules: others + [rule])
            return isNew
        }
    }

    /// Removes a rule. See `MarkRepository`.
    public func removeRule(_ name: TagName, of user: Int64) async throws -> Bool {
        rules.withLock { rules in
            let count = rules[user]?.rules.count
            rules[user]?.rules.removeAll { $0.name == name }
            return rules[user]?.rules.count != count
        }
    }

    /// Returns the rules that wait for an application. See `MarkRepository`.
    public func waitingRules() async throws -> [UserRules] {
        let last = everything.keys.max() ?? 0
        var waiting: [UserRules] = []
        for user in rules.withLock({ $0.values.sorted { $0.user < $1.user } }) where user.appliedTo < last {
            let known = try await rules(of: user.user)
            if !known.isEmpty { waiting.append(UserRules(user: user.user, appliedTo: user.appliedTo, rules: known)) }
        }
        return waiting
    }

    /// Records how far rules were applied. See `MarkRepository`.
    public func recordRules(of users: [Int64], appliedTo article: Int64) async throws {
        rules.withLock { rules in
            for user in users {
                guard let known = rules[user], known.appliedTo < article else { continue }
                rules[user] = UserRules(user: user, appliedTo: article, rules: known.rules)
            }
        }
    }
}
