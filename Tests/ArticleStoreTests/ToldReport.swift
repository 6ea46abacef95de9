import ArticleImporting
import ArticleStore

/// The result of an import, with its messages.
@dynamicMemberLookup
struct ToldReport: Equatable {
    let report: ImportReport
    let rejections: [Rejection]
    let notRead: [SkippedFile]
    let notes: [String]
    let assumedDates: [AssumedDate]

    subscript<Value>(dynamicMember path: KeyPath<ImportReport, Value>) -> Value { report[keyPath: path] }

    /// The numbers of new, changed, renamed, and unchanged articles.
    var outcomes: [Int] { [report.inserted, report.updated, report.renamed, report.unchanged] }
}

extension ArticleImporter {
    /// Imports all sources, and records the messages about rejected records, skipped files, and dates.
    func runKeepingRejections(_ sources: [ImportSource]) async throws -> ToldReport {
        var (rejections, skippedFiles, notes, dates) = ([Rejection](), [SkippedFile](), [String](), [AssumedDate]())
        let report = try await run(
            sources,
            onEvent: { event in
                switch event {
                case .rejected(let rejection): rejections.append(rejection)
                case .skipped(let file): skippedFiles.append(file)
                case .assumedDate(let date): dates.append(date)
                case .note(let text): notes.append(text)
                case .article, .progress: break
                }
            })
        return ToldReport(
            report: report, rejections: rejections, notRead: skippedFiles, notes: notes, assumedDates: dates)
    }
}
