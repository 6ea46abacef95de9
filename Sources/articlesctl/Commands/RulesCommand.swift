import Arguments
import ArticleStore
import AuthService
import LibraryServices
import Terminal
import Text

/// `rules`: manages the user's rules for new articles.
struct RulesCommand: Command {
    private enum Task {
        case list
        case save(TagName, [RuleAction])
        case tryOut(String?, last: Int)
        case remove([String])
    }

    private static let nameArgument = ArgumentSpec(
        name: "NAME", summary: "the name of the rule; case is ignored", values: .names(.rule))

    private static let conditions = [
        OptionSpec(name: "search", summary: "only articles with all these words; see “help search”", value: "TEXT"),
        OptionSpec(name: "source", summary: "only articles of this source", value: "NAME", values: .names(.source)),
        OptionSpec(
            name: "address", summary: "only articles with this text in the address of the original", value: "TEXT"),
        OptionSpec(
            name: "pattern",
            summary:
                "only articles in which this regular expression matches a title, an author, a tag, the address, or "
                + "the text, such as “title:^sponsored”", value: "FIELD:PATTERN"),
    ]

    static let name = "rules"
    static let spec = CommandSpec(
        name: name, summary: "list, save, try, or remove rules for the articles that arrive",
        discussion: """
            A rule marks articles for you when they arrive: it hides them, marks them as read, stars them, saves them for \
            later, or gives them your tags. An article must meet all conditions of the rule. Other users do not see your \
            rules or their effects. “rules try” shows which of the last articles a rule would have met.

            A hidden article is read, and your lists and searches leave it out; list --hidden lists it, and “mark \
            not-hidden” shows it again. A rule does not change the articles that are in the library already: use mark, \
            star, or tag with --search for them.

            Patterns are regular expressions of PCRE2 and ignore case. The time for each article is limited: a pattern that \
            exceeds the limit does not match.
            """,
        subcommands: [
            CommandSpec(name: "list", summary: "list your rules"),
            CommandSpec(
                name: "save", summary: "save a rule, or replace the one with this name",
                discussion: "Pass at least one condition and one action.",
                arguments: [ArgumentSpec(name: "NAME", summary: "a few words", values: .names(.rule))],
                options: conditions + [
                    OptionSpec(name: "hide", summary: "mark the articles as read, and hide them from your lists"),
                    OptionSpec(name: "read", summary: "mark the articles as read"),
                    OptionSpec(name: "star", summary: "star the articles"),
                    OptionSpec(name: "later", summary: "save the articles for later"),
                    OptionSpec(
                        name: "tag", summary: "give the articles one of your tags; may be repeated", value: "TAG",
                        isRepeating: true),
                ]),
            CommandSpec(
                name: "try", summary: "show which of the last articles a rule or a condition would have met",
                discussion: "Pass the name of a rule, or the conditions of a new one. Nothing is changed.",
                arguments: [
                    ArgumentSpec(
                        name: "NAME", summary: nameArgument.summary, isRequired: false, values: .names(.rule))
                ],
                options: conditions + [
                    OptionSpec(
                        name: "last", summary: "the number of articles, up to 10000", value: "NUMBER",
                        defaultValue: String(RuleTrial.articles))
                ]),
            CommandSpec(
                name: "remove", aliases: ["rm"], summary: "remove rules; the marks that they have given stay",
                arguments: [
                    ArgumentSpec(
                        name: "NAME", summary: nameArgument.summary, isRepeating: true, values: nameArgument.values)
                ]),
        ],
        examples: [
            Example(
                command: "articlesctl rules save Ads --pattern 'title:^(ad|sponsored)\\b' --hide",
                summary: "hide advertisements"),
            Example(
                command:
                    "articlesctl rules save Releases --source 'Swift Forums' --search 'title:release' --star --tag swift",
                summary: "star and tag some articles of a source"),
            Example(
                command: "articlesctl rules try --search 'title:release' --last 1000",
                summary: "show which of the last 1,000 articles have the word in their titles"),
            Example(command: "articlesctl rules list --json", summary: "list the rules as JSON"),
            Example(command: "articlesctl rules remove Ads", summary: "remove a rule"),
        ])

