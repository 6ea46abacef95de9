import ArticleStore
import Database
import Text

/// A condition of a list, in SQL.
struct ListCondition {
    let sql: String
    let values: [Value]

    init(_ sql: String, _ values: Value...) {
        self.sql = sql
        self.values = values
    }

    /// Creates the SQL for a condition of a search on the article `a`; nil for a condition on marks, which is a
    /// `MarkCriterion`.
    init?(_ filter: SearchQuery.Filter) {
        let isExcluded = filter.isExcluded
        let comparison = isExcluded ? "IS NOT" : "="
        switch filter.condition {
        case .source(let name):
            self.init(
                "a.source_id \(comparison) (SELECT id FROM source WHERE name_key = ?)", Value(FoldedKey.fold(name)))
        case .language(let tag): self.init("a.language \(comparison) ?", Value(LanguageTag.canonical(tag)))
        case .before(let date): self.init("a.published_at \(isExcluded ? ">=" : "<") ?", Value(date.roundedUp))
        case .after(let date): self.init("a.published_at \(isExcluded ? "<" : ">=") ?", Value(date.roundedUp))
        case .mark: return nil
        }
    }
}
