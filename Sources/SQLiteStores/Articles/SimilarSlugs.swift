import ArticleStore
import Database
import Text

/// Finds slugs that a person may have meant with a slug that does not exist.
enum SimilarSlugs {
    private static let after = "SELECT slug FROM article WHERE slug >= ? AND slug < ? ORDER BY slug LIMIT 1000"
    private static let before = "SELECT slug FROM article WHERE slug < ? AND slug >= ? ORDER BY slug DESC LIMIT 1000"

    /// See `ArticleRepository.slugs(similarTo:)`.
    static func of(_ typed: String, in database: some Queryable) throws -> [String] {
        let slug = typed.lowercased()
        let same = try database.query("SELECT slug FROM article WHERE slug = ?", [Value(slug)]) {
            try $0.value(0) as String
        }
        guard same.isEmpty, let start = slug.first.map({ String($0) }) else { return same }
        // Read the slugs before and after the first two letters, if they begin with the same letter.
        let end = Value(behindTextBeginningWith: start)
        let place = String(slug.prefix(2))
        let found =
            try database.query(Self.after, [Value(place), end]) { try $0.value(0) as String }
            + database.query(Self.before, [Value(place), Value(start)]) { try $0.value(0) as String }
        return found.suggestions(for: slug)
    }
}
