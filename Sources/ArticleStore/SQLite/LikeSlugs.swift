package import Database
import Text

/// Slugs that a person may have meant by one that no article has.
package enum LikeSlugs {
    private static let after = "SELECT slug FROM article WHERE slug >= ? AND slug < ? ORDER BY slug LIMIT 1000"
    private static let before = "SELECT slug FROM article WHERE slug < ? AND slug >= ? ORDER BY slug DESC LIMIT 1000"

    /// The slug in small letters, where an article has it; else those that begin alike and are written almost so, at most
    /// three, the best first.
    /// - Throws: `DatabaseError`.
    package static func of(_ typed: String, in database: some Queryable) throws -> [String] {
        let slug = typed.lowercased()
        let same = try database.query("SELECT slug FROM article WHERE slug = ?", [Value(slug)]) {
            try $0.value(0) as String
        }
        guard same.isEmpty, let start = slug.first.map({ String($0) }) else { return same }
        // Slugs on either side of the first two letters, if they begin with the same letter.
        let end = Value(behindTextBeginningWith: start)
        let place = String(slug.prefix(2))
        let found =
            try database.query(Self.after, [Value(place), end]) { try $0.value(0) as String }
            + database.query(Self.before, [Value(place), Value(start)]) { try $0.value(0) as String }
        return found.suggestions(for: slug)
    }
}
