import ArticleFetching
import Arguments
import ArticleStore
import LibraryServices
import Terminal
import Text

/// `fetch`: fetches subscribed sources.
struct FetchCommand: Command {
    static let name = "fetch"
    static let spec = CommandSpec(
        name: name, summary: "fetch new articles of subscribed sources",
        discussion: """
            Without a name, the command fetches each subscribed source that is due. A source is due 15 minutes to 24 \
            hours after its last fetch: sooner if it often has new articles, and later if the server or the feed asks \
            for that. After errors, the time grows up to 48 hours. With names, the command fetches these sources now, \
            and with --all every source that is not paused. --all does not fetch a source whose server has asked to wait \
            (status 429 or 503) until that time is over.

            Without a terminal, such as in cron, the command prints only the sources that cannot be fetched. --verbose \
            also prints new articles and a summary, as on a terminal.

            The server fetches by the same schedule in the background. Several processes can fetch at the same time: \
            they share the work. If a source cannot be fetched, the others are, and the exit code is 75.

            With --page, the command fetches the page of an article instead. If it has more text than the article, its \
            main text replaces that of the article, until the feed changes the article.

            To let operators of other servers reach you, set fetch.contact in the configuration.
            """,
        arguments: [
            ArgumentSpec(
                name: "SOURCE", summary: "the name of the source; case is ignored", isRequired: false,
                isRepeating: true,
                values: .names(.source))
        ],
        options: [
            OptionSpec(name: "all", short: "a", summary: "fetch all sources now, whether they are due or not"),
            OptionSpec(
                name: "verbose", short: "v", summary: "print new articles and a summary, also without a terminal"),
            OptionSpec(
                name: "page", summary: "fetch the whole text of this article from its page, by ID or slug",
                value: "ARTICLE", values: .names(.article)),
        ] + Context.fetchOptions,
        examples: [
            Example(command: "articlesctl fetch", summary: "fetch all sources that are due, such as from cron"),
            Example(command: "articlesctl fetch 'Swift blog'", summary: "fetch one source now"),
            Example(command: "articlesctl fetch --all", summary: "fetch all sources now"),
            Example(command: "articlesctl fetch --page 42", summary: "replace a summary with the text of the page"),
        ])

    private let names: [String]
    private let parsed: ParsedCommand

    private let page: ArticleReference?
    private let fetchesAll: Bool

    init(_ parsed: ParsedCommand) throws {
        names = parsed.arguments("SOURCE")
        page = parsed.value("page").map { ArticleReference($0) }
        self.parsed = parsed
        guard page == nil || names.isEmpty else { throw parsed.error(.other("--page excludes SOURCE")) }
        fetchesAll = parsed.flag("all")
        guard !fetchesAll || page == nil && names.isEmpty else {
            throw parsed.error(.other("--all excludes SOURCE and --page"))
        }
    }

    /// The results so far.
    fileprivate struct Summary {
        var fetched = 0
        var new = 0
        var changed = 0
        /// The number of articles that were removed because their sources do not keep them.
        var removed = 0
        /// The number of sources that could not be fetched and are fetched again later.
        var failed = 0
        /// The number of subscriptions that have ended because the server has removed the feed.
        var ended = 0
        var results: [JSON] = []

        mutating func add(_ result: FetchResult) {
            fetched += 1
            new += result.changes.new
            changed += result.changes.changed
            switch result.outcome {
            case .failed, .postponed: failed += 1
            case .ended: ended += 1
            case .unchanged, .imported: break
            }
        }

        var words: String {
            "Fetched \(fetched.quantity(of: "source")): \(new) new, \(changed) changed, \(failed) failed"
                + (ended == 0 ? "" : ", \(ended) ended") + (removed == 0 ? "." : ", \(removed) removed.")
        }
    }

