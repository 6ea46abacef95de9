import ArticleImporting
import Arguments
import ArticleStore
import Text
import Platform
import Terminal

/// `seed`: imports articles.
struct SeedCommand: Command {
    /// The maximum number of rejections to print.
    private static let maximumListed = 20

    static let name = "seed"
    static let aliases = ["import"]
    static let spec = CommandSpec(
        name: name, aliases: aliases, summary: "import articles from files, folders, or standard input",
        discussion: """
            Reads Markdown and MDX with YAML (---), TOML (+++), JSON, or no front matter; HTML; plain text; JSON (an \
            array or objects); JSON Lines; JSON Feed; RSS and Atom; exports of WordPress, Ghost, wallabag, Omnivore, \
            Pocket, Instapaper, Miniflux, FreshRSS, and browsers; and lists of feeds (OPML, and newsboat's urls), to \
            which it subscribes. Folders are read recursively. In a folder, seed reads only \
            files that end in .md, .markdown, .mdown, .mdx, .html, .htm, .json, .jsonl, or .ndjson, or like feeds. It \
            skips other files including plain text, hidden files, folders of dependencies, index pages without a text, \
            and symbolic links. It counts the skipped files, and --verbose names them.

            An article is identified by its source and its key. The source is the given folder, file, or feed. The key \
            is the path of its file, else its ID, its address, its slug, or its title and day. Importing the same \
            input again changes nothing. An article that has changed, or whose file was renamed, keeps its number and \
            its slug. Articles that you edited or deleted in the library stay that way; --discard-edits imports them \
            from the source. --verbose names each article that was inserted, updated, renamed, kept, skipped, or \
            removed, also in a dry run; with --json, each is an object on its own line before the report.

            Articles that are gone from their source stay in the library. With --mirror they are removed after a \
            confirmation, or with --yes. If a record cannot be read, or if more than half of the source would be \
            removed without --force, nothing is removed, and the exit code is 65.

            Invalid records are reported with their file and line, and the others are imported; with --strict, nothing \
            is imported then. The exit code is 65 in both cases, so that a script can detect an incomplete import; a \
            dry run returns the same code as the import. Only the first \(Self.maximumListed) of many are shown; --json has all \
            of them. If an input cannot be read completely, the import stops with 66 and keeps the articles before \
            that point. Ctrl-C also keeps them.

            Front matter and JSON may contain title, date, author(s), tags, categories, summary, slug, path, language, \
            updated, url, and draft, under the usual names of blogs and feeds; other keys are stored with the article. \
            If the date is missing, seed uses the date in the path or the file name, else the modification time of the \
            file, and reports how often.
            """,
        arguments: [
            ArgumentSpec(
                name: "PATH", summary: "files and folders; - is standard input", isRepeating: true, values: .file)
        ],
        options: [
            OptionSpec(
                name: "format", short: "f", summary: "the format, if the name and the first bytes are misleading",
                value: "FORMAT",
                values: .choices(ImportFormat.allCases.map(\.rawValue))),
            OptionSpec(
                name: "encoding", summary: "the encoding of input that does not declare one, such as windows-1252",
                value: "NAME"),
            OptionSpec(name: "author", short: "a", summary: "the author of articles without one", value: "NAME"),
            OptionSpec(
                name: "source", summary: "the name of the source of all articles; only with one PATH",
                value: "NAME"),
            OptionSpec(
                name: "base-url",
                summary: "the base URL of relative links in articles without one; empty to remove it",
                value: "URL"),
            OptionSpec(name: "drafts", summary: "also import drafts"),
            OptionSpec(
                name: "marks", summary: "import the marks in an export as yours, which needs a login"),
            OptionSpec(
                name: "follow-links", summary: "follow symbolic links that lead to something inside the folder"),
            OptionSpec(name: "strict", summary: "import nothing if a record is invalid"),
            OptionSpec(name: "dry-run", summary: "report what would happen, and change nothing"),
            OptionSpec(
                name: "verbose", short: "v",
                summary: "name each changed article, each skipped file, and each article without a date"),
            OptionSpec(
                name: "discard-edits", summary: "import articles again that were edited or deleted in the library"),
        ] + SeedMirror.options + Context.fetchOptions,
        examples: [
            Example(command: "articlesctl seed posts/ notes.md", summary: "import a folder and a file"),
            Example(
                command: "articlesctl seed --mirror posts/",
                summary: "import a folder, and remove articles that are gone from it"),
            Example(
                command: "curl -s https://example.org/feed.json | articlesctl seed -", summary: "import standard input"),
        ])

