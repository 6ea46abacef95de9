package import Database
import Text

/// A condition of a list, about the article that its SQL calls `a`.
package struct ListCondition: Sendable {
    package let sql: String
    package let values: [Value]

    package init(_ sql: String, _ values: Value...) {
        self.init(sql: sql, values: values)
    }

    private init(sql: String, values: [Value]) {
        self.sql = sql
        self.values = values
    }

    /// That a condition of a search holds, or does not.
    init(_ filter: SearchQuery.Filter, marks: (SearchQuery.Mark) -> ListCondition) {
        let isExcluded = filter.isExcluded
        let comparison = isExcluded ? "IS NOT" : "="
        switch filter.condition {
        case .source(let name):
            self.init(
                "a.source_id \(comparison) (SELECT id FROM source WHERE name_key = ?)", Value(FoldedKey.fold(name)))
        case .language(let tag): self.init("a.language \(comparison) ?", Value(LanguageTag.canonical(tag)))
        case .before(let date): self.init("a.published_at \(isExcluded ? ">=" : "<") ?", Value(date.roundedUp))
        case .after(let date): self.init("a.published_at \(isExcluded ? "<" : ">=") ?", Value(date.roundedUp))
        case .mark(let mark):
            let condition = marks(mark)
            self.init(sql: isExcluded ? "NOT (\(condition.sql))" : condition.sql, values: condition.values)
        }
    }

    /// Of a library in which nobody has marked anything.
    package static func unmarked(_ mark: SearchQuery.Mark) -> ListCondition {
        ListCondition(mark == .unread ? "TRUE" : "FALSE")
    }
}
