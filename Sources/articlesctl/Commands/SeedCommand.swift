import ArticleStore
import Platform
import Terminal
import Text

/// `seed`: imports articles.
struct SeedCommand: Command {
    /// How many rejections a person is told.
    private static let told = 20

    static let spec = CommandSpec(
        name: "seed", aliases: ["import"], summary: "import articles from files, folders or standard input",
        discussion: """
            Reads Markdown with YAML (---) or TOML (+++) front matter or none, HTML, plain text, JSON (an array or \
            objects), JSON Lines and JSON Feed; RSS and Atom are not read. Folders are read to any depth; what has \
            another ending there than .md, .markdown, .mdown, .html, .htm, .json, .jsonl or .ndjson is passed over and \
            counted, plain text too. An article is known by its slug: importing the same again changes \
            nothing, and a changed article keeps its number. Of two different records with one slug, the first goes in and \
            the other is reported.

            A record that is wrong is reported with its file and line, and the rest goes in; with --strict nothing does, \
            and the exit code is 65. It is 65 too when nothing but wrong records was found. Of many, the first \(Self.told) \
            are told; --json has them all. Ctrl-C keeps what is in.

            Front matter and JSON know title, date, author(s), tags, categories, category, summary, description, \
            excerpt, slug, path, permalink, lang, updated, url, draft, published, date_published and \
            date_modified; other keys are kept with the article.
            """,
        arguments: [
            ArgumentSpec(
                name: "PATH", summary: "files and folders; - is standard input", isRepeating: true, values: .file)
        ],
        options: [
            OptionSpec(
                name: "format", short: "f", summary: "the format, when names and first bytes mislead", value: "FORMAT",
                values: .choices(ImportFormat.allCases.map(\.rawValue))),
            OptionSpec(
                name: "encoding", summary: "the encoding of what does not say it, such as windows-1252", value: "NAME"),
            OptionSpec(name: "author", short: "a", summary: "the author of articles that name none", value: "NAME"),
            OptionSpec(name: "drafts", summary: "import drafts too"),
            OptionSpec(name: "strict", summary: "import nothing when anything is wrong"),
            OptionSpec(name: "dry-run", summary: "report what would happen, and change nothing"),
        ],
        examples: [
            Example(command: "articlesctl seed posts/ notes.md", summary: "a folder and a file"),
            Example(command: "curl -s https://example.org/feed.json | articlesctl seed -", summary: "standard input"),
        ])

    private let sources: [ImportSource]
    private let options: ImportOptions

    init(_ parsed: ParsedCommand) {
        sources = parsed.arguments("PATH").map { $0 == "-" ? .standardInput : .path($0) }
        options = ImportOptions(
            format: parsed.value("format").flatMap(ImportFormat.init), encoding: parsed.value("encoding"),
            author: parsed.value("author"), isStrict: parsed.flag("strict"), isDryRun: parsed.flag("dry-run"),
            includesDrafts: parsed.flag("drafts"))
    }

    func run(in context: Context) async throws {
        try checkReadable()
        let options = context.importing(options)
        let repository = SQLiteArticleRepository(database: try context.database(), clock: context.clock)
        let watch = InterruptWatch()
        var progress = ProgressLine(writer: context.error, terminal: context.terminal)
        let clock = ContinuousClock()
        let start = clock.now
        var rejections: [JSON] = []
        var rejected = 0
        if sources.contains(.standardInput), context.terminal.input.isTerminal {
            context.say("Reading from the terminal; Ctrl-D on a line of its own ends it.")
        }

        let report = try await ArticleImporter(repository: repository, options: options).run(
            sources, isInterrupted: { watch.signal != nil },
            onRejection: { rejection in
                if context.json { return rejections.append(Self.json(rejection)) }
                rejected += 1
                guard rejected <= Self.told else { return }
                progress.erase()
                context.say(rejection.description)
            },
            onProgress: { report in
                progress.update("\(report.processed) articles …", now: clock.now - start)
            })
        progress.erase()
        if rejected > Self.told { context.say("… and \(rejected - Self.told) more, which --json has") }

        try context.report((options.isDryRun ? "Would be: " : "") + "\(report)", json: json(report, rejections))
        if report.isInterrupted {
            throw CommandError(
                "interrupted after \(report.processed) articles",
                hint: options.isStrict || options.isDryRun || report.inserted + report.updated == 0
                    ? "nothing was changed" : "what is reported above is in; run it again to go on",
                code: watch.signal.flatMap(ExitCode.init(signal:)) ?? .interrupted)
        }
        if report.rejected > 0, options.isStrict || report.processed == 0 {
            throw CommandError(
                "nothing was imported: \(report.rejected) \(report.rejected == 1 ? "record is" : "records are") wrong",
                hint: options.isStrict
                    ? "mend what is reported above, or leave out --strict to import the rest"
                    : "mend what is reported above; what can be read is in: articlesctl help seed", code: .badData)
        }
    }

    /// - Throws: `CommandError` when a file or folder that was named may not be read. One inside a folder is a rejection.
    private func checkReadable() throws {
        for case .path(let path) in sources where access(path, R_OK) != 0 && errno == EACCES {
            throw CommandError(
                "\(path) cannot be read: permission denied", hint: "make it readable for you", code: .noInput)
        }
    }

    private func json(_ report: ImportReport, _ rejections: [JSON]) -> JSON {
        [
            "inserted": JSON(report.inserted), "updated": JSON(report.updated), "unchanged": JSON(report.unchanged),
            "skipped": JSON(report.skipped), "passedOver": JSON(report.passedOver),
            "rejected": .array(rejections), "interrupted": .bool(report.isInterrupted),
            "dryRun": .bool(options.isDryRun),
        ]
    }

    private static func json(_ rejection: Rejection) -> JSON {
        [
            "source": .string(rejection.source), "line": rejection.line.map { JSON($0) } ?? .null,
            "reason": .string(rejection.reason),
        ]
    }
}

extension ImportReport {
    /// How many articles were looked at and are right.
    fileprivate var processed: Int { inserted + updated + unchanged }
}
