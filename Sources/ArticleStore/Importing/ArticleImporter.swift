import Database
import Essentials
public import Text

/// Brings articles from files, folders and streams into a library.
///
/// An article is known by its source and its key there, so that bringing the same in again changes nothing. The key is the path
/// of a file below its folder, the id of an entry of a feed, and for other records their id, else their address, else their
/// slug, else title and day. Its slug is made distinct where it is taken.
///
/// One record is held in memory at a time, of Markdown, HTML and text one file, of a feed up to 1,000 entries or 8 MiB, in which
/// ids are compared, and of each record that was read some
/// sixty bytes, by which a key is known again. What is read goes in by batches of 14,400 articles or 64 MiB, each a
/// transaction: a smaller one writes the pages of the indexes more often, a larger one has others wait longer to write.
public struct ArticleImporter: Sendable {
    private let repository: any ArticleRepository
    private let options: ImportOptions

    private static let batchCount = 14_400
    private static let batchSize = 64 << 20
    /// How many articles are read before what is known of their source is asked for, which spares reading the rest where that has
    /// not changed; of few, nobody asks.
    private static let firstCount = batchCount / 16

    /// An importer into a repository.
    public init(repository: any ArticleRepository, options: ImportOptions = ImportOptions()) {
        self.repository = repository
        self.options = options
    }

    /// Reads all sources, in their order.
    ///
    /// - Parameters:
    ///   - sources: files, folders, standard input.
    ///   - isInterrupted: asked before each record, and each time that more is read; true stops the import, as
    ///     cancelling its task does. What was read up to there still goes in, unless the import is strict or a dry run.
    ///   - onRejection: told of each record that is rejected, as it happens.
    ///   - onPassedOver: told of each file, folder and link in a folder that is not read.
    ///   - onAssumedDate: told of each article whose date was assumed.
    ///   - onArticle: told of each article that is not as it was before, or was left out; nil spares looking at them. It is told
    ///     when they are in the library, by batches, but of a strict import and a dry run as they are met: where a strict one
    ///     is refused in the end, none of them is in.
    ///   - onProgress: told how far it got, now and then.
    ///   - confirm: asked before articles that have left their source are removed; false leaves them.
    ///   - onMarks: told what an export has written of a reader's marks, by the numbers of the articles, once these are in. Nothing of
    ///     it is read here, and a dry run does not tell it.
    /// - Throws: ``ImportError`` before anything goes in, and what the repository throws; what an earlier batch put
    ///   in stays. Anything that is wrong with a record is no error but a rejection.
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

    /// Lets searches find what was imported: all of it, unless the import is stopped.
    private func follow(_ report: ImportReport, _ isStopped: () -> Bool) async throws -> ImportReport {
        var report = report
        do {
            repeat {
                report.waiting = try await repository.advanceSearch()
            } while report.waiting > 0 && !isStopped()
        } catch DatabaseError.interrupted where isStopped() {
            // The articles are stored, and searches find them a little later.
        }
        return report
    }

    private func runInBatches(
        _ run: inout Run, _ onRejection: (Rejection) -> Void, _ onAssumedDate: (AssumedDate) -> Void,
        _ onArticle: ((ImportedArticle) -> Void)?, _ onProgress: (ImportReport) -> Void,
        _ onMarks: ([Int64: JSON]) async throws -> Void
    ) async throws {
        var isAtEnd = false
        // A library without sources is empty.
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
                } catch DatabaseError.interrupted where run.isStopped() {
                    // While another process was waited for: of the batch nothing is in.
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

    /// Ends a transaction without its effects.
    private struct RollBackError: Error {}

    /// - Returns: whether what was read is in the library.
    private func runInOneTransaction(
        _ run: inout Run, _ onRejection: (Rejection) -> Void, _ onAssumedDate: (AssumedDate) -> Void,
        _ onArticle: ((ImportedArticle) -> Void)?, _ onProgress: (ImportReport) -> Void
    ) async throws -> Bool {
        do {
            return try await repository.write { writer in
                do {
                    while let step = try run.next(onRejection) {
                        // Once one is rejected, the rest is only checked.
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
        } catch DatabaseError.interrupted where run.isStopped() {
            run.report.forgetChanges()
            run.report.isInterrupted = true
            return false
        }
    }

    /// Removes what has left the sources, and notes how the import went.
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
                        // Asked as long as nothing is done, also after waiting for others who write.
                        if run.isStopped() { throw ImportStoppedError() }
                        _ = try writer.delete(id: id, forGood: false)
                    }
                }
                run.report.departures.append(departure)
                if let onArticle { removed.forEach(onArticle) }
            }
        } catch is ImportStoppedError {
            run.report.isInterrupted = true
        } catch DatabaseError.interrupted where run.isStopped() {
            run.report.isInterrupted = true
        }
        return run.report
    }
}

