public import ArticleStore
package import Text

/// Writes articles of a library in a format for other programs or for this one. An import reads JSON Lines and Markdown
/// that were written here as the same articles of the same sources.
///
/// Articles are read in batches, and only one batch is in memory at a time. Each batch is consistent in itself. Per
/// article, the exporter keeps some bytes that keep file names distinct, and for a folder of pages the data for its
/// lists.
public struct ArticleExporter: Sendable {
    private let repository: any ArticleRepository
    private let options: ExportOptions
    /// Returns a user's marks by article ID, to be written too. Only JSON Lines and Markdown, which an import reads,
    /// contain them. The exporter does not interpret them.
    package var marks: (@Sendable (_ articles: [Int64]) async throws -> [Int64: JSON])?

    /// The pictures of the articles, to be written too. Only the formats that are folders contain them.
    package var pictures: (any PictureRepository)?

    /// The subscriptions of the library. A list of feeds omits the sources to which users have unsubscribed; without
    /// subscriptions, it contains all feeds.
    package var subscriptions: (any SubscriptionRepository)?

    private static let batchCount = 200

    /// Creates an exporter for a library.
    public init(repository: any ArticleRepository, options: ExportOptions = ExportOptions()) {
        self.repository = repository
        self.options = options
    }

    /// Writes the articles of a query, in its order.
    ///
    /// - Parameters:
    ///   - query: the articles. For OPML it selects the sources that have at least one of them.
    ///   - format: the format to write.
    ///   - destination: the stream, file, or folder to write.
    ///   - isInterrupted: called before each article. If it returns true, the export stops, as it does if its task is
    ///     canceled.
    ///   - onProgress: called with the progress after each batch.
    /// - Throws: ``ExportError``, errors of the stream, and errors of the repository. A file or folder is left as it
    ///   was before.
    public func run(
        _ query: ArticleQuery, as format: ExportFormat, to destination: ExportDestination,
        isInterrupted: () -> Bool = { false }, onProgress: (ExportReport) -> Void = { _ in }
    ) async throws -> ExportReport {
        var sources = try await sources(of: query)
        if format == .opml, let unsubscribed = try await subscriptions?.unsubscribedSources() {
            sources.removeAll { unsubscribed.contains($0.id) }
        }
        let export = Export(
            repository: repository, query: query, options: options, sources: sources,
            pictures: format.isFolder ? pictures : nil)
        var report = ExportReport()
        switch (format.shape, destination) {
        case (.folder, .stream): throw ExportError.needsFolder(format)
        case (.folder(let writer), .path(let path, let replaces)):
            let folder = try NewFolder(at: path, replaces: replaces)
            try await write(export, by: writer(export, folder), &report, isInterrupted, onProgress)
            if report.isInterrupted { break }
            try folder.finish()
            report.files = folder.count
        case (.stream(let writer), .stream(let take)):
            let sink = ByteSink(take)
            try await write(export, by: writer(export, sink), &report, isInterrupted, onProgress)
            try sink.flush()
        case (.stream(let writer), .path(let path, let replaces)):
            let file = try NewFile(at: path, replaces: replaces)
            let sink = ByteSink(file.write)
            try await write(export, by: writer(export, sink), &report, isInterrupted, onProgress)
            if report.isInterrupted { break }
            try sink.flush()
            try file.finish()
            report.files = 1
        }
        return report
    }

    private struct StoppedError: Error {}

    private func write(
        _ export: Export, by writer: any ExportWriter, _ report: inout ExportReport, _ isInterrupted: () -> Bool,
        _ onProgress: (ExportReport) -> Void
    ) async throws {
        var writer = writer
        if writer.surveysArticles {
            report.isInterrupted = try await !forEachArticle(of: export.query, isInterrupted) { article in
                writer.survey(article)
            }
            if report.isInterrupted { return }
        }
        try await writer.begin()
        if writer.takesArticles {
            report.isInterrupted = try await !forEachBatch(of: export.query) { articles in
                let ids = articles.map(\.id)
                let marks = try await marks?(ids) ?? [:]
                let pictures = try await export.pictures?.pictures(of: ids) ?? [:]
                for article in articles {
                    if isInterrupted() || Task.isCancelled { return false }
                    try await writer.add(
                        ExportedArticle(
                            article: article, marks: marks[article.id], pictures: pictures[article.id] ?? [:]))
                    report.articles += 1
                    if report.articles % Self.batchCount == 0 { onProgress(report) }
                }
                return true
            }
            if report.isInterrupted { return }
            onProgress(report)
        }
        if !writer.takesArticles { report.feeds = export.feeds.count }
        do {
            try await writer.end { if isInterrupted() || Task.isCancelled { throw StoppedError() } }
        } catch is StoppedError {
            report.isInterrupted = true
        }
    }

