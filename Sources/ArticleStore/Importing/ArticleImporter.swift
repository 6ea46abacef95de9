public import Text

/// Imports articles from files, folders, and streams into a library.
///
/// An article is identified by its source and its key there, so that a second import of the same input changes nothing.
/// The key is the path of a file below its folder, or the ID of an entry of a feed. For other records it is the ID,
/// else the address, else the slug, else the title and day. If a slug is taken, the new article gets a different one.
///
/// In memory are one record at a time (for Markdown, HTML, and text: one file), up to 1,000 entries or 8 MiB of a feed,
/// whose IDs are compared, and about sixty bytes for each record that was read, to recognize its key. Articles are
/// stored in batches of 14,400 articles or 64 MiB, each in one transaction. Smaller batches write the pages of the
/// indexes more often; larger ones block other writers for longer.
public struct ArticleImporter: Sendable {
    private let repository: any ArticleRepository
    private let options: ImportOptions

    private static let batchCount = 14_400
    private static let batchSize = 64 << 20
    /// The number of articles to read before the importer asks what is known about their source. With that, it skips
    /// unchanged records. For fewer articles, the question does not pay off.
    private static let firstCount = batchCount / 16

    /// Creates an importer for a repository.
    public init(repository: any ArticleRepository, options: ImportOptions = ImportOptions()) {
        self.repository = repository
        self.options = options
    }

    /// Imports all sources, in their order.
    ///
    /// - Parameters:
    ///   - sources: files, folders, and standard input.
    ///   - isInterrupted: called before each record and each time that more is read. If it returns true, the import
    ///     stops, as it does if its task is canceled. Articles that were read so far are still stored, unless the
    ///     import is strict or a dry run.
    ///   - onRejection: called for each rejected record, immediately.
    ///   - onPassedOver: called for each file, folder, or link in a folder that is skipped.
    ///   - onAssumedDate: called for each article whose date was assumed.
    ///   - onArticle: called for each article that was changed or skipped; nil saves the comparison. It is called after
    ///     a batch is stored. In a strict import and a dry run it is called immediately; if a strict import fails in
    ///     the end, none of these articles is stored.
    ///   - onProgress: called with the progress from time to time.
    ///   - confirm: called before articles that have left their source are removed; false keeps them.
    ///   - onMarks: called with the marks of a user in a library export, by article ID, after these articles are
    ///     stored. The importer does not interpret them. A dry run does not call it.
    /// - Throws: ``ImportError`` before anything is stored, and errors of the repository. Articles of earlier batches
    ///   stay stored. A faulty record is not an error but a rejection.
    public func run(
        _ sources: [ImportSource], isInterrupted: @escaping () -> Bool = { false },
        onRejection: (Rejection) -> Void = { _ in }, onPassedOver: @escaping (PassedOver) -> Void = { _ in },
        onAssumedDate: (AssumedDate) -> Void = { _ in }, onArticle: ((ImportedArticle) -> Void)? = nil,
        onProgress: (ImportReport) -> Void = { _ in },
        confirm: (Departure) async throws -> Bool = { _ in true },
        onMarks: (_ marks: [Int64: JSON]) async throws -> Void = { _ in }
    ) async throws -> ImportReport {
        let isStopped = { isInterrupted() || Task.isCancelled }
        let roots = sources.compactMap(\.root)
        var run = Run(
            stream: try DraftStream(
                sources, options: options, isInterrupted: isStopped, onPassedOver: onPassedOver), options: options,
            roots: roots, isStopped: isStopped)
        guard options.isStrict || options.isDryRun else {
            try await runInBatches(&run, onRejection, onAssumedDate, onArticle, onProgress, onMarks)
            return try await follow(try await finish(&run, onArticle, confirm), isStopped)
        }
        do {
            try run.stream.spool(in: options.temporaryFolder)
        } catch is ImportStoppedError {
            run.report.isInterrupted = true
            return run.report
        }
        let isIn = try await runInOneTransaction(&run, onRejection, onAssumedDate, onArticle, onProgress)
        guard isIn else { return run.report }
        try await onMarks(run.takeMarks())
        return try await follow(try await finish(&run, onArticle, confirm), isStopped)
    }

