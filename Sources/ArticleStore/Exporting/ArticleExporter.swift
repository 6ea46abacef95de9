import Essentials
package import Text

/// Writes articles of a library in a format for other programs, or for this one: what it writes as JSON Lines or as Markdown,
/// an import reads as the same articles of the same sources.
///
/// They go by in batches, each of one moment, so that no more than one is held in memory; of each article some bytes are kept
/// by which its file is told from others, and for a folder of pages what their lists say of it.
public struct ArticleExporter: Sendable {
    private let repository: any ArticleRepository
    private let options: ExportOptions
    /// What a reader has marked articles with, by their numbers, where that is written too: as JSON Lines and as Markdown, which an
    /// import reads. Nothing of it is read here.
    package var marks: (@Sendable (_ articles: [Int64]) async throws -> [Int64: JSON])?

    private static let batchCount = 200

    /// An exporter of a library.
    public init(repository: any ArticleRepository, options: ExportOptions = ExportOptions()) {
        self.repository = repository
        self.options = options
    }

    /// Writes the articles of a query, in its order.
    ///
    /// - Parameters:
    ///   - query: which articles. Of OPML it chooses the sources: those that have one of them.
    ///   - format: what they are written as.
    ///   - destination: where that goes.
    ///   - isInterrupted: asked before each article; true stops the export, as cancelling its task does.
    ///   - onProgress: told how far it got, after each batch.
    /// - Throws: ``ExportError``, what taking the pieces of a stream throws and what the repository throws. A file or folder is
    ///   then as it was before.
    public func run(
        _ query: ArticleQuery, as format: ExportFormat, to destination: ExportDestination,
        isInterrupted: () -> Bool = { false }, onProgress: (ExportReport) -> Void = { _ in }
    ) async throws -> ExportReport {
        let export = Export(
            repository: repository, query: query, options: options, sources: try await sources(of: query))
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
            report.isInterrupted = try await !forEachArticle(of: export.query, isInterrupted) { article, _ in
                writer.survey(article)
            }
            if report.isInterrupted { return }
        }
        try await writer.begin()
        if writer.takesArticles {
            report.isInterrupted = try await !forEachArticle(of: export.query, isInterrupted) { article, marks in
                try await writer.add(article, marks: marks)
                report.articles += 1
                if report.articles % Self.batchCount == 0 { onProgress(report) }
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

    /// - Returns: false where it was stopped before the end.
    private func forEachArticle(
        of query: ArticleQuery, _ isInterrupted: () -> Bool, _ body: (Article, _ marks: JSON?) async throws -> Void
    ) async throws -> Bool {
        var cursor: Cursor?
        repeat {
            let batch = try await repository.articles(query, after: cursor, limit: Self.batchCount)
            let marks = try await marks?(batch.articles.map(\.id)) ?? [:]
            for article in batch.articles {
                if isInterrupted() || Task.isCancelled { return false }
                try await body(article, marks[article.id])
            }
            cursor = batch.next
        } while cursor != nil
        return true
    }

    /// The sources that the articles of a query are of; of the whole library all, also those that have none.
    private func sources(of query: ArticleQuery) async throws -> [Source] {
        let sources = try await repository.sources()
        if query == ArticleQuery(sort: query.sort) { return sources }
        let tag = query.sourceTag.map { SearchText.fold($0) }
        var found: [Source] = []
        for source in sources {
            var own = query
            own.source = source.name
            if let name = query.source, FoldedKey.fold(name) != FoldedKey.fold(source.name) { continue }
            if let tag, !source.facts.tags.contains(where: { $0.key == tag }) { continue }
            if try await !repository.list(own, after: nil, limit: 1).summaries.isEmpty { found.append(source) }
        }
        return found
    }
}
