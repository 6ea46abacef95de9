internal import ArticleStore

/// The content beside a screen. The coordinator that loads the screen loads this with the same request, as far as it can.
struct Beside {
    /// The maximum number of sources.
    let sources: Int
    /// Returns the list beside the screen; nil if it has none.
    let list: () -> ArticleList?
    var outline: ReadingOutline?
    var listed: ArticleLister.Page?
}

extension Environment {
    /// The list from which the article was opened.
    private var listBelow: ListRange? { beside?.list().map { ListRange($0) } }

    /// The list is not counted: nothing beside an article shows its number.
    private var listerBelow: ArticleLister { ArticleLister(articles: articles, marking: marking, counts: false) }

    /// The parts of a page beside an article.
    var partsBeside: ReadingParts {
        guard let beside else { return ReadingParts() }
        return ReadingParts(list: listBelow.map { listerBelow.part(of: $0) }, sources: beside.sources)
    }

    /// Fills the panes beside an article: its outline, and the list from which it was opened.
    func showBeside(_ view: ReadingView) async throws {
        guard beside != nil else { return }
        beside?.outline = view.outline
        if let listBelow { beside?.listed = try await listerBelow.page(of: listBelow, in: view) }
    }
}

/// The list below an article.
package struct ListBelow: Sendable {
    let listed: ArticleLister.Page
    let additions: [Action]

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