    private let task: Task
    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) throws {
        self.parsed = parsed
        switch parsed.path.last {
        case "save":
            let name: TagName
            do throws(TagError) {
                name = try TagName(parsed.argument("NAME") ?? "", for: .rule)
            } catch {
                throw parsed.error(.other(error.description))
            }
            task = .save(name, try Self.actions(parsed))
        case "try":
            let last = try parsed.integer("last", in: 1...10_000) ?? RuleTrial.articles
            let hasCondition = Self.conditions.contains { parsed.value($0.name) != nil }
            guard (parsed.argument("NAME") == nil) == hasCondition else {
                throw parsed.error(.other("pass the name of a rule, or conditions such as --search"))
            }
            task = .tryOut(parsed.argument("NAME"), last: last)
        case "remove": task = .remove(parsed.arguments("NAME"))
        default: task = .list
        }
    }

    private static func actions(_ parsed: ParsedCommand) throws -> [RuleAction] {
        let simple = RuleAction.simple.filter { parsed.flag($0.key) }.map(\.value)
        return try simple + parsed.values("tag").map { .tag(try TagName($0)) }
    }

    func run(in context: Context) async throws {
        let marker = try await context.marker()
        let articles = try await context.articles()
        switch task {
        case .list: try await list(by: marker, in: context)
        case .save(let name, let actions):
            let rule = try Rule(name: name, condition: try await condition(in: articles), actions: actions)
            let isNew = try await marker.save(rule)
            try context.report(
                "\(isNew ? "Saved" : "Replaced") the rule “\(name.name)”. It applies to the articles that arrive from now on.",
                json: JSON(rule, source: parsed.value("source")))
        case .tryOut(let name, let last):
            let condition =
                if let name { try await marker.rule(named: name).condition } else { try await condition(in: articles) }
            let trial = try await articles.trial(of: condition, onLast: last, now: context.clock())
            try write(trial, in: context)
        case .remove(let names):
            let removed = try await marker.rules(named: names)
            for rule in Set(removed) { try await marker.removeRule(rule.name.name) }
            try context.report(
                "Removed \(removed.map { "“\($0.name.name)”" }.joined(separator: ", ")).",
                json: ["removed": .array(removed.map { .string($0.name.name) })])
        }
    }

    private func condition(in articles: any ArticleRepository) async throws -> RuleCondition {
        try await articles.ruleCondition(
            source: parsed.value("source"), search: parsed.value("search"), address: parsed.value("address"),
            pattern: parsed.value("pattern"))
    }

    private func list(by marker: ArticleMarker, in context: Context) async throws {
        let rules = try await marker.rules()
        let sources = try await context.articles().sources()
        func source(_ rule: Rule) -> String? { rule.condition.sourceName(among: sources) }
        if context.json {
            return try context.report(nil, json: ["rules": .array(rules.map { JSON($0, source: source($0)) })])
        }
        if rules.isEmpty {
            return context.say("You have no rules. Save one with: articlesctl rules save NAME --search WORDS --hide")
        }
        try context.write(
            Table(
                columns: [.init(title: "NAME", use: .main), .init(title: "ACTIONS"), .init(title: "ARTICLES")],
                rows: rules.map { rule in
                    [
                        rule.name.name, rule.actions.map(\.text).joined(separator: ", "),
                        rule.condition.words(source: source(rule)),
                    ]
                }))
    }

    private func write(_ trial: RuleTrial, in context: Context) throws {
        if context.json { return try context.report(nil, json: JSON(trial)) }
        context.say(trial.words)
        guard !trial.met.isEmpty else { return }
        try context.write(
            Table(
                columns: [.init(title: "SLUG", use: .main), .init(title: "TITLE")],
                rows: trial.met.map { [$0.slug, $0.title] }))
    }
}

extension Context {
    /// Applies the rules of all users to the articles that have arrived.
    func applyRules() async throws {
        _ = try await RuleApplier(articles: articles(), marks: marks(), clock: clock).apply()
    }
}
