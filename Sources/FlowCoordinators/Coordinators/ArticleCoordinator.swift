internal import ArticleStore
internal import Navigation

/// Listing and reading articles.
final class ArticleCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() async {
        // Without a session there is nothing to list: the gate leads to the log-in.
        if environment.signedIn.session == nil { flow.show([]) }
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch event {
        case .articleChosen(let slug):
            flow.push(.article(slug))
        case .nextPageChosen:
            guard case .articles(var list) = route else { return }
            await environment.attempt {
                list.cursor = try await page(of: list).next
                if list.cursor != nil { flow.push(.articles(list)) }
            }
        case .accountChosen:
            flow.begin(.account)
        case .logOutChosen:
            if await environment.attempt({ try await environment.signedIn.logOut() }) {
                environment.say(Notice("Logged out."))
                flow.show([])
            }
        default: break
        }
    }

    func screen(for route: AppRoute) async throws -> Screen {
        switch route {
        case .articles(let list): try await screen(for: list)
        case .article(let reference): try await screen(forArticle: reference)
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

    private func page(of list: ArticleList) async throws -> ArticlePage {
        try await environment.articles.list(list.query, after: list.cursor, limit: list.limit)
    }

    /// A number is an id, unless an article has it for a slug alone.
    private func article(_ reference: String) async throws -> Article? {
        if let id = Int64(reference), let article = try await environment.articles.article(id: id) { return article }
        return try await environment.articles.article(slug: reference)
    }

    private func screen(for list: ArticleList) async throws -> Screen {
        let page = try await page(of: list)
        let total = try await environment.articles.count(list.query)
        let rows = page.summaries.map { article in
            List.Row(
                [
                    String(article.id), article.slug, article.published.day, article.author,
                    article.title, article.tags.joined(separator: ", "),
                ], event: .articleChosen(article.slug))
        }
        var actions = [Action("Account", .accountChosen), Action("Log out", .logOutChosen)]
        if page.next != nil { actions.insert(Action("Next page", .nextPageChosen), at: 0) }
        return Screen(
            title: "Articles",
            content: .list(
                List(
                    columns: [
                        .init("ID"), .init("SLUG", use: .detail), .init("PUBLISHED"), .init("AUTHOR"), .init("TITLE"),
                        .init("TAGS", use: .detail),
                    ],
                    rows: rows,
                    placeholder: list.query == ArticleQuery(sort: list.query.sort)
                        ? "The library is empty." : "No article matches.",
                    footer: rows.count < total ? "\(rows.count) of \(total)" : nil)),
            actions: actions,
            model: .articles(page, total: total))
    }

    private func screen(forArticle reference: String) async throws -> Screen {
        guard let article = try await article(reference) else {
            throw ScreenError.noArticle(reference)
        }
        let facts: [(String, String)] = [
            ("Author", article.author),
            ("Published", article.published.day),
            ("Updated", article.updated == article.published ? "" : article.updated.day),
            ("Tags", article.tags.joined(separator: ", ")),
            ("Reading time", "\(article.readingMinutes) min"),
            ("Source", article.sourceURL ?? ""),
        ]
        return Screen(
            title: article.title,
            content: .document(
                Document(
                    facts: facts.filter { !$0.1.isEmpty }.map(Document.Fact.init), body: article.body,
                    format: article.format)),
            actions: [Action("Log out", .logOutChosen)],
            model: .article(article))
    }
}
