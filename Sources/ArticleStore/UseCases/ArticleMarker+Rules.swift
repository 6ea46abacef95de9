import Text

/// The rules of the user.
extension ArticleMarker {
    /// Returns the rules, ordered by their names.
    ///
    /// - Throws: the errors of the repository.
    package func rules() async throws -> [Rule] { try await marks.rules(of: userID) }

    /// Returns the rule with a name.
    ///
    /// - Throws: ``RuleError/noRule(_:)``, and the errors of the repository.
    package func rule(named text: String) async throws -> Rule { try await rules(named: [text])[0] }

    /// Returns the rules with these names, in this order.
    ///
    /// - Throws: ``RuleError/noRule(_:)`` if one does not exist, and the errors of the repository.
    package func rules(named texts: [String]) async throws -> [Rule] {
        let rules = try await rules()
        return try texts.map { text throws(RuleError) in
            let name = try? TagName(text)
            guard let rule = rules.first(where: { $0.name == name }) else { throw RuleError.noRule(text) }
            return rule
        }
    }

    /// Saves a rule for the articles that arrive from now on. A rule with the same name is replaced.
    ///
    /// - Returns: whether the name is new.
    /// - Throws: the refusal, ``RuleError/tooMany``, and the errors of the repository.
    @discardableResult
    package func save(_ rule: Rule) async throws -> Bool {
        if let refusal { throw refusal }
        try await applyRules()
        return try await marks.save(rule, of: userID)
    }

    /// Saves a new rule, or changes one, which may get another name.
    ///
    /// - Parameter old: the rule to change; nil for a new rule.
    /// - Throws: the refusal, ``RuleError/nameIsTaken(_:)``, ``RuleError/tooMany``, and the errors of the repository.
    package func save(_ rule: Rule, changing old: Rule?) async throws {
        if let refusal { throw refusal }
        guard try await !rules().contains(where: { $0.name == rule.name && $0.name != old?.name }) else {
            throw RuleError.nameIsTaken(rule.name)
        }
        try await applyRules()
        _ = try await marks.save(rule, replacing: old?.name, of: userID)
    }

    /// Applies the present rules. A rule that is saved next must not meet the articles that have arrived already.
    private func applyRules() async throws {
        do {
            try await RuleApplier(articles: articles, marks: marks, clock: clock).apply()
        } catch is RuleError {
            // Without PCRE2, no rule is applied. It is not needed to save one.
        }
    }

    /// Removes a rule. The marks that it has given stay.
    ///
    /// - Throws: the refusal, ``RuleError/noRule(_:)``, and the errors of the repository.
    package func removeRule(_ text: String) async throws {
        if let refusal { throw refusal }
        guard let name = try? TagName(text), try await marks.removeRule(name, of: userID) else {
            throw RuleError.noRule(text)
        }
    }
}
