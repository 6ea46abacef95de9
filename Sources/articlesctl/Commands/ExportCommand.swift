import ArticleExporting
import Arguments
import ArticleStore
import AuthService
import Text
import FlowCoordinators
import Terminal

/// `export`: writes articles for other programs.
struct ExportCommand: Command {
    static let spec = CommandSpec(
        name: "export", summary: "write articles for other programs, or for another library",
        discussion: """
            What is written as jsonl or as markdown, seed reads as the same articles of the same sources, every byte of \
            them; into the library that it came from, it changes nothing. atom and jsonfeed are feeds of the articles, html is \
            a folder of pages for a browser, with an index, tags and feeds, and opml lists the sources that are feeds.

            markdown and html are folders and need --output. Folders and files are written under another name and have their \
            own when they are whole. What is there is left alone, unless --force is given: a file is then replaced; of a \
            folder that an export has written, all that does not begin with a dot; from any other folder nothing is removed.

            With --marks, jsonl and markdown also hold what you have marked the articles with, which is nobody else's to see: seed \
            --marks takes it for whoever is logged in there.

            The options that choose articles are those of list. Like list, this needs a session: a script gives its token \
            in ARTICLESCTL_TOKEN.
            """,
        options: [
            OptionSpec(
                name: "format", short: "f", summary: "what is written", value: "FORMAT",
                values: .choices(ExportFormat.allCases.map(\.rawValue)), defaultValue: ExportFormat.jsonl.rawValue),
            OptionSpec(
                name: "output", short: "o", summary: "the file or folder; - is standard output", value: "PATH",
                values: .file, defaultValue: "-"),
            OptionSpec(name: "force", summary: "replace what is there"),
            OptionSpec(name: "marks", summary: "write what you have marked the articles with, in jsonl and markdown"),
            OptionSpec(
                name: "title", summary: "what a feed, a list of feeds or a folder of pages is called", value: "TEXT",
                defaultValue: ExportOptions().title),
            OptionSpec(
                name: "url", summary: "the address that a feed or a folder of pages will have on the web",
                value: "ADDRESS"),
        ] + ArticleListSetting.query.map(\.option),
        examples: [
            Example(command: "articlesctl export > library.jsonl", summary: "the whole library, to seed it elsewhere"),
            Example(
                command: "articlesctl export --format markdown --source blog --output blog/",
                summary: "a source as a folder of files, to edit and to seed again"),
            Example(
                command: "articlesctl export --format html --output pages/ --title 'What I read'",
                summary: "pages for a browser"),
            Example(
                command: "articlesctl export --format opml --output feeds.opml", summary: "the feeds, for a feed reader"
            ),
        ])

    private let query: ArticleQuery
    private let format: ExportFormat
    private let output: String
    private let isForced: Bool
    private let writesMarks: Bool
    private let options: ExportOptions

    init(_ parsed: ParsedCommand) throws {
        query = try parsed.whole(ArticleListSetting.query)
        format = parsed.value("format").flatMap(ExportFormat.init) ?? .jsonl
        output = parsed.value("output") ?? "-"
        isForced = parsed.flag("force")
        writesMarks = parsed.flag("marks")
        guard !writesMarks || format.isRead else {
            throw parsed.error(.other("--marks is written in jsonl and markdown alone, not in \(format.rawValue)"))
        }
        options = ExportOptions(
            title: parsed.value("title") ?? ExportOptions().title, url: try parsed.webAddress("url"))
        if output == "-", format.isFolder {
            throw parsed.error(.other("\(format.rawValue) is a folder of files: say where it goes with --output"))
        }
    }

    func run(in context: Context) async throws {
        // A user who may see the list may export its articles.
        let target = AppRoute.articles(ArticleList(query: query))
        let front = try context.front()
        try await front.go(to: target) { $0 == target }
        var query = query
        guard let reader = front.application.signedIn.session?.user.id else { throw AuthError.notSignedIn }
        if !query.markCriteria.isEmpty { query.marks.reader = reader }
        let repository = try context.articles()
        try await context.requireKnownNames(of: query, in: repository)
        try await context.completeSearch(for: query)
        // Record the export before it starts, because an interrupted export has already written articles.
        let account = front.application.signedIn.account
        try await account.auth.record(.exported, detail: format.rawValue, by: account.authority)
        let watch = InterruptWatch()
        var progress = ProgressLine(writer: context.error, terminal: context.terminal)
        let clock = ContinuousClock()
        let start = clock.now
        var exporter = ArticleExporter(repository: repository, options: options)
        if writesMarks {
            let marks = try context.marks()
            exporter.marks = {
                try await marks.marks(of: $0, by: reader).filter { !$0.value.isEmpty }.mapValues(\.json)
            }
        }
        let report = try await exporter.run(
            query, as: format, to: destination(in: context), isInterrupted: { watch.signal != nil },
            onProgress: { progress.update("\($0.articles) articles …", now: clock.now - start) })
        progress.erase()
        if report.isInterrupted {
            throw CommandError(
                "interrupted after \(report.articles) articles",
                hint: output == "-" ? "what was written is not whole" : "nothing was written",
                code: watch.signal.flatMap(ExitCode.init(signal:)) ?? .interrupted)
        }
        if output == "-" { return }
        try context.report(
            format == .opml
                ? "\(report.feeds == 1 ? "1 feed" : "\(report.feeds) feeds") in \(output)"
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
