package import ArticleStore
package import Database
import Text

/// A set of articles that contains all articles of a list. `sql` is a SELECT of `article_id`. `count` is a SELECT of
/// the maximum number of these articles; counting may stop at ``few`` plus one.
package struct Candidates: Equatable {
    package let sql: String
    package let values: [Value]
    package let count: String
    package let countValues: [Value]

    /// The maximum number of articles that counts as few.
    package static let few = 4096
}

extension Candidates {
    /// Creates candidates from a range of article numbers.
    fileprivate init(_ numbers: Range<Int64>) {
        let rows = "FROM article WHERE id >= ? AND id < ?"
        let values = [Value(numbers.lowerBound), Value(numbers.upperBound)]
        self.init(
            sql: "SELECT id AS article_id \(rows)", values: values,
            count: "SELECT count(*) FROM (SELECT 1 \(rows) LIMIT \(Self.few + 1))", countValues: values)
    }
}

extension Candidates {
    /// Creates candidates from the articles of all sources with a tag.
    fileprivate init(ofSourcesTagged tag: String) {
        let sources = SourceRow.tagged
        let value = Value(SearchText.fold(tag))
        // UNION: an article may appear in several of them.
        self.init(
            sql: """
                SELECT id AS article_id FROM article WHERE source_id IN \(sources)
                UNION SELECT article_id FROM article_appearance WHERE source_id IN \(sources)
                """, values: [value, value],
            count: "SELECT ifnull(sum(articles + appearances), 0) FROM source_size WHERE source_id IN \(sources)",
            countValues: [value])
    }
}

extension ArticleQuery {
    /// The candidates of each condition that limits the list.
    var candidates: [Candidates] {
        markConditions.compactMap(\.candidates) + (numbers.map { [Candidates($0)] } ?? [])
            + (sourceTag.map { [Candidates(ofSourcesTagged: $0)] } ?? [])
    }

    /// Returns the smallest set of candidates; nil if all have too many articles.
    package func scarcest(in connection: some Queryable) throws -> Candidates? {
        var best: (candidates: Candidates, count: Int)?
        for candidates in candidates {
            guard let count: Int = try connection.first(candidates.count, candidates.countValues, { try $0.value(0) }),
                count <= min(Candidates.few, (best?.count ?? .max) - 1)
            else { continue }
            best = (candidates, count)
        }
        return best?.candidates
    }
}
