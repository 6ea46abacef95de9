import ArticleStore

/// What an import did, with what was told of it on the way.
@dynamicMemberLookup
struct ToldReport: Equatable {
    let report: ImportReport
    let rejections: [Rejection]
    let notRead: [PassedOver]
    let assumedDates: [AssumedDate]

    subscript<Value>(dynamicMember path: KeyPath<ImportReport, Value>) -> Value { report[keyPath: path] }

    /// How many articles are new, changed, known by another key, and the same.
    var outcomes: [Int] { [report.inserted, report.updated, report.renamed, report.unchanged] }
}

extension ArticleImporter {
    /// Reads all sources, and keeps what is told of each record that is rejected, of what is passed over and of dates.
    func runKeepingRejections(_ sources: [ImportSource]) async throws -> ToldReport {
        var (rejections, passedOver, dates) = ([Rejection](), [PassedOver](), [AssumedDate]())
        let report = try await run(
            sources, onRejection: { rejections.append($0) }, onPassedOver: { passedOver.append($0) },
            onAssumedDate: { dates.append($0) })
        return ToldReport(report: report, rejections: rejections, notRead: passedOver, assumedDates: dates)
    }
}