    private let paths: [String]
    private let sources: [ImportSource]
    private let options: ImportOptions
    private let mirror: SeedMirror
    private let takesMarks: Bool
    private let isVerbose: Bool
    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) throws {
        self.parsed = parsed
        mirror = try SeedMirror(parsed)
        paths = parsed.arguments("PATH")
        sources = paths.map { $0 == "-" ? .standardInput : .path($0) }
        options = ImportOptions(
            source: try parsed.sourceName("source"),
            format: parsed.value("format").flatMap { ImportFormat(rawValue: $0) },
            encoding: parsed.value("encoding"), author: parsed.value("author"),
            home: parsed.value("base-url") == "" ? "" : try parsed.webAddress("base-url"),
            isStrict: parsed.flag("strict"), isDryRun: parsed.flag("dry-run"), includesDrafts: parsed.flag("drafts"),
            followsLinks: parsed.flag("follow-links"),
            overwritesEdits: parsed.flag("discard-edits"), mirror: mirror.mirror)
        guard options.source == nil || sources.count == 1 else {
            let problem = "--source needs exactly one PATH, because each PATH is a source of its own"
            throw parsed.error(.other(problem))
        }
        isVerbose = parsed.flag("verbose")
        takesMarks = parsed.flag("marks")
    }

    func run(in context: Context) async throws {
        var mirror = mirror
        try mirror.check(isDryRun: options.isDryRun, in: context)
        try checkReadable()
        // Check that the user may change marks before anything is imported.
        let reader = takesMarks ? try await context.reader(mayWrite: true) : nil
        let marks = try await context.marks()
        var merged = MarkMerge()
        var marksLeftOut = 0
        let options = context.importing(options)
        let repository = try await context.articles(recording: "seed: \(paths.joined(separator: ", "))")
        let pictures = options.isDryRun ? nil : try await context.pictureFetcher(parsed)
        let watch = InterruptWatch()
        var progress = ProgressLine(writer: context.error, terminal: context.terminal)
        let clock = ContinuousClock()
        let start = clock.now
        var events = ReportedEvents()
        var rejected = 0
        var failure: (any Error)?
        if sources.contains(.standardInput), context.terminal.input.isTerminal {
            context.say("Reading from the terminal; to finish, press Ctrl-D on an empty line.")
        }
        func say(_ text: String) {
            progress.erase()
            context.say(text)
        }

        let report = try await ArticleImporter(
            repository: repository, subscriptions: try await context.subscriptions(), options: options
        ).run(
            sources, isInterrupted: { watch.signal != nil },
            reportsArticles: isVerbose,
            onEvent: { [isVerbose] event in
                switch event {
                case .rejected(let rejection):
                    if context.json { return events.rejections.append(Self.json(rejection)) }
                    rejected += 1
                    if rejected <= Self.maximumListed { say(rejection.description) }
                case .skipped(let file):
                    if context.json { return events.skippedFiles.append(Self.json(file)) }
                    if isVerbose || file.isDocument { say(file.description) }
                case .note(let text): if !context.json { say(text) }
                case .assumedDate(let date):
                    if context.json { return events.assumedDates.append(Self.json(date)) }
                    if isVerbose { say(date.description) }
                case .article(let article):
                    guard context.json else { return say(article.description) }
                    // Print each article immediately, because there may be a million. The report is the last line.
                    do { try context.output.writeLine(Self.json(article).description) } catch {
                        failure = failure ?? error
                    }
                case .progress(let report):
                    progress.update(
                        report.waiting > 0 ? report.waiting.notIndexedYet : "\(report.processed.articles) …",
                        now: clock.now - start)
                }
            },
            confirmRemoval: { missing in
                progress.erase()
                return try mirror.agrees(to: missing, in: context)
            },
            storeMarks: { found in
                guard let reader, !found.isEmpty else { return }
                let read = found.mapValues { ArticleMarks($0, leftOut: &marksLeftOut) }
                let step = try await marks.merge(read, by: reader, at: context.clock())
                merged.articles += step.articles
                merged.tagsLeftOut += step.tagsLeftOut
            })
        progress.erase()
        if let failure { throw failure }
        if rejected > Self.maximumListed {
            context.say("… and \(rejected - Self.maximumListed) more; use --json to list all")
        }
        if let warning = report.dateWarning { context.say("warning: \(warning)") }
        for name in report.mergedSources {
            context.say(
                "“\(name)” is inside an imported folder: its articles \(options.isDryRun ? "would" : "now") belong to "
                    + "the source of that folder.")
        }
        mirror.tell(report, isDryRun: options.isDryRun, in: context)
        if marksLeftOut > 0 {
            context.say("\(marksLeftOut.marks) skipped: the marks are invalid.")
        }
        if merged.tagsLeftOut > 0 {
            let most = "\(MarkError.mostTags) of your tags, and you can have \(MarkError.mostOwnTags) different tags"
            context.say("\(merged.tagsLeftOut.tags) skipped: an article can have at most \(most).")
        }
        if report.kept + report.deleted > 0 {
            context.say(
                "Articles that were edited or deleted in the library were not imported; to import them, use --discard-edits."
            )
        }

        try context.report(
            (options.isDryRun ? "Dry run: " : "") + "\(report)"
                + (merged.articles > 0 ? "; marked \(merged.articles.articles)" : ""),
            json: json(
                report, events,
                marks: takesMarks
                    ? [
                        JSON.Member("marked", JSON(merged.articles)),
                        JSON.Member("marksLeftOut", JSON(marksLeftOut + merged.tagsLeftOut)),
                    ] : []))
        if !options.isDryRun {
            try await context.applyRules()
            // After Ctrl-C, a later command fetches the pictures. The check below reports the signal.
            if watch.signal == nil { try? await context.fetchPictures(by: pictures) }
        }
        if report.waiting > 0 {
            context.say(
                report.waiting.quantity(of: "article is", "articles are")
                    + " not indexed for searches yet. To index now: articlesctl index")
        }
        try check(report, mirror, signal: watch.signal)
    }

    /// The events of an import, for JSON output.
    private struct ReportedEvents {
        var rejections: [JSON] = []
        var skippedFiles: [JSON] = []
        var assumedDates: [JSON] = []
    }

    /// - Throws: `CommandError` if not everything was imported. It is the last message.
    private func check(_ report: ImportReport, _ mirror: SeedMirror, signal: Int32?) throws {
        let isUnchanged =
            options.isStrict || options.isDryRun
            || report.inserted + report.updated + report.renamed + report.removed == 0
        let rest =
            isUnchanged ? "nothing was changed" : "the articles reported above are imported; run it again to continue"
        if report.isInterrupted {
            throw CommandError(
                "interrupted after \(report.processed.articles)", hint: rest,
                code: signal.flatMap(ExitCode.init(signal:)) ?? .interrupted)
        }
        if let failure = report.failure {
            throw CommandError("\(failure)", hint: rest, code: .noInput)
        }
        guard report.rejected > 0 else { return try mirror.finish(report) }
        let rejected = report.rejected.quantity(of: "record is", "records are") + " invalid"
        if options.isStrict {
            throw CommandError(
                "nothing was imported: \(rejected)",
                hint: "correct the records reported above, or import the rest without --strict", code: .badData)
        }
        if report.processed + report.feeds.count == 0 {
            throw CommandError(
                "nothing was imported: \(rejected)",
                hint: "correct the records reported above; for the supported formats, see: articlesctl help seed",
                code: .badData)
        }
        throw CommandError(
            "\(rejected), of \(report.processed + report.feeds.count + report.rejected)",
            hint: options.isDryRun
                ? "correct the records reported above; the rest would be imported"
                : "correct the records reported above; the rest is imported",
            code: .badData)
    }

    /// - Throws: `CommandError` if a named file or folder cannot be read. A file inside a folder is rejected instead.
    private func checkReadable() throws {
        for case .path(let path) in sources where access(path, R_OK) != 0 && errno == EACCES {
            throw CommandError(
                "cannot read \(path.sanitized()): permission denied", hint: "check the permissions of the file",
                code: .noInput)
        }
    }

    private func json(_ report: ImportReport, _ events: ReportedEvents, marks: [JSON.Member]) -> JSON {
        let counts: [(String, Int)] = [
            ("inserted", report.inserted), ("updated", report.updated), ("renamed", report.renamed),
            ("unchanged", report.unchanged), ("kept", report.kept), ("leftOut", report.deleted),
            ("skipped", report.skippedDrafts), ("passedOver", report.skippedFiles), ("subscribed", report.subscribed),
        ]
        return .object(
            counts.map { JSON.Member($0, JSON($1)) } + SeedMirror.json(report) + [
                JSON.Member("rejected", .array(events.rejections)),
                JSON.Member("notRead", .array(events.skippedFiles)),
                // A strict import that was refused has not used any date.
                JSON.Member("assumedDates", .array(report.assumedDates.isEmpty ? [] : events.assumedDates)),
                JSON.Member("sources", JSON(report.sources)),
                JSON.Member("joined", JSON(report.mergedSources)),
                JSON.Member("waiting", JSON(report.waiting)),
                JSON.Member("failure", report.failure.map(Self.json) ?? .null),
                JSON.Member("interrupted", .bool(report.isInterrupted)),
                JSON.Member("dryRun", .bool(options.isDryRun)),
            ] + marks)
    }

    private static func json(_ article: ImportedArticle) -> JSON {
        [
            "article": .string(article.slug), "outcome": .string(article.outcome.rawValue),
            "place": .string(article.place), "line": article.line.map { JSON($0) } ?? .null,
        ]
    }

    private static func json(_ failure: InputFailure) -> JSON {
        [
            "source": .string(failure.source), "bytes": JSON(failure.bytes), "reason": .string(failure.reason),
        ]
    }

    private static func json(_ file: SkippedFile) -> JSON {
        ["source": .string(file.source), "reason": .string(file.reason)]
    }

    private static func json(_ date: AssumedDate) -> JSON {
        [
            "source": .string(date.source), "line": date.line.map { JSON($0) } ?? .null, "written": JSON(date.written),
            "taken": JSON(date.taken.map { RFC3339.string(from: $0) }), "from": .string(date.basis.rawValue),
        ]
    }

    private static func json(_ rejection: Rejection) -> JSON {
        [
            "source": .string(rejection.source), "line": rejection.line.map { JSON($0) } ?? .null,
            "reason": .string(rejection.reason),
        ]
    }
}

extension Int {
    fileprivate var marks: String { quantity(of: "mark was", "marks were") }
    fileprivate var tags: String { quantity(of: "tag was", "tags were") }
}

extension ImportReport {
    /// The number of articles without errors.
    fileprivate var processed: Int { inserted + updated + renamed + unchanged + kept + deleted }
}