    /// Adds the imported articles to the search index. All of them are searchable afterwards unless the import is
    /// stopped.
    private func follow(_ report: ImportReport, _ isStopped: () -> Bool) async throws -> ImportReport {
        var report = report
        do {
            repeat {
                report.waiting = try await repository.advanceSearch()
            } while report.waiting > 0 && !isStopped()
        } catch let error as StoreError where error.kind == .interrupted && isStopped() {
            // The articles are stored, and become searchable later.
        }
        return report
    }

    private func runInBatches(
        _ run: inout Run, _ onRejection: (Rejection) -> Void, _ onAssumedDate: (AssumedDate) -> Void,
        _ onArticle: ((ImportedArticle) -> Void)?, _ onProgress: (ImportReport) -> Void,
        _ onMarks: ([Int64: JSON]) async throws -> Void
    ) async throws {
        var isAtEnd = false
        // A library without sources is empty, so nothing is known yet.
        var limit = try await repository.sources().isEmpty ? Self.batchCount : Self.firstCount
        while !isAtEnd {
            var batch: [Run.Step] = []
            var (count, size) = (0, 0)
            do {
                while count < limit, size < Self.batchSize, !isAtEnd {
                    guard let step = try run.next(onRejection) else {
                        isAtEnd = true
                        break
                    }
                    count += 1
                    switch step {
                    case .article(let article): size += article.size
                    case .sources, .feeds: break
                    case .nothing: continue
                    }
                    batch.append(step)
                }
            } catch is ImportStoppedError {
                run.report.isInterrupted = true
                isAtEnd = true
            } catch let failure as InputFailure {
                run.note(failure)
                isAtEnd = true
            }
            if !batch.isEmpty {
                let before = run.report
                var articles: [ImportedArticle] = []
                let note: ((ImportedArticle) -> Void)? = onArticle == nil ? nil : { articles.append($0) }
                do {
                    try await repository.write { writer in
                        for step in batch { try run.take(step, by: writer, onAssumedDate, note) }
                        if !isAtEnd { try run.learn(by: writer) }
                    }
                } catch let error as StoreError where error.kind == .interrupted && run.isStopped() {
                    // Stopped while waiting for another process: nothing of the batch is stored.
                    run.report = before
                    run.report.isInterrupted = true
                    return
                }
                if let onArticle { articles.forEach(onArticle) }
                try await onMarks(run.takeMarks())
            }
            limit = Self.batchCount
            onProgress(run.report)
        }
    }

    /// Rolls a transaction back.
    private struct RollBackError: Error {}

    /// - Returns: whether the articles were stored.
    private func runInOneTransaction(
        _ run: inout Run, _ onRejection: (Rejection) -> Void, _ onAssumedDate: (AssumedDate) -> Void,
        _ onArticle: ((ImportedArticle) -> Void)?, _ onProgress: (ImportReport) -> Void
    ) async throws -> Bool {
        do {
            return try await repository.write { writer in
                do {
                    while let step = try run.next(onRejection) {
                        // After the first rejection, the rest is only checked.
                        if options.isStrict, run.report.rejected > 0 { continue }
                        try run.take(step, by: writer, onAssumedDate, onArticle)
                        if run.report.taken % Self.firstCount == 0 { try run.learn(by: writer) }
                        if run.report.taken % Self.batchCount == 0 { onProgress(run.report) }
                    }
                } catch is ImportStoppedError {
                    run.report.isInterrupted = true
                } catch let failure as InputFailure {
                    run.note(failure)
                }
                if options.isStrict, run.report.rejected > 0 || !run.report.isWhole {
                    run.report.forgetChanges()
                    throw RollBackError()
                }
                if options.isDryRun {
                    run.report.departures = try run.departures(writer)
                    if let onArticle {
                        for departure in run.report.departures {
                            try ImportedArticle.removed(departure, by: writer, onArticle)
                        }
                    }
                    run.noteSources()
                    throw RollBackError()
                }
                return true
            }
        } catch is RollBackError {
            return false
        } catch let error as StoreError where error.kind == .interrupted && run.isStopped() {
            run.report.forgetChanges()
            run.report.isInterrupted = true
            return false
        }
    }

