import ArticleStore
import Navigation

/// Shows the titles of the articles. It does not know accounts, only the place where a user logs in.
final class ArticlesCoordinator: Coordinator {
    private let flow: Flow<LibraryRoute, Void>
    private let articles: any ArticleRepository
    private var text = "Loading"

    init(_ flow: Flow<LibraryRoute, Void>, articles: any ArticleRepository) {
        self.flow = flow
        self.articles = articles
    }

    func start() {
        flow.run("list") { [articles] _ in
            let page = try? await articles.list(ArticleQuery(sort: .title), after: nil, limit: 20)
            return page?.summaries.map(\.title).joined(separator: ", ")
        } then: { [weak self] titles, _ in
            self?.text = titles ?? "Cannot read the articles"
        }
    }

    func eventOccurred(_ event: LibraryRoute.Event, in route: LibraryRoute) {
        if case .logInChosen = event { flow.begin(.account(.login(name: nil)), modal: true) }
    }

    func screen(for route: LibraryRoute, outlet: Outlet<LibraryRoute.Event>) -> LibraryRoute.Screen {
        .articles(text: text, logIn: outlet)
    }
}
