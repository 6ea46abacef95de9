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
    package func rule(named text: String) async throws -> Rule {
        let name = try? TagName(text)
        guard let rule = try await rules().first(where: { $0.name == name }) else { throw RuleError.noRule(text) }
        return rule
    }

    /// Saves a rule for the articles that arrive from now on. A rule with the same name is replaced.
    ///
    /// - Returns: whether the name is new.
    /// - Throws: the refusal, ``RuleError/tooMany``, and the errors of the repository.
    @discardableResult
    package func save(_ rule: Rule) async throws -> Bool {
        if let refusal { throw refusal }
        // The articles that have arrived already concern the other rules only.
        try await RuleApplier(articles: articles, marks: marks, clock: clock).apply()
        return try await marks.save(rule, of: userID)
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
