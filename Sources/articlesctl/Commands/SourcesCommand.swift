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
        case set([String], SubscriptionChange, isQuiet: Bool?)
        case remove([String], isDryRun: Bool)
    }

    private static let nameArgument = ArgumentSpec(
        name: "NAME", summary: "the name of the source; case is ignored", values: .names(.source))

    static let name = "sources"
    static let spec = CommandSpec(
        name: name, summary: "list, rename, tag, set, or remove the sources of articles",
        discussion: """
            A source is an imported folder, file, or feed, or a name under which articles were imported or added. The \
            source “earlier” contains the articles from before the library had sources. Like seed, this command needs \
            no login, except for “set --quiet”. For subscribed sources, it shows the times of the last and the next \
            fetch, and the last error. If you are logged in, the terminal output and the JSON also show how many \
            articles of each source are unread.
            """,
        subcommands: [
            CommandSpec(name: "list", summary: "list the sources"),
            CommandSpec(
                name: "show", summary: "show a source, with the problems of its last import", arguments: [nameArgument]),
            CommandSpec(
                name: "rename", summary: "give a source another name",
                discussion: """
                    The articles do not change. A folder, file, or feed that is imported again is recognized by its \
                    path or address, not by its name. Input from standard input is recognized by the name: pass the \
                    new name with seed --source.
                    """,
                arguments: [
                    ArgumentSpec(name: "OLD", summary: "the current name", values: .names(.source)),
                    ArgumentSpec(name: "NEW", summary: "the new name"),
                ]),
            CommandSpec(
                name: "tag", summary: "add a tag to sources, or remove it",
                discussion: """
                    Feed readers show the feeds with a tag in a folder, and list --source-tag lists their articles. \
                    All users see the same tags. An import does not change them.
                    """,
                arguments: [
                    ArgumentSpec(name: "TAG", summary: "a few words", values: .names(.sourceTag)),
                    ArgumentSpec(
                        name: "NAME", summary: nameArgument.summary, isRepeating: true, values: nameArgument.values),
                ],
                options: [OptionSpec(name: "remove", summary: "remove the tag")]),
            CommandSpec(
                name: "set", summary: "change how subscribed sources are fetched",
                discussion: """
                    The options apply from the next fetch. --keep removes older articles after each fetch. It never \
                    removes an article that somebody has starred, saved for later, given a note or a tag, or edited, and \
                    none that a user of the library has not read. A removed article does not come back while the feed \
                    contains it.

                    --quiet and --no-quiet concern only you, so they need a login. A quiet source is fetched as before; \
                    the articles that are in the library already stay unread.
                    """,
                arguments: [
                    ArgumentSpec(
                        name: "NAME", summary: nameArgument.summary, isRepeating: true, values: nameArgument.values)
                ],
                options: SubscriptionOptions.all + SubscriptionOptions.pausing + SubscriptionOptions.quiet),
            CommandSpec(
                name: "remove", aliases: ["rm"], summary: "remove sources with all their articles",
                discussion: """
                    Articles that are also in another source stay there. The command also forgets which articles were \
                    deleted: another import brings all articles back. The \
                    command asks for confirmation first. If one of the names does not match a source, nothing is \
                    removed.
                    """,
                arguments: [
                    ArgumentSpec(
                        name: "NAME", summary: nameArgument.summary, isRepeating: true, values: nameArgument.values)
                ],
                options: [
                    Confirmation.option,
                    OptionSpec(name: "dry-run", summary: "show what would be removed, and change nothing"),
                ]),
        ],
        examples: [
            Example(command: "articlesctl sources", summary: "list the sources"),
            Example(command: "articlesctl sources rename posts blog", summary: "rename a source"),
            Example(
                command: "articlesctl sources tag News blog",
                summary: "put a source into the folder “News” of feed readers"
            ),
            Example(
                command: "articlesctl sources set --keep 30d --pause blog",
                summary: "stop fetching a source for a while, and keep only the articles of 30 days"),
            Example(
                command: "articlesctl sources remove blog --dry-run",
                summary: "show what removing a source would delete"),
            Example(command: "articlesctl sources list --json", summary: "list the sources as JSON"),
            Example(
                command: "articlesctl sources show blog", summary: "show a source and the problems of its last import"),
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
        case "set":
            var change = try parsed.subscriptionChange()
            change.paused = try parsed.choice("pause", "resume")
            let isQuiet = try parsed.choice("quiet", "no-quiet")
            guard !change.isEmpty || isQuiet != nil else {
                throw parsed.error(.other("pass at least one option that changes the sources"))
            }
            task = .set(parsed.arguments("NAME"), change, isQuiet: isQuiet)
        case "remove": task = .remove(parsed.arguments("NAME"), isDryRun: parsed.flag("dry-run"))
        default: task = .list
        }
        confirmation = if case .remove(_, isDryRun: false) = task { Confirmation(parsed) } else { nil }
    }

    func run(in context: Context) async throws {
        let repository = try await context.articles()
        switch task {
        case .list: try await list(in: context)
        case .show(let name): try await show(name, of: repository, in: context)
        case .rename(let old, let new):
            let (source, isChanged) = try await context.editing().renameSource(old, to: new)
            let count = try await repository.articleCounts()[source.id] ?? 0
            try context.report(
                isChanged
                    ? "Renamed “\(old)” to “\(source.name)”." : "The source already has the name “\(source.name)”.",
                json: JSON(source: source, articles: count))
        case .tag(let tag, let removes, let names): try await self.tag(names, tag, removes, of: repository, in: context)
        case .set(let names, let change, let isQuiet):
            try await set(names, change, isQuiet, of: repository, in: context)
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
        if sources.isEmpty {
            return context.say(
                "There are no sources yet. Import articles with: articlesctl seed PATH, or subscribe to a feed with: "
                    + "articlesctl subscribe ADDRESS")
        }
        let showsFetches = sources.contains { $0.subscription != nil }
        guard context.terminal.output.isTerminal else {
            // Lines for programs have the same columns for every user and every library.
            let rows = sources.map { listed in
                let (source, subscription) = (listed.source, listed.subscription)
                return [
                    source.name, source.kind.rawValue, "\(listed.articles)",
                    source.lastImport.map { RFC3339.string(from: $0.date) } ?? "",
                    source.lastImport.map { "\($0.problemCount)" } ?? "", source.facts.location?.text ?? "",
                    subscription?.lastFetchText ?? "", subscription?.nextFetchText ?? "", subscription?.lastError ?? "",
                ]
            }
            return try context.write(Table(columns: [], rows: rows))
        }
        var columns: [(column: Table.Column, value: (ListedSource) -> String)] = [
            (.init(title: "NAME", use: .main), { $0.source.name }),
            (.init(title: "KIND"), { $0.source.kind.rawValue }),
            (.init(title: "ARTICLES", isRight: true), { String($0.articles) }),
        ]
        if user != nil { columns.append((.init(title: "UNREAD", isRight: true), { String($0.unread ?? 0) })) }
        columns.append((.init(title: "LAST IMPORT"), { $0.lastImportText }))
        if showsFetches { columns.append((.init(title: "NEXT FETCH"), { $0.nextFetchText })) }
        columns.append((.init(title: "PROBLEM"), { $0.problemText }))
        columns.append((.init(title: "PLACE", keepsEnd: true), { $0.source.facts.location?.text ?? "" }))
        try context.write(
            Table(columns: columns.map(\.column), rows: sources.map { source in columns.map { $0.value(source) } }))
    }

    private func set(
        _ names: [String], _ change: SubscriptionChange, _ isQuiet: Bool?, of repository: some ArticleRepository,
        in context: Context
    ) async throws {
        var sources: [Source] = []
        for source in try await repository.existingSources(named: names) where !sources.contains(source) {
            sources.append(source)
        }
        let editor = try await context.subscriptionEditor(nil)
        var changed: [Source] = []
        if let isQuiet {
            changed = try await editor.setQuiet(isQuiet, sources, by: try await context.reader(mayWrite: true))
        }
        if !change.isEmpty {
            for source in try await editor.change(sources, as: change) where !changed.contains(source) {
                changed.append(source)
            }
        }
        let ids = Set(sources.map(\.id))
        let listed = try await context.listing(for: context.openReader()).sources().filter {
            ids.contains($0.source.id)
        }
        try context.report(
            changed.isEmpty
                ? "Nothing changed: the sources are set so already."
                : "Changed \(changed.map { "“\($0.name)”" }.joined(separator: ", ")).",
            json: ["sources": .array(listed.map { JSON($0) })])
    }

    private func show(_ name: String, of repository: some ArticleRepository, in context: Context) async throws {
        let source = try await repository.existingSource(named: name)
        let sources = try await context.listing(for: context.openReader()).sources()
        guard let listed = sources.first(where: { $0.source.id == source.id }) else {
            throw SourceError.noSource(name)
        }
        if context.json { return try context.report(nil, json: JSON(listed)) }
        let subscription = listed.subscription
        let settings = subscription?.settings ?? Subscription.Settings()
        let last = source.lastImport
        let facts = [
            ("Kind", source.kind.rawValue), ("Articles", "\(listed.articles)"),
            ("Place", source.facts.location?.text ?? ""),
            ("Feed", source.facts.feedURL ?? ""), ("Tags", source.facts.tags.map(\.name).joined(separator: ", ")),
            ("Base URL", source.facts.home ?? ""), ("Last import", last.map { RFC3339.string(from: $0.date) } ?? ""),
            ("Problems", last.map { "\($0.problemCount)" } ?? ""),
            ("Fetched from", subscription?.address ?? ""), ("Last fetch", subscription?.lastFetchText ?? ""),
            ("Next fetch", subscription?.nextFetchText ?? ""),
            ("Failures", subscription.map { $0.failures > 0 ? "\($0.failures)" : "" } ?? ""),
            ("Error", subscription?.lastError ?? ""),
            ("Full text", settings.hasFullText ? "yes" : ""), ("Keep", settings.retention.words),
            ("Updates", settings.marksChangedUnread ? "make articles unread again" : ""),
            ("Quiet", subscription?.isQuiet == true ? "new articles are read at once for you" : ""),
            ("Password", subscription?.hasPassword == true ? "yes" : ""),
            ("Announced by", subscription?.announcedByText ?? ""),
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
        let (sources, changed) = try await context.editing().tagSources(
            names, .some(adding: removes ? [] : [tag], removing: removes ? [tag] : []))
        let counts = try await repository.articleCounts()
        let what = changed.map { "“\($0.name)”" }.joined(separator: ", ")
        try context.report(
            changed.isEmpty
                ? "Nothing changed: " + (removes ? "no source had" : "all sources already had")
                    + " the tag “\(tag.name)”."
                : removes
                    ? "Removed the tag “\(tag.name)” from \(what)." : "Added the tag “\(tag.name)” to \(what).",
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
        let names = sources.map { "“\($0.name)”" }.joined(separator: ", ")
        let what = names + " with \(try await repository.count(onlyIn: sources.map(\.id)).articles)"
        if let confirmation, try !confirmation.agrees(to: "Remove \(what)?", in: context) {
            throw CommandError("nothing was removed", code: .declined)
        }
        var removed = 0
        if !isDryRun {
            removed = try await context.editing().removeSources(sources)
        }
        try context.report(
            isDryRun
                ? "Would remove \(what)."
                : "Removed \(names) with \(removed.articles).",
            json: [
                "removed": .array(sources.map { JSON(source: $0, articles: counts[$0.id] ?? 0) }),
                "dryRun": .bool(isDryRun),
            ])
    }
}

extension ListedSource {
    /// The minute of the last fetch, or else of the last import.
    fileprivate var lastImportText: String { (subscription?.lastFetch ?? source.lastImport?.date)?.minute ?? "" }

    /// The minute of the next fetch, or the reason why there is none.
    fileprivate var nextFetchText: String {
        guard let subscription else { return "" }
        return subscription.isScheduled ? subscription.nextFetch.minute : subscription.stateWord
    }

    fileprivate var problemText: String {
        if let error = subscription?.lastError { return error }
        let count = source.lastImport?.problemCount ?? 0
        return count > 0 ? count.quantity(of: "problem") : ""
    }
}

extension Subscription {
    fileprivate var lastFetchText: String { lastFetch.map { RFC3339.string(from: $0) } ?? "" }

    /// The hub that announces new articles.
    fileprivate var announcedByText: String {
        push.map { $0.words(until: $0.end.map { RFC3339.string(from: $0) }) } ?? ""
    }

    fileprivate var nextFetchText: String {
        isScheduled ? RFC3339.string(from: nextFetch) : stateWord
    }
}

extension Int {
    /// The number of articles in words.
    var articles: String { quantity(of: "article") }
}