    /// Removes articles that have left their sources, and records the result of the import in the sources.
    private func finish(
        _ run: inout Run, _ onArticle: ((ImportedArticle) -> Void)?, _ confirm: (Departure) async throws -> Bool
    ) async throws -> ImportReport {
        do {
            let departures = try await repository.write { writer in
                let departures = try run.departures(writer)
                try run.noteEnd(by: writer)
                return departures
            }
            for departure in departures where try await confirm(departure) {
                var removed: [ImportedArticle] = []
                try await repository.write { writer in
                    if onArticle != nil {
                        try ImportedArticle.removed(departure, by: writer) { removed.append($0) }
                    }
                    for id in departure.articles {
                        // Check this as long as nothing was deleted, also after waiting for other writers.
                        if run.isStopped() { throw ImportStoppedError() }
                        _ = try writer.delete(id: id, forGood: false)
                    }
                }
                run.report.departures.append(departure)
                if let onArticle { removed.forEach(onArticle) }
            }
        } catch is ImportStoppedError {
            run.report.isInterrupted = true
        } catch let error as StoreError where error.kind == .interrupted && run.isStopped() {
            run.report.isInterrupted = true
        }
        return run.report
    }
}

/// A running import: the remaining input, and the results so far.
private struct Run {
    /// The work of a transaction.
    enum Step {
        case article(IncomingArticle)
        case sources([ExportedSource])
        case feeds([FeedList.Feed])
        /// A record that has not changed.
        case nothing
    }

    var stream: DraftStream
    var report = ImportReport()
    private var book: SourceBook
    private var problems: [ImportRoot: Source.LastImport] = [:]
    /// A user's marks in a library export, by article ID.
    private var marks: [Int64: JSON] = [:]
    private let options: ImportOptions
    private let roots: [ImportRoot]
    let isStopped: () -> Bool
    /// The input for which the library was last asked.
    private var learned: ImportRoot?

    init(stream: DraftStream, options: ImportOptions, roots: [ImportRoot], isStopped: @escaping () -> Bool) {
        self.stream = stream
        self.options = options
        self.roots = roots
        self.isStopped = isStopped
        book = SourceBook(options: options)
    }

    /// Reads up to the next step; nil at the end.
    mutating func next(_ onRejection: (Rejection) -> Void) throws -> Step? {
        defer { (report.passedOver, report.passedOverRecords) = (stream.passedOver, stream.passedOverRecords) }
        while true {
            if isStopped() { throw ImportStoppedError() }
            switch try stream.next() {
            case .article(let article): return .article(article)
            case .sources(let sources): return .sources(sources)
            case .feeds(let feeds): return .feeds(feeds)
            case .known(let key, let source):
                book.see(key, of: source)
                report.unchanged += 1
                return .nothing
            case .repeated: report.unchanged += 1
            case .passedOver: continue
            case .skipped(let drafts):
                report.skipped += 1
                for draft in drafts { book.note(draft) }
            case .rejected(let rejection):
                report.rejected += 1
                if let root = stream.root { note(rejection, in: root) }
                onRejection(rejection)
            case nil: return nil
            }
        }
    }

    /// Records that an input could not be read to its end.
    mutating func note(_ failure: InputFailure) {
        report.failure = failure
        let problem = Rejection(source: failure.source, line: nil, reason: failure.description)
        if let root = stream.root { note(problem, in: root) }
    }

    mutating func take(
        _ step: Step, by writer: any ArticleWriter, _ onAssumedDate: (AssumedDate) -> Void,
        _ onArticle: ((ImportedArticle) -> Void)?
    ) throws {
        switch step {
        case .article(let article):
            let upsert = try book.upsert(article, by: writer)
            report.count(upsert.outcome)
            if let marks = article.draft.marks, upsert.outcome != .deleted { self.marks[upsert.id] = marks }
            if let onArticle, let found = try ImportedArticle(article, upsert, by: writer) { onArticle(found) }
            guard let date = AssumedDate(article, upsert.outcome, now: writer.now) else { return }
            report.assumedDates[date.basis, default: 0] += 1
            onAssumedDate(date)
        case .sources(let sources): try book.take(sources, by: writer)
        case .feeds(let feeds): try book.subscribe(to: feeds, by: writer)
        case .nothing: break
        }
    }

