import Essentials
import Text

/// Brings articles from files, folders and streams into a library.
///
/// An article is known by its source and its key there, so that bringing the same in again changes nothing. The key is the path
/// of a file below its folder, the id of an entry of a feed, and for other records their id, else their address, else their
/// slug, else title and day. Its slug is made distinct where it is taken.
///
/// Of JSON, one record or JSON Feed is held in memory at a time, of other formats one file, and of each record that was read some
/// sixty bytes, by which a key is known again. What is read goes in by batches of 4,000 articles or 16 MiB, each a
/// transaction: a smaller one writes the pages of the indexes more often, a larger one has others wait longer to write.
public struct ArticleImporter: Sendable {
    private let repository: any ArticleRepository
    private let options: ImportOptions

    private static let batchCount = 4000
    private static let batchSize = 16 << 20

    /// An importer into a repository.
    public init(repository: any ArticleRepository, options: ImportOptions = ImportOptions()) {
        self.repository = repository
        self.options = options
    }

    /// Reads all sources, in their order.
    ///
    /// - Parameters:
    ///   - sources: files, folders, standard input.
    ///   - isInterrupted: asked before each record, and when a signal interrupts reading; true stops the import, as
    ///     cancelling its task does. What was read up to there still goes in, unless the import is strict or a dry run.
    ///   - onRejection: told of each record that is rejected, as it happens.
    ///   - onProgress: told how far it got, after each batch.
    ///   - confirm: asked before articles that have left their source are removed; false leaves them.
    /// - Throws: ``ImportError`` before anything goes in, and what the repository throws; what an earlier batch put
    ///   in stays. Anything that is wrong with a record is no error but a rejection.
    public func run(
        _ sources: [ImportSource], isInterrupted: @escaping () -> Bool = { false },
        onRejection: (Rejection) -> Void = { _ in }, onProgress: (ImportReport) -> Void = { _ in },
        confirm: (Departure) async throws -> Bool = { _ in true }
    ) async throws -> ImportReport {
        let isStopped = { isInterrupted() || Task.isCancelled }
        let roots = sources.compactMap(\.root)
        var run = Run(
            stream: try DraftStream(sources, options: options, isInterrupted: isStopped), options: options,
            roots: roots, isStopped: isStopped)
        guard options.isStrict || options.isDryRun else {
            try await runInBatches(&run, onRejection, onProgress)
            return try await finish(&run, confirm)
        }
        do {
            try run.stream.spool(in: options.temporaryFolder)
        } catch is ImportStoppedError {
            run.report.isInterrupted = true
            return run.report
        }
        let isIn = try await runInOneTransaction(&run, onRejection, onProgress)
        return isIn ? try await finish(&run, confirm) : run.report
    }

    private func runInBatches(
        _ run: inout Run, _ onRejection: (Rejection) -> Void, _ onProgress: (ImportReport) -> Void
    ) async throws {
        var isAtEnd = false
        while !isAtEnd {
            var batch: [Run.Step] = []
            var size = 0
            do {
                while batch.count < Self.batchCount, size < Self.batchSize, !isAtEnd {
                    guard let step = try run.next(onRejection) else {
                        isAtEnd = true
                        break
                    }
                    batch.append(step)
                    if case .article(let article) = step { size += article.size }
                }
            } catch is ImportStoppedError {
                run.report.isInterrupted = true
                isAtEnd = true
            }
            if !batch.isEmpty {
                try await repository.write { writer in
                    for step in batch { try run.take(step, by: writer) }
                }
            }
            onProgress(run.report)
        }
    }

    /// Ends a transaction without its effects.
    private struct RollBackError: Error {}

