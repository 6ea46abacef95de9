public import ArticleStore
public import Text

/// Imports articles from files, folders, and streams into a library.
///
/// An article is identified by its source and its key there, so that a second import of the same input changes nothing.
/// The key is the path of a file below its folder, or the ID of an entry of a feed. For other records it is the ID,
/// else the address, else the slug, else the title and day. If a slug is taken, the new article gets a different one.
///
/// In memory are one record at a time (for Markdown, HTML, and text: one file), up to 1,000 entries or 8 MiB of a feed,
/// whose IDs are compared, and about sixty bytes for each record that was read, to recognize its key. Articles are
/// stored in batches of 14,400 articles or 32 MiB, each in one transaction. Smaller batches write the pages of the
/// indexes more often; larger ones block other writers for longer.
public struct ArticleImporter: Sendable {
    private let repository: any ArticleRepository
    private let subscriptions: (any SubscriptionRepository)?
    private let options: ImportOptions

    private static let batchCount = 14_400
    private static let batchSize = 32 << 20
    /// The number of articles to read before the importer asks what is known about their source. With that, it skips
    /// unchanged records. For fewer articles, the question does not pay off.
    private static let firstCount = batchCount / 16

    /// Creates an importer for a repository.
    public init(repository: any ArticleRepository, options: ImportOptions = ImportOptions()) {
        self.init(repository: repository, subscriptions: nil, options: options)
    }

    /// Creates an importer that also subscribes to the feeds of lists.
    package init(
        repository: any ArticleRepository, subscriptions: (any SubscriptionRepository)?,
        options: ImportOptions = ImportOptions()
    ) {
        self.repository = repository
        self.subscriptions = subscriptions
        self.options = options
    }

    /// Imports all sources, in their order.
    ///
    /// - Parameters:
    ///   - sources: files, folders, and standard input.
    ///   - isInterrupted: called before each record and each time that more is read. If it returns true, the import
    ///     stops, as it does if its task is canceled. Articles that were read so far are still stored, unless the
    ///     import is strict or a dry run.
    ///   - reportsArticles: whether `onEvent` is called for each article that was changed or skipped. It costs a
    ///     comparison.
    ///   - onEvent: called for each event, immediately. The events of articles follow after their batch is stored. In a
    ///     strict import and a dry run they are immediate too; if a strict import fails in the end, none of these
    ///     articles is stored.
    ///   - confirmRemoval: called before articles that have left their source are removed; false keeps them.
    ///   - storeMarks: called with the marks of a user in a library export, by article ID, after these articles are
    ///     stored. The importer does not interpret them. A dry run does not call it.
    /// - Throws: ``ImportError`` before anything is stored, and errors of the repository. Articles of earlier batches
    ///   stay stored. A faulty record is not an error but a rejection.
    public func run(
        _ sources: [ImportSource], isInterrupted: @escaping () -> Bool = { false },
        reportsArticles: Bool = false, onEvent: @escaping (ImportEvent) -> Void = { _ in },
        confirmRemoval: (MissingArticles) async throws -> Bool = { _ in true },
        storeMarks: (_ marks: [Int64: JSON]) async throws -> Void = { _ in }
    ) async throws -> ImportReport {
        let isStopped = { isInterrupted() || Task.isCancelled }
        let roots = sources.compactMap(\.root)
        var run = Run(
            stream: try DraftStream(sources, options: options, isInterrupted: isStopped, onEvent: onEvent),
            options: options, roots: roots, isStopped: isStopped, reportsArticles: reportsArticles, onEvent: onEvent)
        guard options.isStrict || options.isDryRun else {
            try await runInBatches(&run, storeMarks)
            return try await updateSearchIndex(try await finish(&run, confirmRemoval), isStopped, onEvent)
        }
        do {
            try run.stream.spool(in: options.temporaryFolder)
        } catch is ImportStoppedError {
            run.report.isInterrupted = true
            return run.report
        }
        guard try await runInOneTransaction(&run) else {
            try await countNewFeeds(&run)
            return run.report
        }
        try await storeMarks(run.removeMarks())
        return try await updateSearchIndex(try await finish(&run, confirmRemoval), isStopped, onEvent)
    }

