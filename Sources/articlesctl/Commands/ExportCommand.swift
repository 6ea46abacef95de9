import ArticleExporting
import Arguments
import ArticleStore
import AuthService
import Text
import FlowCoordinators
import Terminal

/// `export`: writes articles for other programs.
struct ExportCommand: Command {
    static let name = "export"
    static let spec = CommandSpec(
        name: name, summary: "export articles for other programs or another library",
        discussion: """
            seed reads exports in jsonl and markdown as the same articles of the same sources, byte by byte; in the \
            library that they came from, they change nothing. atom and jsonfeed are feeds of the articles. html is a \
            folder of pages for a browser, with an index, tags, and feeds. opml lists the sources that are feeds.

            markdown and html are folders and need --output. Files and folders get their name only when they are \
            complete. Existing ones are not replaced, unless you pass --force. It replaces a file; in a folder that an \
            export has written, it replaces everything except names that begin with a dot; in any other folder, it \
            removes nothing.

            With --marks, jsonl and markdown also contain your marks, which are private: seed --marks imports them for \
            the user who is logged in there.

            The options that choose articles are those of list. Like list, this command needs a session: a script \
            passes a token in ARTICLESCTL_TOKEN.
            """,
        options: [
            OptionSpec(
                name: "format", short: "f", summary: "the format of the export", value: "FORMAT",
                values: .choices(ExportFormat.allCases.map(\.rawValue)), defaultValue: ExportFormat.jsonl.rawValue),
            OptionSpec(
                name: "output", short: "o", summary: "the file or folder; - is standard output", value: "PATH",
                values: .file, defaultValue: "-"),
            OptionSpec(name: "force", summary: "replace existing files"),
            OptionSpec(name: "marks", summary: "include your marks, in jsonl and markdown"),
            OptionSpec(
                name: "title", summary: "the title of a feed, a list of feeds, or a folder of pages", value: "TEXT",
                defaultValue: ExportOptions().title),
            OptionSpec(
                name: "url", summary: "the address of the feed or the folder of pages on the web",
                value: "ADDRESS"),
        ] + [OptionSpec.saved] + ArticleListSetting.query.map(\.option),
        examples: [
            Example(
                command: "articlesctl export > library.jsonl", summary: "export the whole library, to seed it elsewhere"
            ),
            Example(
                command: "articlesctl export --format markdown --source blog --output blog/",
                summary: "export a source as a folder of files, to edit and seed again"),
            Example(
                command: "articlesctl export --format html --output pages/ --title 'What I read'",
                summary: "export pages for a browser"),
            Example(
                command: "articlesctl export --format opml --output feeds.opml",
                summary: "export the feeds for a feed reader"
            ),
        ])

    private let parsed: ParsedCommand
    private let format: ExportFormat
    private let output: String
    private let isForced: Bool
    private let writesMarks: Bool
    private let options: ExportOptions

    init(_ parsed: ParsedCommand) throws {
        self.parsed = parsed
        // Report mistakes on the command line before anything else.
        _ = try parsed.whole(ArticleListSetting.query)
        format = parsed.value("format").flatMap(ExportFormat.init) ?? .jsonl
        output = parsed.value("output") ?? "-"
        isForced = parsed.flag("force")
        writesMarks = parsed.flag("marks")
        guard !writesMarks || format.isRead else {
            throw parsed.error(.other("--marks needs the format jsonl or markdown, not \(format.rawValue)"))
        }
        options = ExportOptions(
            title: parsed.value("title") ?? ExportOptions().title, url: try parsed.webAddress("url"))
        if output == "-", format.isFolder {
            throw parsed.error(.other("the format \(format.rawValue) writes a folder: pass its path with --output"))
        }
    }

    func run(in context: Context) async throws {
        var query = try parsed.whole(ArticleListSetting.query, from: try await context.savedQuery(parsed))
        // A user who may see the list may export its articles.
        let target = AppRoute.articles(ArticleList(query: query))
        let front = try await context.front()
        try await front.go(to: target) { $0 == target }
        guard let reader = front.application.currentUser.session?.user.id else { throw AuthError.notLoggedIn }
        if query.dependsOnMarks { query.marks.userID = reader }
        let repository = try await context.articles()
        try await context.requireKnownNames(of: query, in: repository)
        try await context.completeSearch(for: query)
        // Record the export before it starts, because an interrupted export has already written articles.
        let account = front.application.currentUser.account
        try await account.auth.record(.exported, detail: format.rawValue, by: account.authority)
        let watch = InterruptWatch()
        var progress = ProgressLine(writer: context.error, terminal: context.terminal)
        let clock = ContinuousClock()
        let start = clock.now
        var exporter = ArticleExporter(repository: repository, options: options)
        exporter.subscriptions = try await context.subscriptions()
        exporter.pictures = try await context.pictures()
        if writesMarks {
            let marks = try await context.marks()
            exporter.marks = {
                try await marks.marks(of: $0, by: reader).filter { !$0.value.isEmpty }.mapValues(\.json)
            }
        }
        let report = try await exporter.run(
            query, as: format, to: destination(in: context), isInterrupted: { watch.signal != nil },
            onProgress: { progress.update("\($0.articles.articles) …", now: clock.now - start) })
        progress.erase()
        if report.isInterrupted {
            throw CommandError(
                "interrupted after \(report.articles.articles)",
                hint: output == "-" ? "the output is incomplete" : "nothing was written",
                code: watch.signal.flatMap(ExitCode.init(signal:)) ?? .interrupted)
        }
        if output == "-" { return }
        try context.report(
            format == .opml
                ? "\(report.feeds.quantity(of: "feed")) in \(output)"
                : "\(report.articles.articles) in \(output)",
            json: [
                "articles": JSON(report.articles), "feeds": JSON(report.feeds), "files": JSON(report.files),
                "path": .string(output),
            ])
    }

    private func destination(in context: Context) -> ExportDestination {
        if output != "-" { return .path(output, replaces: isForced) }
        // Remove control sequences for a terminal.
        let isTerminal = context.terminal.output.isTerminal
        return .stream { bytes in
            if isTerminal {
                let text = String(decoding: bytes, as: UTF8.self)
                try context.output.write(text.sanitized(keeping: [.newline, .tab]))
            } else {
                try context.output.write(bytes)
            }
        }
    }
}
