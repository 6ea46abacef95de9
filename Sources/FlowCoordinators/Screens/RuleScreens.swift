internal import ArticleStore
internal import Text

extension Screen {
    /// The user's rules.
    ///
    /// - Parameter mayChange: whether the user may save rules.
    static func rules(_ rules: [Rule], of sources: [Source], mayChange: Bool) -> Screen {
        let columns: [ListColumn<Rule>] = [
            .init("Name", .primary, \.name.name),
            .init("Effect", .fact) { $0.words(source: $0.condition.sourceName(among: sources)) },
        ]
        return Screen(
            title: "Rules",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: rules.map { rule in
                        List.Row(
                            columns.map { $0.cell(rule) },
                            event: .open(.savingRule(RuleDraft(rule: rule.name.name, [:]))), id: rule.name.key)
                    },
                    placeholder:
                        "You have no rules. A rule hides articles when they arrive, marks them as read, stars them, "
                        + "saves them for later, or gives them your tags.",
                    choice: "Change the rule")),
            actions: mayChange ? [Action("New rule", .open(.savingRule()))] : [])
    }

    /// The form that saves a new rule, or changes or removes a saved one.
    static func savingRule(_ draft: RuleDraft) -> Screen {
        func field(
            _ name: FieldName, _ label: String, kind: Form.Field.Kind = .text, _ hint: String? = nil,
            default value: String = "", check: (@Sendable (Answers) -> Form.Field.Verdict)? = nil
        ) -> Form.Field {
            Form.Field(name, label, kind: kind, value: draft.texts[name] ?? value, hint: hint, check: check)
        }
        var actions: [Action] = []
        if draft.hasMetArticles { actions.append(Action("Show the articles", .open(.ruleTrial(draft)))) }
        if let rule = draft.rule {
            actions.append(Action("Remove", .ruleRemovalChosen(rule), confirmation: "Remove the rule “\(rule)”?"))
        }
        return Screen(
            title: draft.rule.map { "Change the rule “\($0)”" } ?? "New rule",
            content: .form(
                Form(
                    [
                        field(.name, "Name", "A few words, such as Ads.") { answers in
                            .init(on: answers[.name]) { _ = try TagName($0, for: .rule) }
                        },
                        field(
                            .words, "Words",
                            "Only articles that this search finds, such as title:release. An article must meet all conditions "
                                + "that you fill in."),
                        field(.source, "Source", "Only articles of the source with this name."),
                        field(
                            .address, "Part of the address",
                            "Only articles with this text in the address of the original."),
                        field(
                            .field, "Pattern in", kind: .choice(RulePattern.Field.allCases.map(\.choice)),
                            "The part of the article in which the pattern is searched for.",
                            default: RulePattern.Field.title.rawValue),
                        field(
                            .pattern, "Pattern", "Only articles that match this regular expression, such as ^sponsored."
                        ) { answers in
                            .init(on: answers[.pattern]) { _ = try RulePattern("\(answers[.field] ?? ""):\($0)") }
                        },
                        field(
                            .hide, "Hide", kind: .toggle, "Omit the articles from your lists, and mark them as read."),
                        field(.read, "Mark as read", kind: .toggle), field(.star, "Star", kind: .toggle),
                        field(.later, "Read later", kind: .toggle),
                        field(.tags, "Tags", "Your tags for the articles, separated by commas."),
                    ], submitLabel: "Save", trialLabel: "Try")),
            actions: actions)
    }

    /// The articles that the condition of a rule meets.
    static func ruleTrial(_ trial: RuleTrial) -> Screen {
        let columns: [ListColumn<ArticleSummary>] = [
            .init("Published", .fact, value: { .day($0.published, offset: $0.publishedOffset) }),
            .init("Title", .primary, \.title),
            .init("Source", .origin, \.source),
        ]
        return Screen(
            title: "\(trial.met.count) of the last \(trial.examined.quantity(of: "article"))",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: trial.met.map { article in
                        List.Row(
                            columns.map { $0.cell(article) }, event: .open(.article(ArticleReference(to: article))),
                            id: String(article.id))
                    },
                    placeholder: "No article meets the condition.", choice: "Read")))
    }
}

extension RulePattern.Field {
    fileprivate var choice: Form.Field.Choice {
        let label =
            switch self {
            case .title: "The title"
            case .author: "The author"
            case .tag: "A tag"
            case .address: "The address"
            case .text: "The text"
            }
        return Form.Field.Choice(value: rawValue, label: label)
    }
}

extension Notice {
    /// Describes the result of trying a rule, with the titles of some articles.
    init(_ trial: RuleTrial) {
        let titles = trial.met.prefix(3).map { "“\($0.title.shortened(to: 60))”" }.joined(separator: ", ")
        self.init(trial.words + (titles.isEmpty ? "" : " The latest: \(titles)."))
    }

    /// Describes an error in the form of a rule, at its field.
    init(ofRule error: any Error) {
        let field: FieldName? =
            switch error {
            case let error as RuleError: error.field
            case let error as TagError: error.use == .rule ? .name : .tags
            case is SourceError: .source
            default: nil
            }
        self.init(error, at: field)
    }
}

extension RuleError {
    /// The field of the form in which the error is; nil if it is in none.
    fileprivate var field: FieldName? {
        switch self {
        case .nameIsTaken: .name
        case .noAction: .hide
        case .noCondition, .invalidSearch, .longSearch, .marksInSearch: .words
        case .invalidAddress: .address
        case .invalidPattern, .noPatterns: .pattern
        case .noRule, .tooMany, .invalidAction, .longForm: nil
        }
    }
}
