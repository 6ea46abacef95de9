internal import ArticleStore
internal import Navigation

/// Listing and reading articles.
final class ArticleCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    private let listing: ArticleListing
    private let reading: ArticleReading
    /// What was seen of a list last: counting a large one takes longer than a page.
    private var seen = ArticleListing.Stretch(ArticleList())
    /// The stretch of the list that a search was begun from, to come back to.
    private var unsearched: ArticleListing.Stretch?

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
        listing = ArticleListing(articles: environment.articles, counts: environment.countsLists)
        reading = ArticleReading(articles: environment.articles)
    }

    func start() async {
        // Without a session there is nothing to list: the gate leads to the log-in.
        if environment.signedIn.session == nil { flow.show([]) }
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch route {
        case .articles(let list): await eventOccurred(event, in: list)
        case .article(let reference): await eventOccurred(event, inArticle: reference)
        default: break
        }
    }

    private func eventOccurred(_ event: AppEvent, in list: ArticleList) async {
        let shown = seen.moved(to: list)
        switch event {
        case .moreRowsWanted: return await show { try await listing.more(of: shown) }
        case .earlierRowsWanted: return await show { try await listing.earlier(of: shown) }
        case .firstRowsWanted: return await show { listing.first(of: shown) }
        case .lastRowsWanted: return await show { try await listing.last(of: shown) }
        default: break
        }
        // Whoever comes back to the list may find another number of articles.
        seen.total = nil
        var query = list.query
        switch event {
        case .articleChosen(let reference):
            flow.push(.article(reference))
        case .sortChosen(let sort):
            query.sort = sort
        case .searched(let text):
            query.text = text
            if list.query.text == nil, query.text != nil { unsearched = seen.moved(to: list) }
            if let unsearched, query == unsearched.list.query { return await show { unsearched } }
        case .everythingChosen:
            query = ArticleQuery(sort: query.sort)
        case .accountChosen:
            flow.begin(.account)
        case .logOutChosen:
            await logOut()
        default: break
        }
        if query != list.query { flow.replace(with: .articles(ArticleList(query: query))) }
    }

    private func eventOccurred(_ event: AppEvent, inArticle reference: ArticleReference) async {
        seen.total = nil
        switch event {
        case .linkFollowed(let link):
            await environment.attempt { flow.push(.article(try await reading.target(of: link))) }
        case .previousArticleChosen:
            await turn(.previous, from: reference, or: "This is the first article of the list.")
        case .nextArticleChosen:
            await turn(.next, from: reference, or: "This is the last article of the list.")
        case .logOutChosen:
            await logOut()
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        switch route {
        case .articles(let list):
            let screen = try await listing.screen(of: seen.moved(to: list))
            seen = screen.stretch
            return screen.screen
        case .article(let reference): return try await reading.screen(of: reference).screen
        default: throw ScreenError.misplaced(route)
        }
    }

    var children: [ChildFlow<AppRoute>] {
        [
            ChildFlow(.account) { [environment] flow in
                AccountCoordinator(flow: flow, environment: environment)
            } ended: { _ in
                []
            }
        ]
    }

    /// Shows another stretch of the list on top.
    private func show(_ stretch: () async throws -> ArticleListing.Stretch) async {
        await environment.attempt {
            seen = try await stretch()
            flow.replace(with: .articles(seen.list))
        }
    }

    /// Shows the article beside this one in the list beneath it, else in the whole library, or says that there is none.
    private func turn(_ direction: ArticleReading.Direction, from reference: ArticleReference, or end: String) async {
        let lists = environment.stack().compactMap { if case .articles(let list) = $0 { list } else { nil } }
        await environment.attempt {
            let neighbour = try await reading.neighbour(
                direction, of: reference, in: lists.last?.query ?? ArticleQuery())
            guard let neighbour else { return environment.say(Notice(end)) }
            flow.replace(with: .article(neighbour))
        }
    }

    private func logOut() async {
        if await environment.attempt({ try await environment.signedIn.logOut() }) {
            environment.say(Notice("Logged out."))
            flow.show([])
        }
    }
}
