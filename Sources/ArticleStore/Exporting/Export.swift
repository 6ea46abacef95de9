import Text

/// The articles to export, and the metadata of the export.
struct Export {
    let repository: any ArticleRepository
    let query: ArticleQuery
    let options: ExportOptions
    /// The sources of the articles, in the order of their IDs.
    let sources: [Source]
    /// The time of the last change to one of the articles, if it is already known.
    var latest: Date?
    /// The sources that are feeds, including feeds that were imported from files.
    var feeds: [Source] { sources.filter { $0.kind == .feed || $0.facts.feedURL != nil } }

    /// The ID of a feed of these articles. Each export of the same query has the same ID.
    var feedID: String {
        var words = "feed"
        for part in [query.text, query.source, query.author, query.tag, query.language] {
            words += "\n" + (part.map(FoldedKey.fold) ?? "")
        }
        if let tag = query.sourceTag { words += "\n%" + SearchText.fold(tag) }
        for date in [query.since, query.until] { words += "\n" + (date.map { RFC3339.string(from: $0) } ?? "") }
        words += query.marks.fingerprint
        return "urn:uuid:\(NamedUUID(name: words, in: sources.first?.uid))"
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