    /// - Returns: whether what was read is in the library.
    private func runInOneTransaction(
        _ run: inout Run, _ onRejection: (Rejection) -> Void, _ onProgress: (ImportReport) -> Void
    ) async throws -> Bool {
        do {
            return try await repository.write { writer in
                do {
                    while let step = try run.next(onRejection) {
                        // Once one is rejected, the rest is only checked.
                        if options.isStrict, run.report.rejected > 0 { continue }
                        try run.take(step, by: writer)
                        if run.report.taken % Self.batchCount == 0 { onProgress(run.report) }
                    }
                } catch is ImportStoppedError {
                    run.report.isInterrupted = true
                }
                if options.isStrict, run.report.rejected > 0 || run.report.isInterrupted {
                    run.report.forgetChanges()
                    throw RollBackError()
                }
                if options.isDryRun {
                    for departure in try run.departures(writer) { run.report.removed += departure.articles.count }
                    throw RollBackError()
                }
                return true
            }
        } catch is RollBackError {
            return false
        }
    }

    /// Removes what has left the sources, and notes how the import went.
    private func finish(
        _ run: inout Run, _ confirm: (Departure) async throws -> Bool
    ) async throws -> ImportReport {
        let departures = try await repository.write { writer in
            let departures = try run.departures(writer)
            try run.noteEnd(by: writer)
            return departures
        }
        for departure in departures where try await confirm(departure) {
            run.report.removed += try await repository.write { writer in
                try departure.articles.reduce(0) { try $0 + (writer.delete(id: $1) ? 1 : 0) }
            }
        }
        return run.report
    }
}

/// An import as it goes on: what is still to be read, and what has become of the rest.
private struct Run {
    /// What is to be done in a transaction.
    enum Step {
        case article(IncomingArticle)
        case sources([ExportedSource])
    }

    var stream: DraftStream
    var report = ImportReport()
    private var book: SourceBook
    private var problems: [ImportRoot: Source.LastImport] = [:]
    private let options: ImportOptions
    private let roots: [ImportRoot]
    private let isStopped: () -> Bool

    init(stream: DraftStream, options: ImportOptions, roots: [ImportRoot], isStopped: @escaping () -> Bool) {
        self.stream = stream
        self.options = options
        self.roots = roots
        self.isStopped = isStopped
        book = SourceBook(options: options)
    }

    /// Reads up to the next step; nil at the end.
    mutating func next(_ onRejection: (Rejection) -> Void) throws -> Step? {
        defer { report.passedOver = stream.passedOver }
        while true {
            if isStopped() { throw ImportStoppedError() }
            switch try stream.next() {
            case .article(let article): return .article(article)
            case .sources(let sources): return .sources(sources)
            case .repeated: report.unchanged += 1
            case .skipped: report.skipped += 1
            case .rejected(let rejection):
                report.rejected += 1
                if let root = stream.root { note(rejection, in: root) }
                onRejection(rejection)
            case nil: return nil
            }
        }
    }

    mutating func take(_ step: Step, by writer: any ArticleWriter) throws {
        switch step {
        case .article(let article): report.count(try book.upsert(article, by: writer).outcome)
        case .sources(let sources): try book.take(sources, by: writer)
        }
    }

    /// What has left the sources that were read as a whole.
    mutating func departures(_ writer: any ArticleWriter) throws -> [Departure] {
        guard let mirror = options.mirror, !report.isInterrupted else { return [] }
        let departures = try book.departures(from: roots, by: writer)
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

    /// Notes in the sources how it went.
    func noteEnd(by writer: any ArticleWriter) throws {
        var ends: [Source.ID: Source.LastImport] = [:]
        for id in book.pages.keys { ends[id] = Source.LastImport(date: writer.now.whole) }
        for (root, found) in problems {
            guard let id = book.source(at: root)?.id, let end = ends[id] else { continue }
            ends[id] = Source.LastImport(
                date: end.date, problemCount: end.problemCount + found.problemCount,
                problems: end.problems + found.problems)
        }
        for (id, end) in ends {
            guard var source = book.pages[id]?.source else { continue }
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
    fileprivate var taken: Int { inserted + updated + renamed + unchanged + kept }

    fileprivate mutating func forgetChanges() {
        (inserted, updated, renamed, unchanged, kept) = (0, 0, 0, 0, 0)
    }
}
