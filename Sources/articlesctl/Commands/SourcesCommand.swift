import Arguments
import ArticleStore
import FlowCoordinators
import LibraryServices
import Terminal
import Text

/// `sources`: manages the sources of articles.
struct SourcesCommand: Command {
    private enum Task {
        case list
        case show(String)
        case rename(String, to: String)
        case tag(TagName, removes: Bool, [String])
        case remove([String], isDryRun: Bool)
    }

    private static let name = ArgumentSpec(
        name: "NAME", summary: "the name, in any case", values: .names(.source))

    static let spec = CommandSpec(
        name: "sources", summary: "list, rename, tag or remove the sources of articles",
        discussion: """
            A source is a folder, file or feed that was imported, whatever was imported or added under a name, or, called \
            “earlier”, what was in the library before it knew sources. Like seed, this needs no log-in; who is logged in is \
            also told on a terminal, and in JSON, how many articles of each are unread.
            """,
        subcommands: [
            CommandSpec(name: "list", summary: "list the sources"),
            CommandSpec(
                name: "show", summary: "show a source, with the problems of its last import", arguments: [name]),
            CommandSpec(
                name: "rename", summary: "give a source another name",
                discussion: """
                    Its articles stay as they are. A folder, file or feed that is imported again is known by its place, \
                    whatever it is called here; what comes through standard input is known by the name: give the new one with \
                    seed --source.
                    """,
                arguments: [
                    ArgumentSpec(name: "OLD", summary: "the name that it has", values: .names(.source)),
                    ArgumentSpec(name: "NEW", summary: "the name that it is to have"),
                ]),
            CommandSpec(
                name: "tag", summary: "give sources a tag, or take it away",
                discussion: """
                    Readers on phones and desktops show the feeds of a tag in a folder, and list --source-tag its articles. \
                    Everybody sees the same tags. They stay when a source is imported again.
                    """,
                arguments: [
                    ArgumentSpec(name: "TAG", summary: "a few words", values: .names(.sourceTag)),
                    ArgumentSpec(name: "NAME", summary: name.summary, isRepeating: true, values: name.values),
                ],
                options: [OptionSpec(name: "remove", summary: "take the tag away")]),
            CommandSpec(
                name: "remove", aliases: ["rm"], summary: "remove sources with all their articles",
                discussion: """
                    Nothing is known of them any more, what was deleted here neither: another import brings everything back. \
                    It asks first. Where one of the names is that of no source, nothing is removed.
                    """,
                arguments: [ArgumentSpec(name: "NAME", summary: name.summary, isRepeating: true, values: name.values)],
                options: [
                    Confirmation.option,
                    OptionSpec(name: "dry-run", summary: "say what would be removed, and change nothing"),
                ]),
        ],
        examples: [
            Example(command: "articlesctl sources", summary: "list them"),
            Example(command: "articlesctl sources rename posts blog", summary: "give one another name"),
            Example(
                command: "articlesctl sources tag News blog", summary: "put one into the folder “News” of other readers"
            ),
            Example(command: "articlesctl sources remove blog --dry-run", summary: "see what would go with one"),
            Example(command: "articlesctl sources list --json", summary: "the same for a program"),
            Example(command: "articlesctl sources show blog", summary: "see what its last import had to say"),
        ])

    private let task: Task
    private let confirmation: Confirmation?

    init(_ parsed: ParsedCommand) throws {
        switch parsed.path.last {
        case "show": task = .show(parsed.argument("NAME") ?? "")
        case "rename": task = .rename(parsed.argument("OLD") ?? "", to: parsed.argument("NEW") ?? "")
        case "tag":
            do {
                let tag = try TagName(parsed.argument("TAG") ?? "")
                task = .tag(tag, removes: parsed.flag("remove"), parsed.arguments("NAME"))
            } catch {
                throw parsed.error(.other("\(error)"))
            }
        case "remove": task = .remove(parsed.arguments("NAME"), isDryRun: parsed.flag("dry-run"))
        default: task = .list
        }
        confirmation = if case .remove(_, isDryRun: false) = task { Confirmation(parsed) } else { nil }
    }

    func run(in context: Context) async throws {
        let repository = try context.articles()
        switch task {
        case .list: try await list(in: context)
        case .show(let name): try await show(name, of: repository, in: context)
        case .rename(let old, let new):
            let source = try await context.editing().renameSource(old, to: new)
            let count = try await repository.articleCounts()[source.id] ?? 0
            try context.report("Renamed “\(old)” to “\(source.name)”.", json: JSON(source: source, articles: count))
        case .tag(let tag, let removes, let names): try await self.tag(names, tag, removes, of: repository, in: context)
        case .remove(let names, let isDryRun): try await remove(names, isDryRun, from: repository, in: context)
        }
    }

