import ArticleImporting
import Arguments
import ArticleStore
import Text
import Platform
import Terminal

/// `seed`: imports articles.
struct SeedCommand: Command {
    /// The maximum number of rejections to print.
    private static let told = 20

    static let spec = CommandSpec(
        name: "seed", aliases: ["import"], summary: "import articles from files, folders or standard input",
        discussion: """
            Reads Markdown and MDX with YAML (---), TOML (+++) or JSON front matter or none, HTML, plain text, JSON (an array or \
            objects), JSON Lines, JSON Feed, RSS and Atom, and what WordPress, Ghost, wallabag, Omnivore, Pocket, \
            Instapaper and browsers export. Folders are read to any depth. There, what ends in another way \
            than .md, .markdown, .mdown, .mdx, .html, .htm, .json, .jsonl, .ndjson or as feeds do is passed over, plain \
            text too, and so are hidden files, folders of dependencies, index pages without a text and symbolic links; \
            all of them are counted, and --verbose names them.

            An article is known by its source, which is the folder, file or feed that is given, and by its key there: the \
            path of its file, else its id, its address, its slug, or title and day. Importing the same again changes \
            nothing, and an article that has changed, or whose file was renamed, keeps its number and its slug. One that was \
            changed or deleted here is left so; --discard-edits takes it as the source has it. --verbose names each article \
            that was inserted, updated, renamed, kept, left out or removed, in a dry run too; with --json as well, each is an \
            object on a line of its own, before the report.

            What has left its source stays in the library, unless --mirror says otherwise: then it is removed after a \
            question, or with --yes. Nothing is removed, and the exit code is 65, when a record could not be read, or when \
            more than half of the source would go and --force is not given.

            A record that is wrong is reported with its file and line, and the rest goes in; with --strict nothing does. \
            The exit code is 65 either way, because a program that sees nothing else must not take an import for whole \
            that lacks articles; a dry run ends as the import would. Of many, the first \(Self.told) are told; --json has \
            them all. An input that cannot be read to its end stops the import with 66; what came before is in. Ctrl-C \
            keeps what is in.

            Front matter and JSON know title, date, author(s), tags, categories, summary, slug, path, language, updated, \
            url and draft, each by the names that blogs and feeds have for it; other keys are kept with the article. \
            Where no date can be read, that of the path or the name is taken, else the file's own time, and how many \
            those were is said at the end.
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
            OptionSpec(
                name: "source", summary: "the name of the source that all of it belongs to; with one PATH",
                value: "NAME"),
            OptionSpec(
                name: "base-url",
                summary: "what relative links are relative to, where the article does not say; empty to take it back",
                value: "URL"),
            OptionSpec(name: "drafts", summary: "import drafts too"),
            OptionSpec(
                name: "marks", summary: "take the marks that an export holds as your own, which needs a log-in"),
            OptionSpec(
                name: "follow-links", summary: "follow symbolic links in a folder that lead to something inside it"),
            OptionSpec(name: "strict", summary: "import nothing when anything is wrong"),
            OptionSpec(name: "dry-run", summary: "report what would happen, and change nothing"),
            OptionSpec(
                name: "verbose", short: "v",
                summary: "name each article that is not as it was, what is passed over, and what has no date"),
            OptionSpec(
                name: "discard-edits", summary: "take articles that were changed or deleted here from the source"),
        ] + SeedMirror.options,
        examples: [
            Example(command: "articlesctl seed posts/ notes.md", summary: "a folder and a file"),
            Example(command: "articlesctl seed --mirror posts/", summary: "a folder, and remove what is gone from it"),
            Example(command: "curl -s https://example.org/feed.json | articlesctl seed -", summary: "standard input"),
        ])

    private let paths: [String]
    private let sources: [ImportSource]
    private let options: ImportOptions
    private let mirror: SeedMirror
    private let takesMarks: Bool
    private let isVerbose: Bool

    init(_ parsed: ParsedCommand) throws {
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
            let problem = "--source names one source, and each PATH is one of its own: give one PATH with it"
            throw parsed.error(.other(problem))
        }
        isVerbose = parsed.flag("verbose")
        takesMarks = parsed.flag("marks")
    }

    func run(in context: Context) async throws {
        var mirror = mirror
        try mirror.check(isDryRun: options.isDryRun, in: context)
        try checkReadable()
        // Check the permission before anything is imported.
        let reader = takesMarks ? try await context.reader(mayWrite: true) : nil
        let marks = try context.marks()
        var merged = MarkMerge()
        var marksLeftOut = 0
        let options = context.importing(options)
        let repository = try context.articles(recording: "seed: \(paths.joined(separator: ", "))")
        let watch = InterruptWatch()
        var progress = ProgressLine(writer: context.error, terminal: context.terminal)
        let clock = ContinuousClock()
        let start = clock.now
        var told = Told()
        var rejected = 0
        var failure: (any Error)?
        if sources.contains(.standardInput), context.terminal.input.isTerminal {
            context.say("Reading from the terminal; Ctrl-D on a line of its own ends it.")
        }
        func say(_ text: String) {
            progress.erase()
            context.say(text)
        }

        let report = try await ArticleImporter(repository: repository, options: options).run(
            sources, isInterrupted: { watch.signal != nil },
            reportsArticles: isVerbose,
            onEvent: { [isVerbose] event in
                switch event {
                case .rejected(let rejection):
                    if context.json { return told.rejections.append(Self.json(rejection)) }
                    rejected += 1
                    if rejected <= Self.told { say(rejection.description) }
                case .skipped(let file):
                    if context.json { return told.skippedFiles.append(Self.json(file)) }
                    if isVerbose || file.isDocument { say(file.description) }
                case .assumedDate(let date):
                    if context.json { return told.assumedDates.append(Self.json(date)) }
                    if isVerbose { say(date.description) }
                case .article(let article):
                    guard context.json else { return say(article.description) }
                    // Print each article immediately, because there may be a million. The report is the last line.
                    do { try context.output.writeLine(Self.json(article).description) } catch {
                        failure = failure ?? error
                    }
                case .progress(let report):
                    progress.update("\(report.processed) articles …", now: clock.now - start)
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
        if rejected > Self.told { context.say("… and \(rejected - Self.told) more, which --json has") }
        if let warning = report.dateWarning { context.say("warning: \(warning)") }
        for name in report.mergedSources {
            context.say("“\(name)” lies in what was read: its articles are of that source now.")
        }
        mirror.tell(report, isDryRun: options.isDryRun, in: context)
        if marksLeftOut > 0 {
            context.say("\(marksLeftOut.marks) left out: what stands there can be none.")
        }
        if merged.tagsLeftOut > 0 {
            let most = "\(MarkError.mostTags) of yours, and all together \(MarkError.mostOwnTags) different ones"
            context.say("\(merged.tagsLeftOut.tags) left out: an article has at most \(most).")
        }
        if report.kept + report.deleted > 0 {
            context.say("What was changed or deleted here is left so; --discard-edits takes it from the source.")
        }

        try context.report(
            (options.isDryRun ? "Would be: " : "") + "\(report)"
                + (merged.articles > 0 ? "; marked \(merged.articles.articles)" : ""),
            json: json(
                report, told,
                marks: takesMarks
                    ? [
                        JSON.Member("marked", JSON(merged.articles)),
                        JSON.Member("marksLeftOut", JSON(marksLeftOut + merged.tagsLeftOut)),
                    ] : []))
        if report.waiting > 0 {
            context.say(
                "Searches do not find \(report.waiting) articles yet. What is written next takes some along; all at once: "
                    + "articlesctl index")
        }
        try check(report, mirror, signal: watch.signal)
    }

    /// The events of an import, for JSON output.
    private struct Told {
        var rejections: [JSON] = []
        var skippedFiles: [JSON] = []
        var assumedDates: [JSON] = []
    }

    /// - Throws: `CommandError` if not everything was imported. It is the last message.
    private func check(_ report: ImportReport, _ mirror: SeedMirror, signal: Int32?) throws {
        let isUnchanged =
            options.isStrict || options.isDryRun
            || report.inserted + report.updated + report.renamed + report.removed == 0
        let rest = isUnchanged ? "nothing was changed" : "what is reported above is in; run it again to go on"
        if report.isInterrupted {
            throw CommandError(
                "interrupted after \(report.processed) articles", hint: rest,
                code: signal.flatMap(ExitCode.init(signal:)) ?? .interrupted)
        }
        if let failure = report.failure {
            throw CommandError("\(failure)", hint: rest, code: .noInput)
        }
        guard report.rejected > 0 else { return try mirror.finish(report) }
        let rejected = "\(report.rejected) \(report.rejected == 1 ? "record is" : "records are") wrong"
        if options.isStrict {
            throw CommandError(
                "nothing was imported: \(rejected)",
                hint: "mend what is reported above, or leave out --strict to import the rest", code: .badData)
        }
        if report.processed == 0 {
            throw CommandError(
                "nothing was imported: \(rejected)",
                hint: "mend what is reported above; what can be read is in: articlesctl help seed", code: .badData)
        }
        throw CommandError(
            "\(rejected), of \(report.processed + report.rejected)",
            hint: options.isDryRun
                ? "mend what is reported above; the rest would go in" : "mend what is reported above; the rest is in",
            code: .badData)
    }

    /// - Throws: `CommandError` if a named file or folder cannot be read. A file inside a folder is rejected instead.
    private func checkReadable() throws {
        for case .path(let path) in sources where access(path, R_OK) != 0 && errno == EACCES {
            throw CommandError(
                "\(path.sanitized()) cannot be read: permission denied", hint: "make it readable for you",
                code: .noInput)
        }
    }

    private func json(_ report: ImportReport, _ told: Told, marks: [JSON.Member]) -> JSON {
        let counts: [(String, Int)] = [
            ("inserted", report.inserted), ("updated", report.updated), ("renamed", report.renamed),
            ("unchanged", report.unchanged), ("kept", report.kept), ("leftOut", report.deleted),
            ("skipped", report.skippedDrafts), ("passedOver", report.skippedFiles),
        ]
        return .object(
            counts.map { JSON.Member($0, JSON($1)) } + SeedMirror.json(report) + [
                JSON.Member("rejected", .array(told.rejections)),
                JSON.Member("notRead", .array(told.skippedFiles)),
                // A strict import that was refused has not used any date.
                JSON.Member("assumedDates", .array(report.assumedDates.isEmpty ? [] : told.assumedDates)),
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
    fileprivate var marks: String { self == 1 ? "1 mark was" : "\(self) marks were" }
    fileprivate var tags: String { self == 1 ? "1 tag was" : "\(self) tags were" }
}

extension ImportReport {
    /// The number of articles without errors.
    fileprivate var processed: Int { inserted + updated + renamed + unchanged + kept + deleted }
}
