import ArticleStore

/// What an import did, with what was told of it on the way.
@dynamicMemberLookup
struct ToldReport: Equatable {
    let report: ImportReport
    let rejections: [Rejection]

    subscript<Value>(dynamicMember path: KeyPath<ImportReport, Value>) -> Value { report[keyPath: path] }
}

extension ArticleImporter {
    /// Reads all sources, and keeps what is told of each record that is rejected.
    func runKeepingRejections(_ sources: [ImportSource]) async throws -> ToldReport {
        var rejections: [Rejection] = []
        let report = try await run(sources, onRejection: { rejections.append($0) })
        return ToldReport(report: report, rejections: rejections)
    }
}
