import Essentials
import Text

/// What an export is of, and what it says of itself.
struct Export {
    let repository: any ArticleRepository
    let query: ArticleQuery
    let options: ExportOptions
    /// The sources that its articles are of, in the order of their numbers.
    let sources: [Source]
    /// When the last of the articles changed, where that is known.
    var latest: Date?
    /// Those of them that are feeds, whatever they were imported from.
    var feeds: [Source] { sources.filter { $0.kind == .feed || $0.facts.feedURL != nil } }

    /// What a feed of these articles is known by: the same at each export of the query.
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

    /// When the last of the articles changed, as their list tells; the beginning of 1970 where there is none.
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