    /// Adds the imported articles to the search index. All of them are searchable afterwards unless the import is
    /// stopped.
    private func updateSearchIndex(
        _ report: ImportReport, _ isStopped: () -> Bool, _ onEvent: (ImportEvent) -> Void
    ) async throws -> ImportReport {
        var report = report
        do {
            repeat {
                report.waiting = try await repository.advanceSearch()
                if report.waiting > 0 { onEvent(.progress(report)) }
            } while report.waiting > 0 && !isStopped()
            while !isStopped(), try await repository.mergeSearch() {}
        } catch let error as StoreError where error.kind == .interrupted && isStopped() {
            // The articles are stored, and become searchable later.
        }
        return report
    }

    private func runInBatches(
        _ run: inout Run, _ storeMarks: ([Int64: JSON]) async throws -> Void
    ) async throws {
        var isAtEnd = false
        // A library without sources is empty, so nothing is known yet.
        var limit = Self.firstCount
        if options.existingSource == nil, try await repository.sources().isEmpty { limit = Self.batchCount }
        while !isAtEnd {
            var batch: [DraftStream.Item] = []
            var (count, size) = (0, 0)
            do {
                while count < limit, size < Self.batchSize, !isAtEnd {
                    guard let item = try run.next() else {
                        isAtEnd = true
                        break
                    }
                    count += 1
                    if case .known = item { continue }
                    if case .article(let article) = item { size += article.size }
                    batch.append(item)
                }
            } catch is ImportStoppedError {
                run.report.isInterrupted = true
                isAtEnd = true
            } catch let failure as InputFailure {
                run.recordFailure(failure)
                isAtEnd = true
            }
            if !batch.isEmpty {
                let before = run.report
                var articles: [ImportedArticle] = []
                do {
                    run.countStories(in: batch)
                    let needs = run.needs(of: batch)
                    try await write(&run, needing: needs) { run, writer in
                        articles = []
                        for item in batch { try run.store(item, by: writer) { articles.append($0) } }
                        if !isAtEnd { try run.loadKnownRecords(by: writer) }
                    }
                } catch let error as StoreError where error.kind == .interrupted && run.isStopped() {
                    // Stopped while waiting for another process: nothing of the batch is stored.
                    run.report = before
                    run.report.isInterrupted = true
                    return
                }
                for article in articles { run.events(.article(article)) }
                try await storeMarks(run.removeMarks())
            }
            limit = Self.batchCount
            run.events(.progress(run.report))
        }
    }

    /// Changes articles in one transaction. If it runs several times, each run begins with the same state of the import,
    /// and only the events of the last one are sent.
    private func write<T: Sendable>(
        _ run: inout Run, needing needs: WriteNeeds = WriteNeeds(),
        _ body: (inout Run, any ArticleWriter) throws -> T
    ) async throws -> T {
        guard repository.repeatsWrites else {
            return try await repository.write(needing: needs) { try body(&run, $0) }
        }
        let start = run
        defer { run.events.send() }
        return try await repository.write(needing: needs) { writer in
            run = start
            run.events.hold()
            return try body(&run, writer)
        }
    }

    /// All items of an import, read before its transaction.
    private struct ReadItems {
        private(set) var items: [DraftStream.Item] = []
        /// The error after the items.
        private var failure: (any Error)?

        init(_ run: inout Run) {
            do {
                while let item = try run.next() { items.append(item) }
            } catch {
                failure = error
            }
        }

        /// - Returns: nil.
        /// - Throws: the error after the items.
        func end() throws -> DraftStream.Item? {
            if let failure { throw failure }
            return nil
        }
    }

    /// Rolls a transaction back.
    private struct RollBackError: Error {}

