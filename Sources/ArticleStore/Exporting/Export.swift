import Essentials
import Text

/// What an export is of, and what it says of itself.
struct Export {
    let repository: any ArticleRepository
    let query: ArticleQuery
    let options: ExportOptions
    /// The sources that its articles are of, in the order of their numbers.
    let sources: [Source]

    /// What a feed of these articles is known by.
    var id: String {
        var words = "feed"
        for part in [query.text, query.source, query.author, query.tag, query.language] { words += "\n" + (part ?? "") }
        for date in [query.since, query.until] { words += "\n" + (date.map { RFC3339.string(from: $0) } ?? "") }
        let source = sources.first?.uid ?? SourceUID(String(repeating: "0", count: 32))
        return source.map { "urn:uuid:\(NamedUUID(name: words, in: $0))" } ?? options.title
    }

    /// When the last of the articles changed, as their lists tell.
    func updated() async throws -> Date {
        var latest = Date(timeIntervalSince1970: 0)
        try await forEachSummary(of: query) { latest = max(latest, $0.updated) }
        return latest
    }

    /// Tells of every article of a query, in its order.
    func forEachSummary(of query: ArticleQuery, _ body: (ArticleSummary) throws -> Void) async throws {
        var cursor: Cursor?
        repeat {
            let page = try await repository.list(query, after: cursor, limit: 1000)
            for summary in page.summaries { try body(summary) }
            cursor = page.next
        } while cursor != nil
    }
}