    private func list(in context: Context) async throws {
        let user = try await context.openReader()
        let sources = try await context.listing(for: user).sources().sorted { first, second in
            FoldedKey.fold(first.source.name) < FoldedKey.fold(second.source.name)
        }
        if context.json {
            return try context.report(nil, json: ["sources": .array(sources.map { JSON($0) })])
        }
        if sources.isEmpty { return context.say("There are no sources: nothing was imported or added yet.") }
        // Lines for programs have the same columns for every user.
        let showsUnread = user != nil && context.terminal.output.isTerminal
        let rows = sources.map { listed -> [String] in
            let source = listed.source
            return [source.name, source.kind.rawValue, "\(listed.articles)"]
                + (showsUnread ? ["\(listed.unread ?? 0)"] : []) + [
                    source.lastImport.map { RFC3339.string(from: $0.date) } ?? "",
                    source.lastImport.map { "\($0.problemCount)" } ?? "", source.facts.location?.text ?? "",
                ]
        }
        try context.write(
            Table(
                columns: [
                    .init(title: "NAME", use: .main), .init(title: "KIND"), .init(title: "ARTICLES", isRight: true),
                ]
                    + (showsUnread ? [.init(title: "UNREAD", isRight: true)] : []) + [
                        .init(title: "LAST IMPORT"), .init(title: "PROBLEMS", isRight: true),
                        .init(title: "PLACE", keepsEnd: true),
                    ], rows: rows))
    }

    private func show(_ name: String, of repository: some ArticleRepository, in context: Context) async throws {
        let source = try await repository.existingSource(named: name)
        let count = try await repository.articleCounts()[source.id] ?? 0
        if context.json { return try context.report(nil, json: JSON(source: source, articles: count)) }
        let last = source.lastImport
        let facts = [
            ("Kind", source.kind.rawValue), ("Articles", "\(count)"), ("Place", source.facts.location?.text ?? ""),
            ("Feed", source.facts.feedURL ?? ""), ("Tags", source.facts.tags.map(\.name).joined(separator: ", ")),
            ("Base URL", source.facts.home ?? ""), ("Last import", last.map { RFC3339.string(from: $0.date) } ?? ""),
            ("Problems", last.map { "\($0.problemCount)" } ?? ""),
        ].filter { !$0.1.isEmpty }
        var problems = last?.problems ?? []
        guard context.terminal.output.isTerminal else {
            let rows = [("Name", source.name)] + facts + problems.map { ("Problem", $0) }
            return try context.write(Table(columns: [], rows: rows.map { [$0.0.lowercased(), $0.1] }))
        }
        let more = (last?.problemCount ?? 0) - problems.count
        if more > 0 { problems.append("… and \(more) more") }
        let document = Document(
            facts: facts.map { Document.Fact($0.0, $0.1) }, body: problems.joined(separator: "\n"))
        try context.draw(
            Screen(title: source.name, content: .document(document)), width: context.terminal.width)
    }

    private func tag(
        _ names: [String], _ tag: TagName, _ removes: Bool, of repository: some ArticleRepository, in context: Context
    ) async throws {
        let sources = try await context.editing().tagSources(
            names, .some(adding: removes ? [] : [tag], removing: removes ? [tag] : []))
        let counts = try await repository.articleCounts()
        let what = sources.map { "“\($0.name)”" }.joined(separator: ", ")
        try context.report(
            removes ? "Took the tag “\(tag.name)” from \(what)." : "Tagged \(what) “\(tag.name)”.",
            json: ["sources": .array(sources.map { JSON(source: $0, articles: counts[$0.id] ?? 0) })])
    }

    private func remove(
        _ names: [String], _ isDryRun: Bool, from repository: some ArticleRepository, in context: Context
    ) async throws {
        let counts = try await repository.articleCounts()
        var sources: [Source] = []
        for source in try await repository.existingSources(named: names) where !sources.contains(source) {
            sources.append(source)
        }
        let total = sources.reduce(0) { $0 + (counts[$1.id] ?? 0) }
        let what = sources.map { "“\($0.name)”" }.joined(separator: ", ") + " with \(total.articles)"
        if let confirmation, try !confirmation.agrees(to: "Remove \(what)?", in: context) {
            throw CommandError("nothing was removed", code: .declined)
        }
        var removed = 0
        if !isDryRun {
            removed = try await context.editing().removeSources(sources)
        }
        try context.report(
            isDryRun
                ? "Would be removed: \(what)."
                : "Removed \(sources.map { "“\($0.name)”" }.joined(separator: ", ")) with \(removed.articles).",
            json: [
                "removed": .array(sources.map { JSON(source: $0, articles: counts[$0.id] ?? 0) }),
                "dryRun": .bool(isDryRun),
            ])
    }
}

extension Int {
    /// The number of articles in words.
    var articles: String { self == 1 ? "1 article" : "\(self) articles" }
}
