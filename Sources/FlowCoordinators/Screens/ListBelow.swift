package import ArticleStore

/// The list below an article.
package struct ListBelow: Sendable {
    let listed: ArticleLister.Page
    let additions: [Action]

    /// The place of the list.
    package var list: ArticleList { listed.range.list }

    /// Returns the screen of the list beside the screen of an article, whose row is the current one and has its marks.
    package func screen(beside article: Screen) -> Screen {
        guard case .article(let article, let marks) = article.model else {
            return ArticleListScreen(listed, additions: additions).screen
        }
        var listed = listed
        if let marks, listed.marks?[article.id] != nil { listed.marks?[article.id] = marks }
        var screen = ArticleListScreen(listed, additions: additions)
        screen.current = article.id
        return screen.screen
    }
}
