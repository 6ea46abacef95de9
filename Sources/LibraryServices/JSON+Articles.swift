package import ArticleStore
package import Text

extension JSON {
    /// Creates an article of a list, with its marks if the request has a user.
    package init(listed article: ArticleSummary, marks: [Int64: ArticleMarks]?) {
        self = JSON.encoded(ArticleJSON.object(article)).adding(marks.map { $0[article.id] ?? ArticleMarks() })
    }
}

extension ArticlePage {
    /// Returns the members of a list page except its articles.
    package func members(total: Int?) -> [JSON.Member] {
        let search = search.map { search -> JSON in
            ["waiting": JSON(search.waiting), "cut": .bool(search.isCut), "suggestion": JSON(search.suggestion)]
        }
        return [
            JSON.Member("next", JSON(next?.description)), JSON.Member("total", total.map { JSON($0) } ?? .null),
        ] + (search.map { [JSON.Member("search", $0)] } ?? [])
    }
}
