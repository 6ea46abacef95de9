/// Brings articles from files, folders and streams into a library.
///
/// An article is known by its slug: that of the source, else the file's name, else made from the title. Where several
/// records of an import have one slug, the first goes in and the others are rejected, unless they are the same, which
/// counts as unchanged. Bringing the same in again changes nothing.
///
/// Of JSON, one record or JSON Feed is held in memory at a time, of other formats one file, and of each record that was read some
/// sixty bytes, by which a slug is known again. What is read goes in by batches of 4,000 articles or 16 MiB, each a
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
    /// - Throws: ``ImportError`` before anything goes in, and what the repository throws; what an earlier batch put
    ///   in stays. Anything that is wrong with a record is no error but a rejection.
    public func run(
        _ sources: [ImportSource], isInterrupted: @escaping () -> Bool = { false },
        onRejection: (Rejection) -> Void = { _ in }, onProgress: (ImportReport) -> Void = { _ in }
    ) async throws -> ImportReport {
        let isStopped = { isInterrupted() || Task.isCancelled }
        var stream = try DraftStream(sources, options: options, isInterrupted: isStopped)
        guard options.isStrict || options.isDryRun else {
            return try await runInBatches(&stream, isStopped, onRejection, onProgress)
        }
        do {
            try stream.spool(in: options.temporaryFolder)
        } catch is ImportStoppedError {
            var report = ImportReport()
            report.isInterrupted = true
            return report
        }
        return try await runInOneTransaction(&stream, isStopped, onRejection, onProgress)
    }

    private func runInBatches(
        _ stream: inout DraftStream, _ isStopped: () -> Bool, _ onRejection: (Rejection) -> Void,
        _ onProgress: (ImportReport) -> Void
    ) async throws -> ImportReport {
        var report = ImportReport()
        var isAtEnd = false
        while !isAtEnd {
            var batch: [ArticleDraft] = []
            var size = 0
            do {
                while batch.count < Self.batchCount, size < Self.batchSize, !isAtEnd {
                    if isStopped() { throw ImportStoppedError() }
                    switch try stream.next() {
                    case .draft(let draft, let bytes):
                        batch.append(draft)
                        size += bytes
                    case .repeated: report.unchanged += 1
                    case .skipped: report.skipped += 1
                    case .rejected(let rejection):
                        report.rejected += 1
                        onRejection(rejection)
                    case nil: isAtEnd = true
                    }
                }
            } catch is ImportStoppedError {
                report.isInterrupted = true
                isAtEnd = true
            }
            if !batch.isEmpty {
                for upsert in try await repository.upsert(batch) { report.count(upsert.outcome) }
            }
            report.passedOver = stream.passedOver
            onProgress(report)
        }
        return report
    }

    /// Ends a transaction without its effects, and brings the report out of it.
    private struct RollBackError: Error { let report: ImportReport }

    private func runInOneTransaction(
        _ stream: inout DraftStream, _ isStopped: () -> Bool, _ onRejection: (Rejection) -> Void,
        _ onProgress: (ImportReport) -> Void
    ) async throws -> ImportReport {
        do {
            return try await repository.write { writer in
                var report = ImportReport()
                do {
                    while let item = try stream.next() {
                        if isStopped() { throw ImportStoppedError() }
                        switch item {
                        case .draft(let draft, _):
                            // Once one is rejected, the rest is only checked.
                            if options.isStrict, report.rejected > 0 { continue }
                            let outcome = try writer.upsert(draft).outcome
                            report.count(outcome)
                            if (report.inserted + report.updated + report.unchanged) % Self.batchCount == 0 {
                                onProgress(report)
                            }
                        case .repeated: report.unchanged += 1
                        case .skipped: report.skipped += 1
                        case .rejected(let rejection):
                            report.rejected += 1
                            onRejection(rejection)
                        }
                    }
                } catch is ImportStoppedError {
                    report.isInterrupted = true
                }
                report.passedOver = stream.passedOver
                let isRefused = options.isStrict && (report.rejected > 0 || report.isInterrupted)
                if isRefused { (report.inserted, report.updated, report.unchanged) = (0, 0, 0) }
                if isRefused || options.isDryRun { throw RollBackError(report: report) }
                return report
            }
        } catch let rollBack as RollBackError {
            return rollBack.report
        }
    }
}
