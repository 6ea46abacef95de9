internal import ArticleStore
internal import Text

/// The texts in the form of a rule. They are the parameters of its path.
public struct RuleDraft: Hashable, Sendable {
    /// The name of the saved rule that the form changes; nil for a new rule.
    public let rule: String?
    /// The texts by field, without empty ones.
    let texts: [FieldName: String]
    /// Whether the user has tried the condition, and it met articles.
    var hasMetArticles = false

    /// The fields for actions without a value.
    static let toggles: [FieldName] = [.hide, .read, .star, .later]
    /// The fields, in their order in the form and in the path.
    private static let fields: [FieldName] =
        [.name, .words, .source, .address, .field, .pattern] + toggles + [.tags]
    /// The maximum number of Unicode scalars in a text, so that a path is not too long.
    private static let longest = 2_000
    /// The maximum number of bytes of a path that contains a draft. A request and a response have at most 8,192 in their head.
    static let longestPath = 6_000

    private static let (ruleName, hasMetArticlesName) = ("rule", "met")

    /// Creates the draft of a new rule without any text.
    public init() { (rule, texts) = (nil, [:]) }

    /// Creates a draft.
    ///
    /// - Parameters:
    ///   - rule: the name of the saved rule that the form changes; nil for a new rule.
    ///   - texts: the texts by field.
    package init(rule: String?, _ texts: [FieldName: String]) {
        self.rule = rule
        var texts = texts.filter { Self.fields.contains($0.key) && !$0.value.isEmpty }
        if texts[.pattern] == nil { texts[.field] = nil }
        self.texts = texts.mapValues { String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.longest))) }
    }

    /// Creates the draft of a rule with the answers of a form.
    init(rule: String?, _ answers: Answers) {
        var texts: [FieldName: String] = [:]
        // In a pattern, spaces at the ends matter.
        for field in Self.fields { texts[field] = answers[field].map { field == .pattern ? $0 : String($0.trimmed) } }
        self.init(rule: rule, texts)
    }

    /// Creates the draft of a rule for the articles of a list; nil if no condition of the list can be one of a rule.
    init?(_ query: ArticleQuery) {
        let typed = query.search?.typed
        let labels = [("author", query.author), ("tag", query.tag)].compactMap { kind, name in
            // A phrase cannot contain quotation marks, and finds the same words without them.
            name.map { "\(kind):\"\($0.replacing("\"", with: " "))\"" }
        }
        let words = labels + [labels.isEmpty ? typed : typed.map { "(\($0))" }].compactMap(\.self)
        guard query.source != nil || !words.isEmpty else { return nil }
        self.init(rule: nil, [.source: query.source ?? "", .words: words.joined(separator: " ")])
    }

    /// Creates the draft of a saved rule.
    ///
    /// - Parameter source: the name of its source.
    init(_ rule: Rule, source: String?) {
        let (condition, pattern) = (rule.condition, rule.condition.pattern)
        var texts: [FieldName: String] = [
            .name: rule.name.name, .source: source ?? "", .words: condition.search?.text ?? "",
            .address: condition.address ?? "", .field: pattern?.field.rawValue ?? "",
            .pattern: pattern?.expression ?? "",
        ]
        var tags: [String] = []
        for action in rule.actions {
            switch action {
            case .hide: texts[.hide] = Form.Field.on
            case .markRead: texts[.read] = Form.Field.on
            case .star: texts[.star] = Form.Field.on
            case .saveForLater: texts[.later] = Form.Field.on
            case .tag(let tag): tags.append(tag.name)
            }
        }
        texts[.tags] = tags.joined(separator: ", ")
        self.init(rule: rule.name.name, texts)
    }

    /// Creates a draft from the parameters of a path, and removes these parameters; nil if a value is invalid.
    init?(_ parameters: inout [String: String]) {
        var texts: [FieldName: String] = [:]
        for field in Self.fields { texts[field] = parameters.removeValue(forKey: field.rawValue) }
        let flags = Self.toggles.map { texts[$0] } + [parameters.removeValue(forKey: Self.hasMetArticlesName)]
        guard flags.allSatisfy({ $0 == nil || $0 == Form.Field.on }) else { return nil }
        self.init(rule: parameters.removeValue(forKey: Self.ruleName), texts)
        hasMetArticles = flags.last == Form.Field.on
    }

    /// The parameters of the path.
    var parameters: [(name: String, value: String)] {
        let texts = Self.fields.compactMap { field in self.texts[field].map { (name: field.rawValue, value: $0) } }
        return (rule.map { [(Self.ruleName, $0)] } ?? []) + texts
            + (hasMetArticles ? [(Self.hasMetArticlesName, Form.Field.on)] : [])
    }
}

extension RuleDraft {
    /// The name.
    ///
    /// - Throws: `TagError`.
    var name: TagName {
        get throws { try TagName(texts[.name] ?? "", for: .rule) }
    }

    /// The actions.
    ///
    /// - Throws: `TagError`.
    var actions: [RuleAction] {
        get throws {
            let simple: [(FieldName, RuleAction)] = [
                (.hide, .hide), (.read, .markRead), (.star, .star), (.later, .saveForLater),
            ]
            let tags = NameField.names(in: texts[.tags] ?? "")
            return try simple.filter { texts[$0.0] == Form.Field.on }.map(\.1) + tags.map { .tag(try TagName($0)) }
        }
    }

    /// Returns the condition.
    ///
    /// - Throws: `RuleError`, `SourceError.noSource`, and the errors of the library.
    func condition(in articles: any ArticleRepository) async throws -> RuleCondition {
        try await articles.ruleCondition(
            source: texts[.source], search: texts[.words], address: texts[.address],
            pattern: texts[.pattern].map { (texts[.field] ?? "") + ":" + $0 })
    }

    /// Returns the rule.
    ///
    /// - Throws: `RuleError`, `TagError`, `SourceError.noSource`, and the errors of the library.
    func rule(in articles: any ArticleRepository) async throws -> Rule {
        try Rule(name: try name, condition: try await condition(in: articles), actions: try actions)
    }
}