    /// - Returns: false if it was stopped before the end.
    private func forEachArticle(
        of query: ArticleQuery, _ isInterrupted: () -> Bool, _ body: (Article) -> Void
    ) async throws -> Bool {
        try await forEachBatch(of: query) { articles in
            for article in articles {
                if isInterrupted() || Task.isCancelled { return false }
                body(article)
            }
            return true
        }
    }

    /// - Parameter body: returns false to stop.
    /// - Returns: false if it was stopped before the end.
    private func forEachBatch(
        of query: ArticleQuery, _ body: ([Article]) async throws -> Bool
    ) async throws -> Bool {
        var cursor: Cursor?
        repeat {
            let batch = try await repository.articles(query, after: cursor, limit: Self.batchCount)
            guard try await body(batch.articles) else { return false }
            cursor = batch.next
        } while cursor != nil
        return true
    }

    /// The sources of the articles of a query. For the whole library, these are all sources, including those without
    /// articles.
    private func sources(of query: ArticleQuery) async throws -> [Source] {
        let sources = try await repository.sources()
        if query == ArticleQuery(sort: query.sort) { return sources }
        let ids = try await repository.sourceIDs(of: query)
        return sources.filter { ids.contains($0.id) }
    }
}

/// The articles to export, and the metadata of the export.
struct Export {
    let repository: any ArticleRepository
    let query: ArticleQuery
    let options: ExportOptions
    /// The sources of the articles, in the order of their IDs.
    let sources: [Source]
    /// The pictures of the articles; nil if the export does not contain them.
    var pictures: (any PictureRepository)?
    /// The time of the last change to one of the articles, if it is already known.
    var latest: Date?
    /// The sources that are feeds, including feeds that were imported from files.
    var feeds: [Source] { sources.filter { $0.kind == .feed || $0.facts.feedURL != nil } }

    /// The ID of a feed of these articles. Each export of the same query has the same ID.
    var feedID: String {
        "urn:uuid:\(NamedUUID(name: query.feedName, in: sources.first?.uid))"
    }

    /// Returns the time of the last change to one of the articles, or the beginning of 1970 without articles.
    func updated() async throws -> Date {
        var latest = latest
        if let latest { return latest }
        var cursor: Cursor?
        repeat {
            let page = try await repository.list(query, after: cursor, limit: 1000)
            for summary in page.summaries { latest = max(latest ?? summary.updated, summary.updated) }
            cursor = page.next
        } while cursor != nil && !Task.isCancelled
        return latest ?? Date(timeIntervalSince1970: 0)
    }
}

/// An article to write.
struct ExportedArticle {
    let article: Article
    /// A user's marks on it, for the formats that an import reads.
    var marks: JSON?
    /// The pictures in its text that the library contains.
    var pictures: ArticlePictures = [:]
}

/// Writes articles one after the other in one format.
protocol ExportWriter {
    /// Whether the format contains articles at all.
    var takesArticles: Bool { get }
    /// Whether the writer must see all articles before it writes the first one.
    var surveysArticles: Bool { get }
    /// Collects data about an article that will be written.
    mutating func survey(_ article: Article)
    /// Writes the part before the first article.
    mutating func begin() async throws
    /// Writes an article.
    mutating func add(_ exported: ExportedArticle) async throws
    /// Writes the part after the last article.
    ///
    /// - Parameter check: to be called from time to time; throws if the export must stop.
    mutating func end(_ check: () throws -> Void) async throws
}

extension ExportWriter {
    var takesArticles: Bool { true }
    var surveysArticles: Bool { false }
    func survey(_ article: Article) {}
}

/// Collects texts and writes them in large pieces. A text is never split between pieces.
final class ByteSink {
    private let handOn: (UnsafeRawBufferPointer) throws -> Void
    private var buffer: [UInt8] = []
    private static let capacity = 64 << 10

    init(_ handOn: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.handOn = handOn }

    func write(_ text: String) throws { try write(utf8: text.utf8) }

    func write(utf8 bytes: some Collection<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes the collected text. Text that was not flushed before the object is released is lost.
    func flush() throws {
        try buffer.withUnsafeBytes { if !$0.isEmpty { try handOn($0) } }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// JSON Lines: the first line lists the sources of the articles, and each other line is an article.
struct JSONLinesExport: ExportWriter {
    let export: Export
    let sink: ByteSink

    func begin() throws { try sink.write(SourcesFile.text(export.sources) + "\n") }

    func add(_ exported: ExportedArticle) throws {
        try sink.write(utf8: ArticleJSON.utf8(exported.article, marks: exported.marks))
        try sink.write("\n")
    }

    func end(_ check: () throws -> Void) {}
}
