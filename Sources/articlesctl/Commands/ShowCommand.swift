import ArticleExporting
import Arguments
import ArticleStore
import FlowCoordinators
import Terminal
import Text

/// `show`: shows an article.
struct ShowCommand: Command {
    static let name = "show"
    static let aliases = ["cat"]
    static let spec = CommandSpec(
        name: name, aliases: aliases, summary: "show an article",
        discussion: """
            On a terminal, the command lays out the article for reading, in a pager if it is long. Into a pipe, it \
            writes a file: front matter with all properties of the article, and its text. seed reads this file as the \
            same article and imports your changes. Therefore a pipe gets every character unchanged, including control \
            characters. On a terminal, in the pager, and with --format text, symbols replace control characters.

            With --format text the article is laid out in a pipe too, for less -R or a preview in another program. The \
            same applies with --width, and with --color always, which adds colors. --format html writes a \
            self-contained page for a browser: it has no scripts and loads only images, unless the library has kept them. --format json is the same as \
            --json.

            Showing an article on a terminal marks it as read; writing it to a program does not.
            """,
        arguments: [
            ArgumentSpec(name: "ARTICLE", summary: "the number or slug of the article", values: .names(.article))
        ],
        options: [
            OptionSpec(
                name: "format", short: "f",
                summary: "the output format; the default depends on whether output goes to a terminal",
                value: "FORMAT", values: .choices(Format.allCases.map(\.rawValue))),
            OptionSpec(
                name: "width", short: "w", summary: "the width of the text, in columns", value: "COLUMNS"),
            OptionSpec(name: "keep-unread", summary: "do not mark the article as read"),
        ],
        examples: [
            Example(
                command: "articlesctl show welcome > welcome.md", summary: "save an article, to edit and seed it again"),
            Example(
                command: "articlesctl show welcome --format text --width 80 --color always | less -R",
                summary: "read an article in a pager of your choice"),
            Example(
                command: "articlesctl show welcome --format html > welcome.html", summary: "write a page for a browser"),
        ])

    /// The output format of an article.
    enum Format: String, CaseIterable {
        case markdown, text, html, json
    }

    private let reference: ArticleReference
    private let format: Format?
    private let width: Int?
    private let keepsUnread: Bool

    init(_ parsed: ParsedCommand) throws {
        reference = ArticleReference(parsed.argument("ARTICLE") ?? "")
        width = try parsed.integer("width", in: 20...1000)
        keepsUnread = parsed.flag("keep-unread")
        // Options for colors and width imply laid-out text.
        let isLaidOut = width != nil || parsed.value("color") == ColorChoice.always.rawValue
        format = parsed.value("format").flatMap(Format.init) ?? (isLaidOut ? .text : nil)
    }

    func run(in context: Context) async throws {
        let front = try await context.front()
        let shown = try await context.suggesting { try await context.screen(at: .article(reference), by: front) }
        guard let screen = shown else { return }
        let format = context.json ? .json : format
        switch format {
        case nil:
            try context.write(screen)
            if context.terminal.output.isTerminal, !keepsUnread {
                // A failure does not matter: the user has read it.
                _ = try? await front.send(.marked(.read(true), [reference]))
            }
        case .json: try context.write(screen.json ?? .null)
        case .markdown: try context.write(source: PlainScreen(screen).text)
        case .html:
            guard case .article(let article, _) = screen.model else { return try context.write(screen) }
            let stored = try await context.pictures()
            var pictures: [String: Picture] = [:]
            for (address, picture) in try await stored.pictures(of: article.id) {
                pictures[address] = try await stored.picture(picture.uid)
            }
            try context.write(source: ArticleHTML.page(of: article, pictures: pictures))
        case .text: try context.draw(screen, width: width ?? context.terminal.width)
        }
    }
}