    func run(in context: Context) async throws {
        if let page { return try await fetchPage(of: page, in: context) }
        let (repository, subscriptions) = (try await context.articles(), try await context.subscriptions())
        let named = try await repository.existingSources(named: names)
        let subscribed = try await subscriptions.subscriptions()
        for source in named where !subscribed.contains(where: { $0.id == source.id }) {
            throw SubscribeError.notSubscribed(source.name)
        }
        if subscribed.isEmpty {
            try context.report(nil, summary: Summary())
            return context.say("There are no subscriptions yet. Subscribe with: articlesctl subscribe ADDRESS")
        }
        let fetcher = try await context.fetcher(parsed)
        let pictures = try await context.pictureFetcher(parsed)
        var summary = Summary()
        var progress = ProgressLine(writer: context.error, terminal: context.terminal)
        let clock = ContinuousClock()
        let start = clock.now
        let printsAll =
            parsed.flag("verbose") || context.terminal.output.isTerminal || context.terminal.error.isTerminal
        var leftOut = 0
        func add(_ result: FetchResult) {
            summary.add(result)
            if context.json { summary.results.append(JSON(result)) }
            if let line = result.words, printsAll || result.problem != nil {
                progress.erase()
                context.say(line)
            }
            progress.update("\(summary.fetched.quantity(of: "source")) …", now: clock.now - start)
        }
        func addRemoved(_ count: Int) { summary.removed += count }
        let busy = try await context.interruptible(done: { summary.words }) {
            guard !named.isEmpty else {
                if fetchesAll {
                    leftOut = try await fetcher.fetchAll(onResult: add, onRemoval: addRemoved)
                } else {
                    _ = try await fetcher.fetchDue(onResult: add, onRemoval: addRemoved)
                }
                return Set<Source.ID>()
            }
            return try await fetcher.fetch(named.map(\.id), onResult: add, onRemoval: addRemoved)
        }
        progress.erase()
        if printsAll || context.json {
            try context.report(
                summary.fetched + leftOut == 0 && busy.isEmpty ? "No source is due." : summary.words, summary: summary)
        }
        if printsAll, leftOut > 0 {
            context.say(
                "\(leftOut.quantity(of: "source was", "sources were")) left out: the server has asked to wait, or "
                    + "another process fetches.")
        }
        try await context.interruptible(done: { summary.words }) {
            try await fetchIcons(by: fetcher)
            try await context.fetchPictures(by: pictures)
        }
        try await context.applyRules()
        if let source = named.first(where: { busy.contains($0.id) }) {
            throw CommandError(
                "another process is fetching “\(source.name)”",
                hint: "try again later, or in 2 minutes if that process was killed", code: .tryAgain)
        }
        guard summary.failed > 0 else { return }
        throw CommandError(
            summary.failed.quantity(of: "source") + " could not be fetched",
            hint: "fetch tries again later; for the reasons: articlesctl sources show NAME", code: .tryAgain)
    }

    /// The maximum number of times that some icons are fetched, so that the first run does not take too long.
    private static let iconRounds = 4

    /// Fetches icons that are due. A failure does not matter: the next run tries again.
    private func fetchIcons(by fetcher: SourceFetcher) async throws {
        do {
            for _ in 0..<Self.iconRounds { guard try await fetcher.fetchIcons() > 0 else { return } }
        } catch let error as CancellationError {
            throw error
        } catch {}
    }

    private func fetchPage(of reference: ArticleReference, in context: Context) async throws {
        let articles = try await context.articles()
        let article = try await context.suggesting { try await articles.existingArticle(reference) }
        let fetcher = try await context.fetcher(parsed)
        let editor = try await context.subscriptionEditor(FeedSubscriber { fetcher })
        let pictures = try await context.pictureFetcher(parsed)
        let hasChanged = try await context.interruptible(done: { "nothing was changed" }) {
            let hasChanged = try await editor.fetchPage(of: article)
            try await context.fetchPictures(by: pictures)
            return hasChanged
        }
        try context.report(
            hasChanged
                ? "Replaced the text of “\(article.title)”."
                : "The page of “\(article.title)” has no more text. Nothing was changed.",
            json: ["article": JSON(article.id), "changed": .bool(hasChanged)])
    }
}

extension Context {
    fileprivate func report(_ text: String?, summary: FetchCommand.Summary) throws {
        guard text != nil || json else { return }
        try report(
            text,
            json: [
                "fetched": JSON(summary.fetched), "new": JSON(summary.new), "changed": JSON(summary.changed),
                "failed": JSON(summary.failed), "ended": JSON(summary.ended),
                "removed": JSON(summary.removed), "sources": .array(summary.results),
            ])
    }
}

extension FetchResult {
    /// A line about the result; nil if nothing has changed.
    var words: String? {
        var parts: [String] = []
        if changes.new > 0 { parts.append("\(changes.new) new") }
        if changes.changed > 0 { parts.append("\(changes.changed) changed") }
        if let problem { parts.append(problem) }
        if hasMoved { parts.append("the address is now \(subscription.address)") }
        return parts.isEmpty ? nil : "\(source.name): " + parts.joined(separator: ", ")
    }
}

extension JSON {
    /// Creates the result of a fetch.
    init(_ result: FetchResult) {
        let outcome =
            switch result.outcome {
            case .unchanged: "unchanged"
            case .imported: "imported"
            case .failed: "failed"
            case .ended: "ended"
            case .postponed: "postponed"
            }
        self = [
            "name": .string(result.source.name), "id": .string(result.source.uid.description),
            "outcome": .string(outcome), "new": JSON(result.changes.new), "changed": JSON(result.changes.changed),
            "error": JSON(result.problem), "subscription": JSON(result.subscription),
        ]
    }
}
