import ArticleStore

/// The result of an import, with its messages.
@dynamicMemberLookup
struct ToldReport: Equatable {
    let report: ImportReport
    let rejections: [Rejection]
    let notRead: [PassedOver]
    let assumedDates: [AssumedDate]

    subscript<Value>(dynamicMember path: KeyPath<ImportReport, Value>) -> Value { report[keyPath: path] }

    /// The numbers of new, changed, renamed, and unchanged articles.
    var outcomes: [Int] { [report.inserted, report.updated, report.renamed, report.unchanged] }
}

extension ArticleImporter {
    /// Imports all sources, and records the messages about rejected records, skipped files, and dates.
    func runKeepingRejections(_ sources: [ImportSource]) async throws -> ToldReport {
        var (rejections, passedOver, dates) = ([Rejection](), [PassedOver](), [AssumedDate]())
        let report = try await run(
            sources, onRejection: { rejections.append($0) }, onPassedOver: { passedOver.append($0) },
            onAssumedDate: { dates.append($0) })
        return ToldReport(report: report, rejections: rejections, notRead: passedOver, assumedDates: dates)
    }
}
