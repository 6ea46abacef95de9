import ArticleExporting
import Arguments
import ArticleStore
import FlowCoordinators
import Terminal
import Text

/// `show`: shows an article.
struct ShowCommand: Command {
    static let spec = CommandSpec(
        name: "show", aliases: ["cat"], summary: "show an article",
        discussion: """
            On a terminal the article is laid out for reading, through a pager when it is long. Into a pipe goes a file: \
            front matter with all that is known of the article, and its text. seed reads it as the same article, and \
            takes up what was changed in it. Therefore a pipe gets every character as it is, control characters too. On a \
            terminal and in its pager, and with --format text, they are replaced by signs.

            With --format text it is laid out into a pipe as well, for less -R or the preview of another program, and so it \
            is with --width or with --color always, which colours it there too. --format html is a page for a browser that \
            stands by itself: nothing in it runs, and only pictures are loaded. --format json is the same as --json.

            An article that is laid out on a terminal is marked as read by that; one that goes to a program is not.
            """,
        arguments: [ArgumentSpec(name: "ARTICLE", summary: "its number or its slug", values: .names(.article))],
        options: [
            OptionSpec(
                name: "format", short: "f", summary: "what is written, when not what suits a terminal or a pipe",
                value: "FORMAT", values: .choices(Format.allCases.map(\.rawValue))),
            OptionSpec(
                name: "width", short: "w", summary: "how many columns the text is laid out in", value: "COLUMNS"),
            OptionSpec(name: "keep-unread", summary: "do not mark it as read"),
        ],
        examples: [
            Example(command: "articlesctl show welcome > welcome.md", summary: "save it, to edit and to seed it again"),
            Example(
                command: "articlesctl show welcome --format text --width 80 --color always | less -R",
                summary: "read it in a pager of your choice"),
            Example(command: "articlesctl show welcome --format html > welcome.html", summary: "a page for a browser"),
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
        let front = try context.front()
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
            try context.write(source: ArticleHTML.page(of: article))
        case .text: try context.draw(screen, width: width ?? context.terminal.width)
        }
    }
}