/// An import as it goes on: what is still to be read, and what has become of the rest.
private struct Run {
    /// The work of a transaction.
    enum Step {
        case article(IncomingArticle)
        case sources([ExportedSource])
        case feeds([FeedList.Feed])
        /// For what has not changed.
        case nothing
    }

    var stream: DraftStream
    var report = ImportReport()
    private var book: SourceBook
    private var problems: [ImportRoot: Source.LastImport] = [:]
    /// The marks of a reader in the export, by the numbers of the articles.
    private var marks: [Int64: JSON] = [:]
    private let options: ImportOptions
    private let roots: [ImportRoot]
    let isStopped: () -> Bool
    /// The root that was being read when the library was asked last.
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

    /// Notes that an input could not be read to its end.
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

    /// The marks of a reader since the last call.
    mutating func takeMarks() -> [Int64: JSON] {
        defer { marks = [:] }
        return marks
    }

    /// Asks the library for what is known of the source that is being read, once.
    mutating func learn(by writer: any ArticleWriter) throws {
        guard let root = stream.continuing, learned != root, let page = book.page(at: root) else { return }
        learned = root
        if page.wasThere { stream.skip(try KnownRecords(of: page.source, at: root, options: options, by: writer)) }
    }

    /// The articles that have left sources that were read as a whole.
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

    /// Notes in the report which sources it is about.
    mutating func noteSources() {
        report.joined = book.joined
        report.sources = book.pages.values.map(\.source).sorted { $0.id < $1.id }.map(\.name)
    }

    /// Notes in the sources how it went, and lets that of earlier articles go once each is known to be from another.
    mutating func noteEnd(by writer: any ArticleWriter) throws {
        noteSources()
        for source in try writer.sources() where source.kind == .earlier {
            // Its records of deleted articles go to another source as soon as that is read.
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
        // As they are now: somebody may have renamed, tagged or removed one since it was read.
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
    /// How many articles have gone in, or were there.
    fileprivate var taken: Int { inserted + updated + renamed + unchanged + kept + deleted }

    /// Whether everything was read.
    fileprivate var isWhole: Bool { !isInterrupted && failure == nil }

    fileprivate mutating func forgetChanges() {
        assumedDates = [:]
        (inserted, updated, renamed, unchanged, kept, deleted) = (0, 0, 0, 0, 0, 0)
    }
}

extension AssumedDate {
    /// The date that an article was given for want of one in its source; nil where it has one there, or where nothing is said
    /// and it has one here.
    fileprivate init?(_ article: IncomingArticle, _ outcome: Upsert.Outcome, now: Date) {
        guard let unread = article.draft.unread else { return nil }
        // Only the name of a file, which stays the same, changes the date of an article that is there.
        let isTaken = outcome == .inserted || article.draft.published != nil
        guard outcome == .inserted || unread.written != nil else { return nil }
        self.init(
            source: article.file, line: article.line, written: unread.written,
            taken: isTaken ? (unread.date ?? now).whole : nil, basis: isTaken ? unread.basis : .library)
    }
}
