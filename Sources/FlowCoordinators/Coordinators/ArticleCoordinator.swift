internal import ArticleStore
internal import Navigation

/// Listing and reading articles.
final class ArticleCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    /// How many articles a list has, kept while it is paged through: counting a large one takes longer than a page.
    private var counted: (query: ArticleQuery, total: Int)?
    /// The stretch of the list that a search was begun from, to come back to.
    private var unsearched: ArticleList?
    /// How many articles of a list come before the stretch of it that was shown last.
    private var reached: (list: ArticleList, offset: Int)?

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
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
        switch event {
        case .moreRowsWanted: return await show { try await more(of: list) }
        case .earlierRowsWanted: return await show { try await earlier(of: list) }
        case .firstRowsWanted:
            counted = nil
            return await show { ArticleList(query: list.query, limit: list.limit) }
        case .lastRowsWanted:
            counted = nil
            return await show { try await end(of: list) }
        default: counted = nil
        }
        var query = list.query
        switch event {
        case .articleChosen(let slug):
            flow.push(.article(slug))
        case .nextPageChosen:
            await environment.attempt {
                guard let next = try await page(of: list).next else { return }
                flow.push(.articles(ArticleList(query: query, cursor: next, limit: list.limit)))
            }
        case .sortChosen(let sort):
            query.sort = sort
        case .searched(let text):
            query.text = text
            if list.query.text == nil, query.text != nil { unsearched = list }
            if let unsearched, query == unsearched.query { return flow.replace(with: .articles(unsearched)) }
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

    private func eventOccurred(_ event: AppEvent, inArticle reference: String) async {
        counted = nil
        switch event {
        case .linkFollowed(let link):
            await environment.attempt {
                guard let article = try await article(linked: link) else { throw ScreenError.noArticle(link) }
                flow.push(.article(ArticleSummary(article).reference))
            }
        case .previousArticleChosen:
            await turn(from: reference, or: "This is the first article of the list.") { article, query, cursor in
                try await environment.articles.list(query, before: cursor, limit: 2).last { $0.id != article.id }
            }
        case .nextArticleChosen:
            await turn(from: reference, or: "This is the last article of the list.") { _, query, cursor in
                try await environment.articles.list(query, after: cursor, limit: 1).summaries.first
            }
        case .logOutChosen:
            await logOut()
        default: break
        }
    }

    private func logOut() async {
        if await environment.attempt({ try await environment.signedIn.logOut() }) {
            environment.say(Notice("Logged out."))
            flow.show([])
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
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

    private func more(of list: ArticleList) async throws -> ArticleList {
        let grown = list.grown(after: try await page(of: list))
        if grown.cursor != list.cursor { move(to: grown, by: ArticleList.defaultLimit, from: list) }
        return grown
    }

    private func earlier(of list: ArticleList) async throws -> ArticleList {
        guard let cursor = list.cursor else { return list }
        // One more than the list grows by: it is what the list begins after.
        let earlier = try await environment.articles.list(
            list.query, before: cursor, limit: ArticleList.defaultLimit + 1)
        let grown = list.grown(before: earlier)
        move(to: grown, by: -min(earlier.count, ArticleList.defaultLimit), from: list)
        return grown
    }

    private func end(of list: ArticleList) async throws -> ArticleList {
        let last = try await environment.articles.list(list.query, before: nil, limit: list.limit + 1)
        let end = list.moved(to: last)
        if let total = try await total(of: list) { reached = (end, max(0, total - list.limit)) }
        return end
    }

    /// Shows another stretch of the list on top.
    private func show(_ list: () async throws -> ArticleList) async {
        await environment.attempt { flow.replace(with: .articles(try await list())) }
    }

    private func move(to list: ArticleList, by distance: Int, from before: ArticleList) {
        reached = offset(of: before).map { (list, max(0, $0 + distance)) }
    }

    private func offset(of list: ArticleList) -> Int? {
        if list.cursor == nil { return 0 }
        guard let reached, reached.list.query == list.query, reached.list.cursor == list.cursor else { return nil }
        return reached.offset
    }

    /// How many articles the whole list has, where that is wanted; nil for a search, which would have to look at each
    /// article of the library to say.
    private func total(of list: ArticleList) async throws -> Int? {
        guard environment.countsLists, list.query.text == nil else { return nil }
        if let counted, counted.query == list.query { return counted.total }
        let total = try await environment.articles.count(list.query)
        counted = (list.query, total)
        return total
    }

    /// Shows another article of the list beneath an article, else of the whole library, or says why there is none. One
    /// that is outside the dates of the list has no place in it.
    private func turn(
        from reference: String, or end: String,
        to neighbour: (Article, ArticleQuery, Cursor) async throws -> ArticleSummary?
    ) async {
        await environment.attempt {
            guard let article = try await article(reference) else { throw ScreenError.noArticle(reference) }
            let lists = environment.stack().compactMap { if case .articles(let list) = $0 { list } else { nil } }
            let query = lists.last?.query ?? ArticleQuery()
            let isInside =
                (query.since.map { article.published >= $0 } ?? true)
                && (query.until.map { article.published < $0 } ?? true)
            let cursor = Cursor(after: ArticleSummary(article), in: query)
            guard isInside, let chosen = try await neighbour(article, query, cursor) else {
                return environment.say(Notice(end))
            }
            flow.replace(with: .article(chosen.reference))
        }
    }

    /// The article that a link in another one means: its path here, or, as in sites and folders of files, a path whose
    /// last part is its slug. Links to other sites mean none.
    private func article(linked link: String) async throws -> Article? {
        let path = link.prefix { $0 != "?" && $0 != "#" }
        guard !path.contains(":"), !path.hasPrefix("//"), let name = PathReader(String(path))?.segments.last else {
            return nil
        }
        if let article = try await environment.articles.article(slug: name) { return article }
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return try await environment.articles.article(slug: String(name[..<dot]))
    }

    /// A number is an id, unless an article has it for a slug alone.
    private func article(_ reference: String) async throws -> Article? {
        if let id = Int64(reference), let article = try await environment.articles.article(id: id) { return article }
        return try await environment.articles.article(slug: reference)
    }

    private func screen(for list: ArticleList) async throws -> Screen {
        let page = try await page(of: list)
        let isWhole = list.cursor == nil && page.next == nil
        let total = isWhole ? page.summaries.count : try await total(of: list)
        let rows = page.summaries.map { article in
            List.Row(
                [
                    String(article.id), article.slug, article.published.day, article.author,
                    article.title, article.tags.joined(separator: ", "), "\(article.readingMinutes) min",
                ], event: .articleChosen(article.reference), id: String(article.id))
        }
        var actions: [Action] = []
        if page.next != nil { actions.append(Action("Next page", .nextPageChosen, shortcut: "p", use: .paging)) }
        for sort in ArticleQuery.Sort.allCases where sort != list.query.sort {
            actions.append(Action(sort.label, .sortChosen(sort), shortcut: sort.shortcut))
        }
        if list.query != ArticleQuery(sort: list.query.sort) {
            actions.append(Action("Everything", .everythingChosen, shortcut: "e"))
        }
        actions += [
            Action("Account", .accountChosen, shortcut: "a"), Action("Log out", .logOutChosen, shortcut: "L"),
        ]
        let words = list.query.words
        return Screen(
            title: words.isEmpty ? "Articles" : "Articles \(words)",
            content: .list(
                List(
                    columns: [
                        .init("ID", use: [.printed, .exported]), .init("SLUG", use: .exported), .init("PUBLISHED"),
                        .init("AUTHOR"), .init("TITLE"), .init("TAGS", use: [.exported, .roomy]),
                        .init("READING", use: .browsed),
                    ],
                    rows: rows,
                    placeholder: list.query == ArticleQuery(sort: list.query.sort)
                        ? "The library is empty." : "No article matches.",
                    total: total, offset: offset(of: list), choice: "Read",
                    earlier: list.cursor.map { _ in List.Beyond(some: .earlierRowsWanted, last: .firstRowsWanted) },
                    more: page.next.map { _ in List.Beyond(some: .moreRowsWanted, last: .lastRowsWanted) },
                    search: list.query.text ?? "")),
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
            actions: [
                Action("Next article", .nextArticleChosen, shortcut: "J"),
                Action("Previous article", .previousArticleChosen, shortcut: "K"),
                Action("Log out", .logOutChosen, shortcut: "L"),
            ],
            model: .article(article))
    }
}

extension ArticleSummary {
    /// What names the article in a path: its slug, or its number where the slug would be taken for another's.
    fileprivate var reference: String { Int64(slug) == nil ? slug : String(id) }
}