    /// - Returns: whether the articles were stored.
    private func runInOneTransaction(_ run: inout Run) async throws -> Bool {
        // A stream can be read only once.
        let read = repository.repeatsWrites ? ReadItems(&run) : nil
        do {
            // The records are read in the transaction, so their keys are not known before it.
            return try await write(&run) { run, writer in
                do {
                    var rest = read?.items[...]
                    while let item = try read == nil ? run.next() : rest?.popFirst() ?? read?.end() {
                        // After the first rejection, the rest is only checked.
                        if options.isStrict, run.report.rejected > 0 { continue }
                        let onEvent = run.events
                        try run.store(item, by: writer) { onEvent(.article($0)) }
                        if run.report.processed % Self.firstCount == 0 { try run.loadKnownRecords(by: writer) }
                        if run.report.processed % Self.batchCount == 0 { onEvent(.progress(run.report)) }
                    }
                } catch is ImportStoppedError {
                    run.report.isInterrupted = true
                } catch let failure as InputFailure {
                    run.recordFailure(failure)
                }
                if options.isStrict, run.report.rejected > 0 || !run.report.isWhole {
                    run.report.forgetChanges()
                    throw RollBackError()
                }
                if options.isDryRun {
                    run.report.removedArticles = try run.missingArticles(writer)
                    if run.reportsArticles {
                        for missing in run.report.removedArticles {
                            for article in try ImportedArticle.removed(missing, by: writer) {
                                run.events(.article(article))
                            }
                        }
                    }
                    run.reportSources()
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

    private func countNewFeeds(_ run: inout Run) async throws {
        guard let subscriptions, !run.report.feeds.isEmpty else { return }
        let active = Set(try await subscriptions.subscriptions().filter { $0.state == .active }.map(\.id))
        run.report.subscribed = run.report.feeds.count { !active.contains($0.key) }
    }

    /// Removes articles that have left their sources, and records the result of the import in the sources.
    private func finish(
        _ run: inout Run, _ confirmRemoval: (MissingArticles) async throws -> Bool
    ) async throws -> ImportReport {
        do {
            let (allMissing, now) = try await write(&run) { run, writer in
                let allMissing = try run.missingArticles(writer)
                try run.recordResult(by: writer)
                return (allMissing, writer.now)
            }
            if let subscriptions, !run.report.feeds.isEmpty {
                let feeds = run.report.feeds.sorted { $0.key < $1.key }
                try await countNewFeeds(&run)
                try await subscriptions.insert(
                    feeds.map { Subscription(source: $0.key, address: $0.value, nextFetch: now) })
            }
            for missing in allMissing where try await confirmRemoval(missing) {
                var needs = WriteNeeds()
                needs.articles = Set(missing.articles)
                let removed = try await write(&run, needing: needs) { run, writer in
                    let removed = run.reportsArticles ? try ImportedArticle.removed(missing, by: writer) : []
                    for id in missing.articles {
                        // Check this as long as nothing was deleted, also after waiting for other writers.
                        if run.isStopped() { throw ImportStoppedError() }
                        _ = try writer.removeFromSource(id, forGood: false)
                    }
                    return removed
                }
                run.report.removedArticles.append(missing)
                for article in removed { run.events(.article(article)) }
            }
        } catch is ImportStoppedError {
            run.report.isInterrupted = true
        } catch let error as StoreError where error.kind == .interrupted && run.isStopped() {
            run.report.isInterrupted = true
        }
        return run.report
    }
}

/// The events of an import, which a transaction can hold back until it is stored.
private final class HeldEvents {
    private let onEvent: (ImportEvent) -> Void
    private var held: [ImportEvent]?

    init(_ onEvent: @escaping (ImportEvent) -> Void) { self.onEvent = onEvent }

    func callAsFunction(_ event: ImportEvent) {
        if held == nil { onEvent(event) } else { held?.append(event) }
    }

    /// Holds all further events, and discards those that are held.
    func hold() { held = [] }

    /// Sends the held events, and all further ones immediately.
    func send() {
        let events = held ?? []
        held = nil
        events.forEach(onEvent)
    }
}

/// A running import: the remaining input, and the results so far.
private struct Run {
    var stream: DraftStream
    var report = ImportReport()
    private var sources: ImportedSources
    private var problems: [ImportRoot: Source.LastImport] = [:]
    /// A user's marks in a library export, by article ID.
    private var marks: [Int64: JSON] = [:]
    private let options: ImportOptions
    private let roots: [ImportRoot]
    let isStopped: () -> Bool
    let reportsArticles: Bool
    let events: HeldEvents
    /// The input for which the library was last asked.
    private var lookedUpRoot: ImportRoot?

    init(
        stream: DraftStream, options: ImportOptions, roots: [ImportRoot], isStopped: @escaping () -> Bool,
        reportsArticles: Bool, onEvent: @escaping (ImportEvent) -> Void
    ) {
        self.stream = stream
        self.options = options
        self.roots = roots
        self.isStopped = isStopped
        self.reportsArticles = reportsArticles
        events = HeldEvents(onEvent)
        sources = ImportedSources(options: options)
    }

    /// Reads up to the next item that belongs to a transaction, or that is known; nil at the end.
    mutating func next() throws -> DraftStream.Item? {
        defer { (report.skippedFiles, report.skippedRecords) = (stream.skippedFiles, stream.skippedRecords) }
        while true {
            if isStopped() { throw ImportStoppedError() }
            guard let item = try stream.next() else { return nil }
            switch item {
            case .article, .sources, .feeds: return item
            case .known(let key, let source):
                sources.markRead(key, of: source)
                report.unchanged += 1
                return item
            case .repeated: report.unchanged += 1
            case .notAnArticle: continue
            case .skippedDraft(let drafts):
                report.skippedDrafts += 1
                for draft in drafts { sources.insert(draft: draft) }
            case .rejected(let rejection):
                report.rejected += 1
                if let root = stream.root { recordProblem(rejection, in: root) }
                events(.rejected(rejection))
            }
        }
    }

    /// Records that an input could not be read to its end.
    mutating func recordFailure(_ failure: InputFailure) {
        report.failure = failure
        let problem = Rejection(source: failure.source, line: nil, reason: failure.description)
        if let root = stream.root { recordProblem(problem, in: root) }
    }

    /// The rows that ``store(_:by:onArticle:)`` reads for these items.
    func needs(of items: [DraftStream.Item]) -> WriteNeeds {
        var needs = WriteNeeds()
        for case .article(let article) in items {
            // An entry with other keys is compared with its article.
            let content = article.otherKeys.isEmpty ? article.content : nil
            needs.add(article.draft, content: content)
            var keys = article.otherKeys
            if case .record(_, _, nil) = article.place {
                // The key of the article if the record shares its key with others.
                keys += [article.sharedKey ?? article.draft.keyWithTitleAndDay]
            }
            if let path = article.place.path {
                keys +=
                    [PathKey(path: path).key] + ([article.draft.key] + keys).map { PathKey(path: path, record: $0).key }
            }
            for appearance in article.draft.appearances { keys.append(appearance.key) }
            for key in keys { needs.records.updateValue(content, forKey: key) }
            if options.mergesStories, let address = article.story { needs.addresses.insert(address) }
        }
        return needs
    }

    /// Finds the addresses that several entries of a feed have. They do not identify a story.
    mutating func countStories(in items: [DraftStream.Item]) {
        guard options.mergesStories else { return }
        var addresses: Set<StoryAddress> = []
        for case .article(let article) in items {
            guard let address = article.story, !addresses.insert(address).inserted else { continue }
            sources.sharedAddresses.insert(address)
        }
    }

    /// Stores what an item contains.
    mutating func store(
        _ item: DraftStream.Item, by writer: any ArticleWriter, onArticle: (ImportedArticle) -> Void
    ) throws {
        switch item {
        case .article(let article):
            let upsert = try sources.upsert(article, by: writer)
            report.count(upsert.outcome)
            if options.marksChangedUnread, upsert.outcome == .updated { try writer.markUnread(upsert.id) }
            if let marks = article.draft.marks, upsert.outcome != .deleted { self.marks[upsert.id] = marks }
            if reportsArticles, let found = try ImportedArticle(article, upsert, by: writer) { onArticle(found) }
            guard let date = AssumedDate(article, upsert.outcome, now: writer.now) else { return }
            report.assumedDates[date.basis, default: 0] += 1
            events(.assumedDate(date))
        case .sources(let exported): try sources.insert(exported, by: writer)
        case .feeds(let feeds):
            report.feeds.merge(try sources.subscribe(to: feeds, by: writer)) { $1 }
        case .known, .repeated, .notAnArticle, .skippedDraft, .rejected: break
        }
    }

    /// Removes and returns the marks that were read so far.
    mutating func removeMarks() -> [Int64: JSON] {
        defer { marks = [:] }
        return marks
    }

    /// Asks the library, once, what is known about the source that is being read.
    mutating func loadKnownRecords(by writer: any ArticleWriter) throws {
        guard let root = stream.continuing, lookedUpRoot != root, let state = sources.state(at: root) else { return }
        lookedUpRoot = root
        if state.wasThere { stream.skip(try KnownRecords(of: state.source, at: root, options: options, by: writer)) }
    }

    /// Returns the articles that have left sources that were read completely.
    mutating func missingArticles(_ writer: any ArticleWriter) throws -> [MissingArticles] {
        guard let mirror = options.mirror, report.isWhole else { return [] }
        let (allMissing, drafts) = try sources.missingArticles(from: roots, by: writer)
        report.drafts = drafts
        guard report.rejected == 0 else {
            if !allMissing.isEmpty { report.refusedRemovals = [.unreadable(report.rejected)] }
            return []
        }
        return allMissing.filter { missing in
            guard mirror == .most, missing.articles.count * 2 > missing.total else { return true }
            report.refusedRemovals.append(
                .tooMany(source: missing.source.name, missing.articles.count, of: missing.total))
            return false
        }
    }

    /// Adds the names of the sources to the report.
    mutating func reportSources() {
        report.mergedSources = sources.merged
        report.sources = sources.states.values.map(\.source).sorted { $0.id < $1.id }.map(\.name)
    }

    /// Records the result in the sources. Deletes the source of articles from before sources existed as soon as all of
    /// its articles are assigned to other sources.
    mutating func recordResult(by writer: any ArticleWriter) throws {
        reportSources()
        // Keep the source while it has records of deleted articles. They move to another source when that is read.
        if let source = try writer.earlierSource(), try writer.isEmpty(source.id),
            try writer.deletions(of: source.id).isEmpty
        {
            _ = try writer.deleteSource(id: source.id)
        }
        var ends: [Source.ID: Source.LastImport] = [:]
        for id in sources.states.keys { ends[id] = Source.LastImport(date: writer.now.whole) }
        for (root, found) in problems {
            guard let id = sources.source(at: root)?.id, let end = ends[id] else { continue }
            ends[id] = Source.LastImport(
                date: end.date, problemCount: end.problemCount + found.problemCount,
                problems: end.problems + found.problems)
        }
        // Load the sources again: they may have been renamed, tagged, or removed since they were read.
        for (id, end) in ends.sorted(by: { $0.key < $1.key }) {
            guard var source = try writer.source(id: id) else { continue }
            source.lastImport = end
            try writer.update(source)
        }
    }

    private mutating func recordProblem(_ rejection: Rejection, in root: ImportRoot) {
        var found = problems[root] ?? Source.LastImport(date: .distantPast)
        found.problemCount += 1
        if found.problems.count < Source.LastImport.keptProblems { found.problems.append(rejection.description) }
        problems[root] = found
    }
}

extension ImportReport {
    /// The number of processed articles.
    fileprivate var processed: Int { inserted + updated + renamed + unchanged + kept + deleted }

    /// Whether the whole input was read.
    fileprivate var isWhole: Bool { !isInterrupted && failure == nil }

    fileprivate mutating func forgetChanges() {
        assumedDates = [:]
        feeds = [:]
        (inserted, updated, renamed, unchanged, kept, deleted) = (0, 0, 0, 0, 0, 0)
    }
}

extension AssumedDate {
    /// Creates an entry if the source of an article does not have a readable date. Returns nil if the source has a
    /// date, or if it has none and the library already has one.
    fileprivate init?(_ article: IncomingArticle, _ outcome: Upsert.Outcome, now: Date) {
        guard let fallback = article.draft.dateFallback else { return nil }
        // For an existing article, only a date in the file name may change its date.
        let isTaken = outcome == .inserted || article.draft.published != nil
        guard outcome == .inserted || fallback.written != nil else { return nil }
        self.init(
            source: article.file, line: article.line, written: fallback.written,
            taken: isTaken ? (fallback.date ?? now).whole : nil, basis: isTaken ? fallback.basis : .library)
    }
}
