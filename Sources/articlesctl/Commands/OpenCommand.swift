import Arguments
import ArticleStore
import FlowCoordinators
import Terminal
import Text

/// `open`: opens any place by its path, or an enclosure of an article.
struct OpenCommand: Command {
    static let name = "open"
    static let spec = CommandSpec(
        name: name, summary: "open a screen by its path",
        discussion: """
            At a terminal, the reader starts at this screen. Without a terminal, and with --no-input or --json, the \
            command prints the screen. Other programs may link to these paths: /articles, /articles?tag=swift, \
            /articles/welcome, /account, /account/sessions, /account/password, /appearance, /login, /signup, and, in \
            the reader, /import. If a screen needs a session, the command asks for the login first.

            With --enclosure, the command opens a file that belongs to an article, such as the recording of a podcast, \
            with the program that opens web links, and waits for this program. PATH may then also be the number or the \
            slug of the article.
            """,
        arguments: [ArgumentSpec(name: "PATH", summary: "the path, such as /articles/welcome", values: .names(.place))],
        options: [
            OptionSpec(
                name: "enclosure", summary: "open the enclosure with this number; without a number, the first",
                value: "N", isValueOptional: true)
        ],
        examples: [
            Example(command: "articlesctl open '/articles?tag=swift'", summary: "open a list in the reader"),
            Example(
                command: "articlesctl open /account --json", summary: "print the content of a screen for a program"),
            Example(
                command: "BROWSER=mpv articlesctl open welcome --enclosure",
                summary: "play the first recording of an article"),
        ])

    private let route: AppRoute
    /// The number of the enclosure to open, from 1; nil to open the screen.
    private let enclosure: Int?

    init(_ parsed: ParsedCommand) throws {
        enclosure =
            parsed.values("enclosure").first == "" ? 1 : try parsed.integer("enclosure", in: 1...Int(Int32.max))
        guard enclosure != nil else {
            route = try parsed.route("PATH") ?? .articles()
            return
        }
        let name = parsed.argument("PATH") ?? ""
        route = name.hasPrefix("/") ? try parsed.route("PATH") ?? .articles() : .article(ArticleReference(name))
        guard case .article = route else {
            let expected = "an article, such as /articles/welcome or 12"
            throw parsed.error(.invalidValue(of: "PATH", value: name, expected: expected))
        }
    }

    func run(in context: Context) async throws {
        if let enclosure {
            try await open(enclosure, in: context)
        } else if context.terminal.isForReading, context.isInteractive, !context.json {
            try await context.read(at: route)
        } else if route == .importing {
            throw CommandError(
                "\(route.path) is available only in the full-screen reader",
                hint: "to import from the command line: articlesctl seed PATH", code: .usage)
        } else {
            try await context.show(route)
        }
    }

    /// Opens an enclosure of the article.
    private func open(_ number: Int, in context: Context) async throws {
        let shown = try await context.suggesting { try await context.screen(at: route) }
        guard case .article(let article, _)? = shown?.model else { return }
        let attachments = article.attachments
        guard attachments.indices.contains(number - 1) else { throw missing(number, of: article, attachments) }
        let attachment = attachments[number - 1]
        guard let browser = context.browser(try context.configuration()) else {
            throw CommandError(
                "cannot open \(attachment.address): no program is set",
                hint: "set BROWSER to a program that opens web links", code: .unavailable)
        }
        guard browser.open(attachment.address) else {
            throw CommandError("\(browser.name) could not open \(attachment.address)", code: .unavailable)
        }
        let json: JSON = [
            "id": JSON(article.id), "slug": .string(article.slug), "enclosure": JSON(number),
            "url": .string(attachment.address), "type": JSON(attachment.type),
        ]
        try context.report("Opened \(attachment.address).", json: json)
    }

    private func missing(_ number: Int, of article: Article, _ attachments: [ArticleAttachment]) -> CommandError {
        guard !attachments.isEmpty else {
            return CommandError(
                "“\(article.title)” has no enclosures", hint: "to read the article: articlesctl show \(article.id)",
                code: .noInput)
        }
        let lines = attachments.enumerated().map { index, attachment in
            let facts = [attachment.type, attachment.size.map { ByteCount(Int($0)).description }].compactMap(\.self)
            return "\(index + 1)  \(attachment.title)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
        }
        return CommandError(
            "“\(article.title)” has no enclosure \(number)",
            hint: (["Its enclosures are:"] + lines).joined(separator: "\n"), code: .noInput)
    }
}
