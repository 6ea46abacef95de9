package import Database
import Text

/// Articles that alone can be in a list, as a SELECT of `article_id`, and a SELECT of how many these are at most, counted no
/// further than one more than ``few``.
package struct Candidates: Equatable {
    package let sql: String
    package let values: [Value]
    package let count: String
    package let countValues: [Value]

    /// How many articles are few.
    package static let few = 4096
}

extension Candidates {
    /// Articles by their numbers.
    fileprivate init(_ numbers: Range<Int64>) {
        let rows = "FROM article WHERE id >= ? AND id < ?"
        let values = [Value(numbers.lowerBound), Value(numbers.upperBound)]
        self.init(
            sql: "SELECT id AS article_id \(rows)", values: values,
            count: "SELECT count(*) FROM (SELECT 1 \(rows) LIMIT \(Self.few + 1))", countValues: values)
    }
}

extension Candidates {
    /// Articles of the sources with a tag.
    fileprivate init(ofSourcesTagged tag: String) {
        let sources = SourceRow.tagged
        let values = [Value(SearchText.fold(tag))]
        self.init(
            sql: "SELECT id AS article_id FROM article WHERE source_id IN \(sources)", values: values,
            count: "SELECT ifnull(sum(articles), 0) FROM source_size WHERE source_id IN \(sources)", countValues: values
        )
    }
}

extension ArticleQuery {
    /// The articles that can be in the list, for each condition that bounds them.
    var candidates: [Candidates] {
        markCriteria.compactMap(\.candidates) + (numbers.map { [Candidates($0)] } ?? [])
            + (sourceTag.map { [Candidates(ofSourcesTagged: $0)] } ?? [])
    }

    /// The fewest of these; nil where nowhere are few.
    package func scarcest(in reader: some Queryable) throws -> Candidates? {
        var best: (candidates: Candidates, count: Int)?
        for candidates in candidates {
            guard let count: Int = try reader.first(candidates.count, candidates.countValues, { try $0.value(0) }),
                count <= min(Candidates.few, (best?.count ?? .max) - 1)
            else { continue }
            best = (candidates, count)
        }
        return best?.candidates
    }
}
