internal import ArticleStore
internal import AuthService
internal import Navigation

/// Lists articles and shows them for reading.
final class ArticleCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let environment: Environment
    /// The visible range of the list that was shown last. It keeps the count, because counting a large list takes
    /// longer than loading a page.
    private var visibleRange = ListRange(ArticleList())
    /// The list that was loaded ahead and is shown next.
    private var prefetchedList: ArticleListScreen?
    /// The list that was shown last. It is not loaded again while another list is loading.
    private var cachedList: ArticleListScreen?
    /// The list that was shown last, on top or beside an article.
    private var shownList: ArticleListScreen?
    /// The range of the list below the article, after the user has gone from article to article past the end of the
    /// visible range.
    private var rangeAfterPaging: ListRange?
    /// The ID of the article that was shown last.
    private var currentID: Int64?
    /// The pending step from an article to a neighbor. If the user presses the key again before it completes, the steps
    /// add up.
    private var pendingStep: PendingStep?
    /// The range of the list before a search began, to return to.
    private var rangeBeforeSearch: ListRange?
    /// The version of the tags or the note in the form.
    private var formVersion = FormVersion()
    /// The changes of the environment that this flow has seen.
    private var seenChanges = 0

    /// The neighbor of an article in a list, and the range of the list that contains it; the range is nil if it stays
    /// the same.
    private struct Neighbor {
        let article: ArticleSummary
        let range: ListRange?
    }

    private struct PendingStep {
        let from: ArticleReference
        let direction: ArticleFinder.Direction
        let steps: Int
    }

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    private var listing: ArticleLister { environment.listing }
    private var reading: ArticleFinder { environment.reading }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        switch (event, route) {
        case (.logOutChosen, _): flow.leaveAll(then: .sessionEndConfirmed(.here))
        case (.sessionEndConfirmed(let signOut), _): environment.end(signOut, in: flow)
        case (.marked(let change, let references), _): mark(change) { try await $0.change(change, of: references) }
        case (_, .articles(let list)): eventOccurred(event, in: list)
        case (_, .article(let reference)): eventOccurred(event, inArticle: reference)
        case (.submitted(let answers), .ownTags(let reference)):
            save { try await $0.saveTags(answers[.tags] ?? "", of: reference, from: answers[.version]) }
        case (.submitted(let answers), .note(let reference)):
            save { try await $0.saveNote(answers[.note] ?? "", on: reference, from: answers[.version]) }
        case (.submitted(let answers), .savingSearch(let list)):
            save { try await $0.saveSearch(answers[.name] ?? "", for: list.query) }
        case (.savedSearchRemovalChosen(let name), .savingSearch):
            save {
                try await $0.removeSavedSearch(name)
                return Notice("Removed the search “\(name)”.")
            }
        case (.submitted(let answers), .savingRule(let draft)): saveRule(answers, of: draft.rule)
        case (.tried(let answers), .savingRule(let draft)): tryRule(answers, of: draft.rule)
        case (.ruleRemovalChosen(let name), .savingRule): removeRule(name)
        case (.open(let place), _): open(place, from: route)
        default: break
        }
    }

    /// Opens a place above the present one.
    private func open(_ place: AppRoute, from route: AppRoute) {
        switch place {
        case .article(let reference): open(reference) { flow.push($0) }
        case .articles:
            rangeAfterPaging = nil
            flow.push(place)
        case .library(let reference): openLibrary(about: reference)
        case .account: flow.select(AppSection.account.id)
        case .ownTags, .note:
            formVersion = FormVersion()
            flow.push(place)
        case .libraryPart, .savingSearch, .rules, .savingRule, .ruleTrial: flow.push(place)
        default: open(place, from: route, in: flow)
        }
    }

    private func eventOccurred(_ event: AppEvent, in list: ArticleList) {
        let range = range(of: list)
        let listing = listing
        currentID = nil
        switch event {
        case .cameBack: return forget()
        case .moreRowsWanted: return reach { try await listing.more(of: range) }
        case .earlierRowsWanted: return reach { try await listing.earlier(of: range) }
        case .firstRowsWanted: return reach { listing.first(of: range) }
        case .lastRowsWanted: return reach { try await listing.last(of: range) }
        case .searched(let text): return search(for: text, in: list)
        case .listMarked(let change, let lastNumber):
            return mark(change) { try await $0.change(change, of: list.query.upTo(lastNumber)) }
        case .readAbove(let id, let lastNumber):
            return markRead(downTo: id, upTo: lastNumber, in: range)
        case .nextUnreadChosen: return goToNextUnread(from: nil)
        default: flow.stop(.list, .search)
        }
        var query = list.query
        switch event {
        case .open(let place): open(place, from: .articles(list))
        case .marksChosen(let marks):
            query.marks = marks
            if listDirectlyBelow == nil, query != list.query {
                rangeAfterPaging = nil
                return flow.push(.articles(ArticleList(query: query)))
            }
        case .sortChosen(let sort, at: let article):
            query.sort = sort
            if let article, query != list.query { return order(by: query, at: article) }
        case .everythingChosen:
            if let whole = listDirectlyBelow?.query, whole == ArticleQuery(sort: whole.sort) { return flow.pop() }
            // Without a search, articles cannot be sorted by relevance.
            query = ArticleQuery(sort: query.sort == .relevance ? .newest : query.sort)
            // The lowest list of a section stays, so that the user can go back to it.
            if environment.stack().count == 1 {
                rangeAfterPaging = nil
                return flow.push(.articles(ArticleList(query: query)))
            }
        default: break
        }
        guard query != list.query else { return }
        rangeAfterPaging = nil
        flow.replace(with: .articles(ArticleList(query: query)))
    }

    private func eventOccurred(_ event: AppEvent, inArticle reference: ArticleReference) {
        let (reading, pendingStep) = (reading, pendingStep)
        self.pendingStep = nil
        switch event {
        case .linkFollowed(let link):
            environment.run(.article, in: flow) {
                try await reading.target(of: link, in: reference)
            } then: { [self] result, _ in
                open(try result.get()) { flow.push($0) }
            }
        case .originalChosen:
            environment.run(.article, in: flow) {
                try await reading.article(reference)
            } then: { result, _ in
                let article = try result.get()
                throw ArticleError.elsewhere(article.webAddress ?? article.slug)
            }
        case .pageChosen:
            guard environment.offersEditing else { return }
            let editor = Result { try environment.subscriptionEditor() }
            environment.run(.page, in: flow) {
                try await editor.get().fetchPage(of: try await reading.article(reference))
            } then: { [self] result, _ in
                let hasChanged = try result.get()
                forget()
                environment.show(Notice(hasChanged ? "Fetched the full text." : "The page has no more text."))
            }
        case .previousArticleChosen: turn(.previous, from: reference, after: pendingStep)
        case .nextArticleChosen: turn(.next, from: reference, after: pendingStep)
        case .nextUnreadChosen: goToNextUnread(from: reference)
        case .readAbove(let id, let lastNumber):
            // The list beside the article.
            guard let list = environment.stack().topmostList else { return }
            markRead(downTo: id, upTo: lastNumber, in: range(of: list))
        case .open(let place): open(place, from: .article(reference))
        case .articleDeletionChosen:
            guard environment.offersEditing else { return }
            let editing = environment.editing
            environment.run(.deleting, in: flow) {
                try await editing.delete(reference)
            } then: { [self] result, route in
                environment.show(try result.get())
                forget()
                // Close the article only if it is still shown. A user who went on to another article stays there; both
                // use the same frame.
                if route == .article(reference) { flow.pop() }
            }
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        // A flow of another section may have changed articles.
        if seenChanges != environment.changes { discard() }
        switch route {
        case .articles(let list): return try await screen(of: list).screen.during(flow.activity)
        case .article(let reference):
            forget()
            let (article, marks, others) = try await reading.markedArticle(
                reference, marksRead: environment.marksShownArticles, with: environment.partsBeside)
            try await environment.showBeside(others)
            var screen = ArticleScreen(article: article, marks: marks)
            screen.canBeEdited = environment.offersEditing
            screen.canBeFetched = environment.offersFeeds
            currentID = screen.article.id
            return screen.screen.during(flow.activity)
        case .library(let reference):
            forget()
            return try await environment.library.overview(about: reference, at: environment.clock())
                .screen(actions: environment.libraryActions).during(flow.activity)
        case .libraryPart(let part):
            forget()
            return try await environment.library.overview(about: nil, at: environment.clock()).screen(of: part)
                .during(flow.activity)
        case .ownTags(let reference):
            let (title, marks) = try await own(of: reference)
            return .ownTags(
                marks, of: title, version: formVersion.first(marks.tagList.version, at: route),
                hasEditConflict: formVersion.hasConflict(at: route)
            ).during(flow.activity)
        case .note(let reference):
            let (title, marks) = try await own(of: reference)
            return .note(
                marks, on: title, version: formVersion.first(marks.noteText.version, at: route),
                hasEditConflict: formVersion.hasConflict(at: route)
            ).during(flow.activity)
        case .savingSearch(let list):
            guard let marking = environment.marking else { throw ScreenError.noMarks }
            return .savingSearch(list.query, as: try await marking.savedSearch(for: list.query)).during(flow.activity)
        case .rules, .savingRule, .ruleTrial: return try await ruleScreen(for: route).during(flow.activity)
        default: throw ScreenError.misplaced(route)
        }
    }

    private func own(of reference: ArticleReference) async throws -> (title: String, marks: ArticleMarks) {
        guard let marking = environment.marking else { throw ScreenError.noMarks }
        let article = try await marking.article(reference)
        return (article.title, try await marking.marks(of: article))
    }

    private func screen(of list: ArticleList) async throws -> ArticleListScreen {
        let range = range(of: list)
        var screen: ArticleListScreen
        if let prefetchedList, prefetchedList.range.list == list {
            screen = prefetchedList
        } else if flow.activity != nil, let cachedList, cachedList.range.list == range.list {
            screen = cachedList
        } else if let kept = listBesideArticle(range.list) {
            // The count may have changed, so do not remember it.
            screen = ArticleListScreen(try await listing.remarked(kept.listed), additions: kept.additions)
            screen.current = currentID
            return screen
        } else {
            let listed = try await listing.page(of: range, sources: environment.beside?.sources)
            environment.beside?.outline = listed.outline
            screen = ArticleListScreen(listed, additions: environment.additions)
        }
        screen.current = currentID
        prefetchedList = nil
        cachedList = screen
        shownList = screen
        visibleRange = screen.range
        return screen
    }

    /// Returns the list from which the article on top was opened. A list of unread articles keeps the article as long as
    /// the user reads it beside the list.
    private func listBesideArticle(_ list: ArticleList) -> ArticleListScreen? {
        guard environment.stack().last?.list == nil, var kept = shownList, kept.range.list == list else { return nil }
        kept.current = currentID
        return kept.hasCurrent ? kept : nil
    }

    var children: [ChildFlow<AppRoute>] {
        [
            ChildFlow(.editing) { [environment] flow in
                EditingCoordinator(flow: flow, environment: environment)
            } ended: { [weak self, environment] outcome in
                self?.forget()
                guard case .finished(let article) = outcome, !environment.stack().contains(.article(article)) else {
                    return []
                }
                return [.push(.article(article))]
            },
            ChildFlow(.sources) { [environment] flow in
                SourceCoordinator(flow: flow, environment: environment)
            } ended: { [weak self] outcome in
                self?.forget()
                return if case .finished(let list) = outcome { [.push(.articles(list))] } else { [] }
            },
            ChildFlow(.importing) { [environment] flow in
                ImportCoordinator(flow: flow, environment: environment)
            } ended: { [weak self] _ in
                self?.forget()
                return []
            },
        ]
    }

    /// Discards the loaded lists and the counts, in all sections. Articles were changed, so a list may have other articles
    /// and another count.
    private func forget() {
        environment.changes += 1
        discard()
    }

    private func discard() {
        seenChanges = environment.changes
        (prefetchedList, cachedList) = (nil, nil)
        visibleRange.total = nil
        rangeAfterPaging?.total = nil
        rangeBeforeSearch?.total = nil
    }

    /// Returns the visible range of a list. If the user went from article to article past it, this is the range around
    /// the last article.
    private func range(of list: ArticleList) -> ListRange {
        rangeAfterPaging.flatMap { $0.list.query == list.query ? $0 : nil } ?? visibleRange.moved(to: list)
    }

    /// Shows a list in another order, at the article that is selected.
    private func order(by query: ArticleQuery, at id: Int64) {
        let listing = listing
        reach {
            let ordered = ArticleList(query: query)
            guard let article = try await listing.articles.article(id: id) else {
                return ListRange(ordered)
            }
            return try await listing.range(around: ArticleSummary(article), in: ordered)
        }
    }

    /// Loads another range of the list on top, and shows it when it has arrived.
    private func reach(
        _ activity: Activity = .list, _ range: @escaping @Sendable () async throws -> ListRange
    ) {
        let (listing, additions) = (listing, environment.additions)
        environment.run(activity, in: flow) {
            ArticleListScreen(try await listing.page(of: try await range()), additions: additions)
        } then: { [self] result, _ in
            let reached = try result.get()
            rangeAfterPaging = nil
            (prefetchedList, visibleRange) = (reached, reached.range)
            flow.replace(with: .articles(reached.range.list))
        }
    }

    /// Shows the results of a search. If the user clears the search, the list returns to the range where the search
    /// began.
    private func search(for text: String, in list: ArticleList) {
        var query = list.searched.query
        query.search = SearchQuery(SearchQuery.dated(text, now: environment.clock()))?.unfinished
        // The list shows some of the results in the list below.
        if query.search == nil, let search = list.query.search, listDirectlyBelow?.query.search == search {
            return flow.pop()
        }
        if query.search == nil, query.sort == .relevance { query.sort = .newest }
        guard query != list.query else { return flow.stop(.search) }
        flow.stop(.list)
        if list.query.search == nil { rangeBeforeSearch = range(of: list) }
        let found =
            rangeBeforeSearch.flatMap { $0.list.searched.query == query ? $0 : nil }
            ?? ListRange(ArticleList(query: query))
        reach(.search) { found }
    }

    /// The list directly below the list on top, from which the user opened it; nil if there is none.
    private var listDirectlyBelow: ArticleList? {
        if case .articles(let list)? = environment.stack().dropLast().last { list } else { nil }
    }

    /// Shows the overview of the library. If the stack already has one, the coordinator returns to it, so that the
    /// stack does not grow. Otherwise it selects the section of the library.
    ///
    /// - Parameter reference: The article whose entries come first. The overview opens above the article and the lists
    ///   from which the user came.
    private func openLibrary(about reference: ArticleReference?) {
        let stack = environment.stack()
        guard let reference else {
            guard let library = stack.lastIndex(where: \.isLibrary) else { return flow.select(AppSection.library.id) }
            return flow.pop(stack.count - 1 - library)
        }
        let overview = AppRoute.library(of: reference)
        guard stack.contains(where: { $0.isLibrary && $0 != .library() }) else { return flow.push(overview) }
        let lists = stack.prefix { $0.list != nil || $0 == .library() }
        flow.show(lists + [.article(reference), overview])
    }

    /// The list below the article.
    private var nearestList: ArticleList {
        let lists = environment.stack().compactMap { if case .articles(let list) = $0 { list } else { nil } }
        return lists.last ?? ArticleList()
    }

    /// Shows an article and marks it as read.
    private func open(_ reference: ArticleReference, by show: (AppRoute) -> Void) {
        show(.article(reference))
        markRead(reference)
    }

    /// Marks a shown article as read. An error is ignored: the user can read the article without it.
    private func markRead(_ reference: ArticleReference) {
        guard let marking = environment.marking else { return }
        environment.run(.marking, in: flow) {
            try? await marking.markRead(reference)
        } then: { [self] _, _ in
            forget()
        }
    }

    /// Marks articles and reports their number.
    private func mark(_ change: MarkChange, _ work: @escaping @Sendable (ArticleMarker) async throws -> Int) {
        guard let marking = environment.marking else { return }
        environment.run(.marking, in: flow) {
            try await work(marking)
        } then: { [self] result, _ in
            let count = try result.get()
            forget()
            environment.show(Notice(change, count: count))
        }
    }

    /// Marks the articles of a range as read, from the first to this one, without those that arrived later.
    private func markRead(downTo id: Int64, upTo lastNumber: Int64?, in range: ListRange) {
        let listing = listing
        mark(.read(true)) { marking in
            let shown = try await listing.page(of: range).page.summaries.map(\.id)
            guard let index = shown.firstIndex(of: id) else { return 0 }
            let seen = shown[...index].filter { $0 <= lastNumber ?? .max }
            return try await marking.change([.read(true)], of: .ids(Array(seen)))
        }
    }

    /// Saves the contents of a form about an article.
    private func save(_ work: @escaping @Sendable (ArticleMarker) async throws -> Notice) {
        guard let marking = environment.marking else { return environment.show(Notice(ScreenError.noMarks)) }
        environment.run(.noting, in: flow) {
            try await work(marking)
        } then: { [self] result, route in
            switch result {
            case .success: formVersion.forget()
            case .failure(ScreenError.editConflict): formVersion.tellConflict(at: route)
            case .failure: break
            }
            environment.show(try result.get())
            // The user may have gone back in the meantime. Close the form only if it is on top.
            switch route {
            case .ownTags, .note, .savingSearch: flow.pop()
            default: break
            }
        }
    }

    /// Shows the next unread article.
    ///
    /// - Parameter reference: the article that is shown; nil if the list is shown.
    private func goToNextUnread(from reference: ArticleReference?) {
        let range = range(of: nearestList)
        let isOnList = reference == nil || isRightAboveList
        let (reading, listing) = (reading, listing)
        environment.run(.article, in: flow) { () async throws -> Neighbor? in
            guard let article = try await reading.nextUnread(after: reference, in: range.list.query) else {
                return nil
            }
            return Neighbor(
                article: article, range: isOnList ? try await listing.range(.next, of: range, to: article) : nil)
        } then: { [self] result, _ in
            guard let unread = try result.get() else { return environment.show(Notice("All articles here are read.")) }
            show(unread) { reference == nil ? flow.push($0) : flow.replace(with: $0) }
        }
    }

    /// Whether a list is directly below the screen on top. If it is not, the user has followed links and returns to the
    /// list through the article where they began.
    private var isRightAboveList: Bool {
        environment.stack().dropLast().last?.screenName == AppRoute.articles().screenName
    }

    /// Shows the neighbor of an article in the list below it, or in the whole library without a list. At the end,
    /// it shows a message.
    private func turn(
        _ direction: ArticleFinder.Direction, from reference: ArticleReference, after previous: PendingStep?
    ) {
        let range = range(of: nearestList)
        let isInList = isRightAboveList
        let (reading, listing) = (reading, listing)
        let isAgain =
            previous?.from == reference && previous?.direction == direction
            && flow.isRunning(Activity.article.name)
        let steps = isAgain ? (previous?.steps ?? 0) + 1 : 1
        self.pendingStep = PendingStep(from: reference, direction: direction, steps: steps)
        environment.run(.article, in: flow) { () async throws -> Neighbor? in
            let article = try await reading.neighbor(direction, of: reference, in: range.list.query, steps: steps)
            guard let article else { return nil }
            return Neighbor(
                article: article,
                range: isInList ? try await listing.range(direction, of: range, to: article) : nil)
        } then: { [self] result, _ in
            self.pendingStep = nil
            guard let neighbor = try result.get() else { return environment.show(Notice(direction.end)) }
            show(neighbor) { flow.replace(with: $0) }
        }
    }

    /// Shows an article of the list below, whose visible range may change.
    private func show(_ neighbor: Neighbor, by show: (AppRoute) -> Void) {
        rangeAfterPaging = neighbor.range ?? rangeAfterPaging
        currentID = neighbor.article.id
        open(ArticleReference(to: neighbor.article), by: show)
    }
}

extension ArticleFinder.Direction {
    /// The message at the end of the list in this direction.
    fileprivate var end: String {
        switch self {
        case .previous: "This is the first article of the list."
        case .next: "This is the last article of the list."
        }
    }
}

extension AppRoute {
    fileprivate var isLibrary: Bool { if case .library = self { true } else { false } }
}