    /// Returns the marks since the last call.
    mutating func takeMarks() -> [Int64: JSON] {
        defer { marks = [:] }
        return marks
    }

    /// Asks the library, once, what is known about the source that is being read.
    mutating func learn(by writer: any ArticleWriter) throws {
        guard let root = stream.continuing, learned != root, let page = book.page(at: root) else { return }
        learned = root
        if page.wasThere { stream.skip(try KnownRecords(of: page.source, at: root, options: options, by: writer)) }
    }

    /// Returns the articles that have left sources that were read completely.
    mutating func departures(_ writer: any ArticleWriter) throws -> [Departure] {
        guard let mirror = options.mirror, report.isWhole else { return [] }
        let (departures, drafts) = try book.departures(from: roots, by: writer)
        report.drafts = drafts
        guard report.rejected == 0 else {
            if !departures.isEmpty { report.refusedRemovals = [.unreadable(report.rejected)] }
            return []
        }
        return departures.filter { departure in
            guard mirror == .most, departure.articles.count * 2 > departure.total else { return true }
            report.refusedRemovals.append(
                .tooMany(source: departure.source.name, departure.articles.count, of: departure.total))
            return false
        }
    }

    /// Adds the names of the sources to the report.
    mutating func noteSources() {
        report.joined = book.joined
        report.sources = book.pages.values.map(\.source).sorted { $0.id < $1.id }.map(\.name)
    }

    /// Records the result in the sources. Deletes the source of articles from before sources existed as soon as all of
    /// its articles are assigned to other sources.
    mutating func noteEnd(by writer: any ArticleWriter) throws {
        noteSources()
        for source in try writer.sources() where source.kind == .earlier {
            // Keep the source while it has records of deleted articles. They move to another source when that is read.
            guard try writer.isEmpty(source.id), try writer.deletions(of: source.id).isEmpty else { continue }
            _ = try writer.deleteSource(id: source.id)
        }
        var ends: [Source.ID: Source.LastImport] = [:]
        for id in book.pages.keys { ends[id] = Source.LastImport(date: writer.now.whole) }
        for (root, found) in problems {
            guard let id = book.source(at: root)?.id, let end = ends[id] else { continue }
            ends[id] = Source.LastImport(
                date: end.date, problemCount: end.problemCount + found.problemCount,
                problems: end.problems + found.problems)
        }
        // Load the sources again: they may have been renamed, tagged, or removed since they were read.
        for var source in try writer.sources() {
            guard let end = ends[source.id] else { continue }
            source.lastImport = end
            try writer.update(source)
        }
    }

    private mutating func note(_ rejection: Rejection, in root: ImportRoot) {
        var found = problems[root] ?? Source.LastImport(date: .distantPast)
        found.problemCount += 1
        if found.problems.count < Source.LastImport.keptProblems { found.problems.append(rejection.description) }
        problems[root] = found
    }
}

extension ImportReport {
    /// The number of processed articles.
    fileprivate var taken: Int { inserted + updated + renamed + unchanged + kept + deleted }

    /// Whether the whole input was read.
    fileprivate var isWhole: Bool { !isInterrupted && failure == nil }

    fileprivate mutating func forgetChanges() {
        assumedDates = [:]
        (inserted, updated, renamed, unchanged, kept, deleted) = (0, 0, 0, 0, 0, 0)
    }
}

extension AssumedDate {
    /// Creates an entry if the source of an article does not have a readable date. Returns nil if the source has a
    /// date, or if it has none and the library already has one.
    fileprivate init?(_ article: IncomingArticle, _ outcome: Upsert.Outcome, now: Date) {
        guard let unread = article.draft.unread else { return nil }
        // For an existing article, only a date in the file name may change its date.
        let isTaken = outcome == .inserted || article.draft.published != nil
        guard outcome == .inserted || unread.written != nil else { return nil }
        self.init(
            source: article.file, line: article.line, written: unread.written,
            taken: isTaken ? (unread.date ?? now).whole : nil, basis: isTaken ? unread.basis : .library)
    }
}
