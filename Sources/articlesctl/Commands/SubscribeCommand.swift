import ArticleFetching
import Arguments
import ArticleStore
import FlowCoordinators
import LibraryServices
import Terminal
import Text

/// `subscribe`: subscribes to feeds.
struct SubscribeCommand: Command {
    static let name = "subscribe"
    static let spec = CommandSpec(
        name: name, summary: "subscribe to the feed of a page",
        discussion: """
            The address is that of a feed (RSS, Atom, or JSON Feed) or of a page. The feed of a page is found by the \
            links of the page, by rules for large sites, or at the usual addresses. If the page has several feeds, the \
            command lists their addresses: choose one, and run the command again.

            With --full-text, the main text of each article's page replaces the summary of the feed, up to 50 pages for \
            a fetch. If a page cannot be fetched, the article keeps its summary. To change the options later, use \
            “sources set”; they apply from the next fetch.

            For a feed behind a login (Basic authentication), pass --user and, on standard input, the password; at a \
            terminal, the command asks for it. The password is sent only to the host of the address, and only with https \
            unless the host is allowed. To change it, subscribe to the same address with the new one. Backups contain it, \
            exports do not.

            The articles of the feed are imported at once. After that, “fetch” and the server fetch the feed. To \
            subscribe to all feeds of another reader, import its OPML file with “seed”.

            Like seed, this command needs no login. Addresses in private networks and on unusual ports are refused \
            unless --allow-host or fetch.allow-host in the configuration allows the host.
            """,
        arguments: [
            ArgumentSpec(name: "ADDRESS", summary: "the address of a feed or of a page with a feed", isRepeating: true)
        ],
        options: [
            OptionSpec(
                name: "name",
                summary: "the name of the source, instead of the title of the feed; only with one ADDRESS",
                value: "NAME"),
            OptionSpec(
                name: "tag", short: "t", summary: "a tag of the source; may be repeated", value: "TAG",
                values: .names(.sourceTag), isRepeating: true),
            OptionSpec(
                name: "user", summary: "the user name for the feed; only with one ADDRESS", value: "NAME"),
            Credentials.passwordOption,
            OptionSpec(name: "no-password", summary: "remove the user name and the password of a subscribed feed"),
        ] + SubscriptionOptions.all + Context.fetchOptions,
        examples: [
            Example(command: "articlesctl subscribe https://www.swift.org/atom.xml", summary: "subscribe to a feed"),
            Example(
                command: "articlesctl subscribe --tag News example.org",
                summary: "subscribe to the feed of a site, and put it into the folder “News” of feed readers"),
            Example(
                command: "pass show feeds | articlesctl subscribe --user ada --password-stdin https://example.org/feed",
                summary: "subscribe to a feed behind a login"),
        ])

    private let addresses: [String]
    private let name: String?
    private let tags: [TagName]
    private let settings: SubscriptionChange
    private let user: String?
    private let removesPassword: Bool
    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) throws {
        self.parsed = parsed
        user = parsed.value("user")
        removesPassword = parsed.flag("no-password")
        guard user == nil || parsed.arguments("ADDRESS").count == 1 else {
            throw parsed.error(.other("--user needs exactly one ADDRESS"))
        }
        guard user != nil || !parsed.flag(Credentials.passwordOption.name) else {
            throw parsed.error(.other("--password-stdin needs --user NAME"))
        }
        guard user == nil || !removesPassword else {
            throw parsed.error(.other("--user and --no-password exclude each other"))
        }
        settings = try parsed.subscriptionChange()
        addresses = parsed.arguments("ADDRESS")
        name = try parsed.sourceName("name")
        guard name == nil || addresses.count == 1 else {
            throw parsed.error(.other("--name needs exactly one ADDRESS"))
        }
        do {
            tags = try parsed.values("tag").map { try TagName($0) }
        } catch {
            throw parsed.error(.other("--tag: \(error)"))
        }
    }

    func run(in context: Context) async throws {
        let login = try login(in: context)
        let fetcher = try await context.fetcher(parsed)
        let editor = try await context.subscriptionEditor(FeedSubscriber { fetcher })
        let pictures = try await context.pictureFetcher(parsed)
        for address in addresses {
            let outcome = try await context.interruptible(done: { "nothing was subscribed for \(address)" }) {
                try await editor.subscribe(to: address, name: name, tags: tags, settings: settings, login: login)
            }
            switch outcome {
            case .subscribed(let result):
                var text = "Subscribed to “\(result.source.name)”: \(result.changes.new.quantity(of: "new article"))."
                if let problem = result.problem { text += " The first fetch failed: \(problem)." }
                try context.report(text, json: JSON(result))
            case .known(let source):
                if removesPassword { try await editor.removePassword(of: source) }
                var changes = settings.isEmpty && name == nil && tags.isEmpty ? [] : ["with these options"]
                if login != nil { changes.append("with this password") }
                if removesPassword { changes.append("without a password") }
                let change = changes.isEmpty ? "" : ", now " + changes.joined(separator: " and ")
                try context.report(
                    "“\(source.name)” is already subscribed\(change).",
                    json: ["name": .string(source.name), "id": .string(source.uid.description), "outcome": "known"])
            case .several(let feeds):
                let lines = feeds.map { feed in
                    "  articlesctl subscribe \(feed.address.shellQuoted)"
                        + (feed.title.map { "  # " + $0.oneLine } ?? "")
                }
                throw CommandError(
                    "\(address) has \(feeds.count) feeds",
                    hint: (["subscribe to one of them:"] + lines).joined(separator: "\n"), code: .usage)
            }
        }
        try await context.applyRules()
        try await context.interruptible(done: { "the subscriptions are stored" }) {
            try await context.fetchPictures(by: pictures)
        }
    }
}

extension SubscribeCommand {
    /// Returns the user name with the password from standard input or a prompt; nil without `--user`.
    private func login(in context: Context) throws -> FeedLogin? {
        guard let user else { return nil }
        let answers = try Credentials.answers(
            parsed, given: [:], passwords: [.password],
            needs: [.init(field: .password, spelling: "--password-stdin")], in: context)
        let password =
            try answers[.password] ?? Prompt().password("Password of \(user.sanitized()): ")
        return try FeedLogin(username: user, password: password)
    }
}

/// `unsubscribe`: ends subscriptions.
struct UnsubscribeCommand: Command {
    static let name = "unsubscribe"
    static let spec = CommandSpec(
        name: name, summary: "stop fetching sources, and keep their articles",
        discussion: """
            The sources and their articles stay in the library. To remove them too, use “sources remove”. To fetch a \
            source again, subscribe to its address again.
            """,
        arguments: [
            ArgumentSpec(
                name: "SOURCE", summary: "the name of the source; case is ignored", isRepeating: true,
                values: .names(.source))
        ],
        examples: [Example(command: "articlesctl unsubscribe 'Swift blog'", summary: "stop fetching a source")])

    private let names: [String]

    init(_ parsed: ParsedCommand) { names = parsed.arguments("SOURCE") }

    func run(in context: Context) async throws {
        let sources = try await context.articles().existingSources(named: names)
        try await context.subscriptionEditor(nil).unsubscribe(from: sources)
        try context.report(
            "Unsubscribed from \(sources.map { "“\($0.name)”" }.joined(separator: ", ")). The articles stay.",
            json: [
                "unsubscribed": .array(sources.map { ["name": .string($0.name), "id": .string($0.uid.description)] })
            ])
    }
}
