import ArticleStore
import Database
import Text

/// A condition of a list, in SQL.
struct ListCondition {
    let sql: String
    let values: [Value]

    init(_ sql: String, _ values: Value...) { self.init(sql: sql, values: values) }

    private init(sql: String, values: [Value]) { (self.sql, self.values) = (sql, values) }

    /// Creates the SQL for a condition of a search on the article `a`; nil for a condition on marks, which is a
    /// `MarkCriterion`.
    init?(_ filter: SearchQuery.Filter) {
        let isExcluded = filter.isExcluded
        let comparison = isExcluded ? "IS NOT" : "="
        switch filter.condition {
        case .source(let name):
            let (source, key) = ("(SELECT id FROM source WHERE name_key = ?)", Value(FoldedKey.fold(name)))
            let isAppearance = SourceRow.isAppearance(in: "= \(source)")
            self.init(
                isExcluded
                    ? "(a.source_id IS NOT \(source) AND NOT \(isAppearance))"
                    : "(a.source_id = \(source) OR \(isAppearance))", key, key)
        case .language(let tag): self.init("a.language \(comparison) ?", Value(LanguageTag.canonical(tag)))
        case .before(let date): self.init("a.published_at \(isExcluded ? ">=" : "<") ?", Value(date.roundedUp))
        case .after(let date): self.init("a.published_at \(isExcluded ? "<" : ">=") ?", Value(date.roundedUp))
        case .mark: return nil
        }
    }

    /// Creates the SQL for a clause of a search.
    ///
    /// - Parameters:
    ///   - id: an SQL expression for the number of the article `a`.
    ///   - user: the user whose marks count.
    init(_ clause: SearchQuery.Clause, of id: String, markedBy user: Int64?) {
        switch clause {
        case .term(let term):
            let isIn = "IN (SELECT rowid FROM article_text WHERE article_text MATCH ?)"
            let match = Value(term.expression.text)
            if term.isExcluded {
                self.init("(\(Self.isIndexed(id)) AND \(id) NOT \(isIn))", Value(SearchWords.version), match)
            } else {
                self.init("\(id) \(isIn)", match)
            }
        case .filter(let filter):
            if case .mark(let mark) = filter.condition {
                self = SingleMarkCondition(userID: user, mark: mark, isSet: !filter.isExcluded).condition(of: id)
            } else {
                self = ListCondition(filter) ?? ListCondition("TRUE")
            }
        case .all(let clauses), .any(let clauses):
            let separator = if case .all = clause { " AND " } else { " OR " }
            let conditions = clauses.map { ListCondition($0, of: id, markedBy: user) }
            self.init(
                sql: "(" + conditions.map(\.sql).joined(separator: separator) + ")",
                values: conditions.flatMap(\.values))
        }
    }

    /// Whether an article is indexed in its present form. If it is not, it may contain excluded words. Its value is the version
    /// of the index.
    static func isIndexed(_ id: String) -> String {
        """
        \(id) <= (SELECT indexed_to FROM search_state WHERE version = ?) \
        AND NOT EXISTS (SELECT 1 FROM search_queue WHERE article_id = \(id))
        """
    }
}
