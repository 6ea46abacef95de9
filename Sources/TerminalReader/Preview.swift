import ArticleStore
import FlowCoordinators
import Terminal

/// The preview beside a list: the beginning of the article that the selected row opens.
struct Preview: Sendable {
    /// The row, and the columns of the preview.
    struct Key: Hashable, Sendable {
        let row: String
        let columns: Range<Int>
    }

    let key: Key
    /// Nil if there is nothing to show.
    let view: ReaderView?
    var state: ViewState

    init(key: Key, view: ReaderView?, state: ViewState) {
        self.key = key
        self.view = view
        self.state = state
    }

    /// Keeps an article that the user leaves as the preview of its row, with its scroll position; nil if the view does
    /// not show an article in the columns of a preview.
    init?(leaving view: ReaderView, _ state: ViewState, in layout: PaneLayout) {
        guard layout.hasPreview, view.columns == layout.article,
            case .article(let article, _) = view.screen.model
        else { return nil }
        self.init(key: Key(row: String(article.id), columns: view.columns), view: view, state: state)
    }

    /// The length of the beginning in bytes: many pages, and quick to lay out.
    private static let beginning = 1 << 15

    /// Returns a screen with only the beginning of its text; nil if it is not a text.
    static func beginning(of screen: Screen?) -> Screen? {
        guard let screen, case .document(let document) = screen.content else { return nil }
        return Screen(title: screen.title, content: .document(document.beginning(of: beginning)))
    }
}
