import ArticleStore
import HTTPServer
import LibraryServices
import Text

/// Operations on the caller's rules.
extension Operation {
    private static let tag = "marks"

    static let rules: [Operation] = [
        Operation(
            "listRules", .get, "rules", "Lists the rules for new articles", tag: tag, access: .anyUser,
            answer: .init(.ok, "all rules", .object([.init("rules", .array(.rule))]))
        ) { call in
            let rules = try await call.marking.rules()
            let sources = try await call.services.articles.sources()
            return HTTPResponse(json: [
                "rules": .array(
                    rules.map { rule in JSON(rule, source: rule.condition.sourceName(among: sources)) })
            ])
        },
        Operation(
            "saveRule", .put, "rules/{rule}", "Saves a rule, or replaces the one with this name", tag: tag,
            access: .userWithWriteScope, body: .ruleInput,
            answer: .init(.ok, "the rule, which applies to the articles that arrive from now on", .rule),
            refusals: [.conflict, .notFound, .unprocessableContent]
        ) { call in
            let actions = try (call.body["actions"]?.strings ?? []).map { try RuleAction($0) }
            let rule = try Rule(
                name: try TagName(call.path["rule"] ?? "", for: .rule), condition: try await condition(call),
                actions: actions)
            try await call.marking.save(rule)
            return HTTPResponse(json: JSON(rule, source: call.body["source"]?.string))
        },
        Operation(
            "tryRule", .post, "rule-trial", "Returns which of the last articles a condition would have met", tag: tag,
            access: .anyUser, body: .ruleCondition, answer: .init(.ok, "the result", .ruleTrial),
            refusals: [.notFound, .unprocessableContent], isExpensive: { _ in true }
        ) { call in
            let trial = try await call.services.articles.trial(
                of: try await condition(call), now: call.services.clock())
            return HTTPResponse(json: JSON(trial))
        },
        Operation(
            "removeRule", .delete, "rules/{rule}", "Removes a rule; the marks that it has given stay", tag: tag,
            access: .userWithWriteScope, answer: .init(.noContent, "the rule was removed")
        ) { call in
            try await call.marking.removeRule(call.path["rule"] ?? "")
            return .done
        },
    ]

    /// Returns the condition of a body.
    private static func condition(_ call: Call) async throws -> RuleCondition {
        try await call.services.articles.ruleCondition(
            source: call.body["source"]?.string, search: call.body["search"]?.string,
            address: call.body["address"]?.string, pattern: call.body["pattern"]?.string)
    }
}
