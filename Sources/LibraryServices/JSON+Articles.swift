package import ArticleStore
package import Text

extension JSON {
    /// Creates an article of a list, with its marks if the request has a user, and other members at its end.
    package init(listed article: ArticleSummary, marks: [Int64: ArticleMarks]?, adding members: [Member] = []) {
        let marks = marks.map { [Member("marks", JSON(marks: $0[article.id] ?? ArticleMarks()))] } ?? []
        self = .encoded(ArticleJSON.utf8(article, adding: marks + members))
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
