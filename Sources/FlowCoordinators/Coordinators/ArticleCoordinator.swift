internal import ArticleStore
internal import Navigation

/// Listing and reading articles.
final class ArticleCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    /// How many articles a list has, kept while it is paged through: counting a large one takes longer than a page.
    private var counted: (query: ArticleQuery, total: Int)?

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() async {
        // Without a session there is nothing to list: the gate leads to the log-in.
        if environment.signedIn.session == nil { flow.show([]) }
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch (event, route) {
        case (.moreRowsWanted, .articles(let list)):
            return await show { list.grown(after: try await page(of: list)) }
        case (.earlierRowsWanted, .articles(let list)):
            return await show { list.grown(before: try await articles(before: list)) }
        default: counted = nil
        }
        switch event {
        case .articleChosen(let slug):
            flow.push(.article(slug))
        case .nextPageChosen:
            guard case .articles(var list) = route else { return }
            await environment.attempt {
                list.cursor = try await page(of: list).next
                if list.cursor != nil { flow.push(.articles(list)) }
            }
        case .sortChosen(let sort):
            guard case .articles(let list) = route, list.query.sort != sort else { return }
            var query = list.query
            query.sort = sort
            flow.replace(with: .articles(ArticleList(query: query)))
        case .submitted(let answers):
            guard case .articles(let list) = route else { return }
            let query = list.query.narrowed(by: answers)
            if query != list.query { flow.replace(with: .articles(ArticleList(query: query))) }
        case .previousArticleChosen, .nextArticleChosen:
            guard case .article(let reference) = route else { return }
            await environment.attempt {
                guard let article = try await article(reference) else { throw ScreenError.noArticle(reference) }
                let (previous, next) = try await neighbours(of: article)
                let chosen = if case .nextArticleChosen = event { next } else { previous }
                if let chosen { flow.replace(with: .article(chosen.reference)) }
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

    /// The articles before those of a list, one more than it grows by.
    private func articles(before list: ArticleList) async throws -> [ArticleSummary] {
        guard let cursor = list.cursor else { return [] }
        return try await environment.articles.list(list.query, before: cursor, limit: ArticleList.defaultLimit + 1)
    }

    /// Shows another stretch of the list on top.
    private func show(_ list: () async throws -> ArticleList) async {
        await environment.attempt { flow.replace(with: .articles(try await list())) }
    }

    private func total(of list: ArticleList) async throws -> Int {
        if let counted, counted.query == list.query { return counted.total }
        let total = try await environment.articles.count(list.query)
        counted = (list.query, total)
        return total
    }

    /// The articles before and after one, in the order of the list beneath it, else of the whole library. One that is
    /// outside the dates of the list has none.
    private func neighbours(of article: Article) async throws -> (previous: ArticleSummary?, next: ArticleSummary?) {
        let lists = environment.stack().compactMap { if case .articles(let list) = $0 { list } else { nil } }
        let query = lists.last?.query ?? ArticleQuery()
        guard query.since.map({ article.published >= $0 }) ?? true, query.until.map({ article.published < $0 }) ?? true
        else { return (nil, nil) }
        let cursor = Cursor(after: ArticleSummary(article), in: query)
        let before = try await environment.articles.list(query, before: cursor, limit: 2)
        let after = try await environment.articles.list(query, after: cursor, limit: 1)
        return (before.last { $0.id != article.id }, after.summaries.first)
    }

    /// A number is an id, unless an article has it for a slug alone.
    private func article(_ reference: String) async throws -> Article? {
        if let id = Int64(reference), let article = try await environment.articles.article(id: id) { return article }
        return try await environment.articles.article(slug: reference)
    }

    private func screen(for list: ArticleList) async throws -> Screen {
        let page = try await page(of: list)
        let total = try await total(of: list)
        let rows = page.summaries.map { article in
            List.Row(
                [
                    String(article.id), article.slug, article.published.day, article.author,
                    article.title, article.tags.joined(separator: ", "), "\(article.readingMinutes) min",
                ], event: .articleChosen(article.reference), id: String(article.id))
        }
        var actions: [Action] = []
        if page.next != nil { actions.append(Action("Next page", .nextPageChosen, use: .paging)) }
        for sort in ArticleQuery.Sort.allCases where sort != list.query.sort {
            actions.append(Action(sort.label, .sortChosen(sort)))
        }
        actions += [Action("Account", .accountChosen), Action("Log out", .logOutChosen)]
        let words = list.query.words
        return Screen(
            title: words.isEmpty ? "Articles" : "Articles \(words)",
            content: .list(
                List(
                    columns: [
                        .init("ID"), .init("SLUG", use: .detail), .init("PUBLISHED"), .init("AUTHOR"), .init("TITLE"),
                        .init("TAGS", use: .detail), .init("READING", use: .browsing),
                    ],
                    rows: rows,
                    placeholder: list.query == ArticleQuery(sort: list.query.sort)
                        ? "The library is empty." : "No article matches.",
                    footer: rows.count < total ? "\(rows.count) of \(total)" : nil, choice: "Read",
                    earlier: list.cursor == nil ? nil : .earlierRowsWanted,
                    more: page.next == nil ? nil : .moreRowsWanted,
                    filter: Form(
                        [
                            .init(.author, "Author", value: list.query.author ?? ""),
                            .init(.tag, "Tag", value: list.query.tag ?? ""),
                        ], submitLabel: "Filter"))),
            actions: actions,
            model: .articles(page, total: total))
    }

    private func screen(forArticle reference: String) async throws -> Screen {
        guard let article = try await article(reference) else {
            throw ScreenError.noArticle(reference)
        }
        let (previous, next) = try await neighbours(of: article)
        let actions = [
            previous.map { _ in Action("Previous article", .previousArticleChosen) },
            next.map { _ in Action("Next article", .nextArticleChosen) },
            Action("Log out", .logOutChosen),
        ]
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
            actions: actions.compactMap(\.self),
            model: .article(article))
    }
}

extension ArticleSummary {
    /// What names the article in a path: its slug, or its number where the slug would be taken for another's.
    fileprivate var reference: String { Int64(slug) == nil ? slug : String(id) }
}

extension ArticleQuery {
    /// The query with what was filled in. What was emptied narrows nothing; what was not asked for stays.
    fileprivate func narrowed(by answers: Answers) -> ArticleQuery {
        func narrowed(_ value: String?, by answer: String?) -> String? {
            guard let answer else { return value }
            return answer.allSatisfy(\.isWhitespace) ? nil : answer
        }
        var query = self
        query.author = narrowed(author, by: answers[.author])
        query.tag = narrowed(tag, by: answers[.tag])
        return query
    }
}
