internal import ArticleStore
internal import AuthService
internal import Navigation
internal import ReadingStore

/// Listing and reading articles.
final class ArticleCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    /// What was seen of a list last: counting a large one takes longer than a page.
    private var seen = ArticleListing.Stretch(ArticleList())
    /// What was fetched of the list that is about to be shown.
    private var fetched: ArticleListScreen?
    /// The list as it was shown last. While another is being read, this one is not read again.
    private var shown: ArticleListScreen?
    /// The stretch of the list beneath that was come to by going on from article to article.
    private var turned: ArticleListing.Stretch?
    /// The article that was shown last.
    private var current: Int64?
    /// How far one goes on from an article: who asks again before the first step is done is to come further.
    private var turning: Turning?
    /// The stretch of the list that a search was begun from, to come back to.
    private var unsearched: ArticleListing.Stretch?
    /// The state of the reader's own that a form changes, from when it was first shown until somebody is told that it is another.
    private var seenOwn: (place: AppRoute, version: String)?
    /// The form of which the user was told that the state is another.
    private var formWithOtherChange: AppRoute?

    private struct Turning {
        let from: ArticleReference
        let direction: ArticleReading.Direction
        let steps: Int
    }

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    private var listing: ArticleListing {
        ArticleListing(
            articles: environment.articles, marking: environment.marking, counts: environment.countsLists)
    }

    private var reading: ArticleReading {
        ArticleReading(articles: environment.articles, marking: environment.marking)
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch (event, route) {
        case (.answered(let answer), _): await take(answer.kind, in: route)
        case (.logOutChosen, _): environment.begin(.here, in: flow)
        case (.signOutAgreed(let signOut), _): environment.end(signOut, in: flow)
        case (.marked(let change, let references), _): mark { try await $0.mark(references, change) }
        case (_, .articles(let list)): eventOccurred(event, in: list)
        case (_, .article(let reference)): eventOccurred(event, inArticle: reference)
        case (.submitted(let answers), .ownTags(let reference)):
            save { try await $0.tag(reference, from: answers[.version], as: answers[.tags] ?? "") }
        case (.submitted(let answers), .note(let reference)):
            save { try await $0.note(answers[.note] ?? "", on: reference, from: answers[.version]) }
        case (.listChosen(let query), .library):
            turned = nil
            flow.push(.articles(ArticleList(query: query)))
        default: break
        }
    }

    private func eventOccurred(_ event: AppEvent, in list: ArticleList) {
        let shown = stretch(of: list)
        let listing = listing
        current = nil
        switch event {
        case .cameBack: return forget()
        case .moreRowsWanted: return reach { try await listing.more(of: shown) }
        case .earlierRowsWanted: return reach { try await listing.earlier(of: shown) }
        case .firstRowsWanted: return reach { listing.first(of: shown) }
        case .lastRowsWanted: return reach { try await listing.last(of: shown) }
        case .searched(let text): return search(for: text, in: list)
        case .listMarked(let change): return mark { try await $0.mark(list.query, change) }
        case .nextUnreadChosen: return goToNextUnread(from: nil)
        default: flow.stop(.list, .search)
        }
        var query = list.query
        switch event {
        case .articleChosen(let reference): open(reference) { flow.push($0) }
        case .marksChosen(let marks):
            query.marks = marks
            if listBelow == nil, query != list.query {
                turned = nil
                return flow.push(.articles(ArticleList(query: query)))
            }
        case .sortChosen(let sort, at: let article):
            query.sort = sort
            if let article, query != list.query { return order(by: query, at: article) }
        case .everythingChosen:
            if let whole = listBelow?.query, whole == ArticleQuery(sort: whole.sort) { return flow.pop() }
            // Nothing is a better match than another where nothing is searched for.
            query = ArticleQuery(sort: query.sort == .relevance ? .newest : query.sort)
        case .libraryChosen: goToLibrary()
        case .accountChosen: flow.begin(.account)
        case .importChosen: flow.begin(.importing)
        case .writingChosen: flow.begin(.writing)
        default: break
        }
        guard query != list.query else { return }
        turned = nil
        flow.replace(with: .articles(ArticleList(query: query)))
    }

    private func eventOccurred(_ event: AppEvent, inArticle reference: ArticleReference) {
        let (reading, turning) = (reading, turning)
        self.turning = nil
        switch event {
        case .linkFollowed(let link):
            flow.run(.article, { .linkResolved($0) }) { try await reading.target(of: link, in: reference) }
        case .articleShown: noteRead(reference)
        case .originalChosen:
            flow.run(.article, { .linkResolved($0) }) { () async throws -> ArticleReference in
                throw try await reading.original(of: reference)
            }
        case .previousArticleChosen: turn(.previous, from: reference, after: turning)
        case .nextArticleChosen: turn(.next, from: reference, after: turning)
        case .nextUnreadChosen: goToNextUnread(from: reference)
        case .ownTagsChosen: change(.ownTags(reference))
        case .noteChosen: change(.note(reference))
        case .editingChosen: flow.begin(.editing(reference))
        case .articleDeleted:
            guard environment.offersEditing else { return }
            let editing = environment.editing
            flow.run(.deleting, { .articleGone(reference, $0) }) { try await editing.delete(reference) }
        case .libraryChosen: goToLibrary(from: reference)
        case .listChosen(let query):
            turned = nil
            flow.push(.articles(ArticleList(query: query)))
        default: break
        }
    }

    private func take(_ answer: Answer.Kind, in route: AppRoute) async {
        switch answer {
        case .listReached(let result):
            await environment.attempt {
                let reached = try result.get()
                turned = nil
                (fetched, seen) = (reached, reached.stretch)
                flow.replace(with: .articles(reached.stretch.list))
            }
        case .linkResolved(let result):
            await environment.attempt { open(try result.get()) { flow.push($0) } }
        case .neighbourFound(let direction, let result):
            turning = nil
            await environment.attempt {
                guard let neighbour = try result.get() else { return environment.say(Notice(direction.end)) }
                turned = neighbour.stretch ?? turned
                current = neighbour.article.id
                open(ArticleReference(to: neighbour.article)) { flow.replace(with: $0) }
            }
        case .unreadFound(let isInList, let result):
            await environment.attempt {
                guard let unread = try result.get() else { return environment.say(Notice("Everything here is read.")) }
                turned = unread.stretch ?? turned
                current = unread.article.id
                open(ArticleReference(to: unread.article)) { isInList ? flow.push($0) : flow.replace(with: $0) }
            }
        case .marksChanged(let result):
            guard (try? result.get())?.isSilent != true else { return forget() }
            await environment.attempt {
                let outcome = try result.get()
                forget()
                environment.say(outcome.notice)
            }
        case .notesSaved(let result):
            switch result {
            case .success: seenOwn = nil
            case .failure(ScreenError.ownHasChanged): (seenOwn, formWithOtherChange) = (nil, route)
            case .failure: break
            }
            await environment.attempt {
                environment.say(try result.get())
                // Who has gone back meanwhile stays where they are.
                switch route {
                case .ownTags, .note: flow.pop()
                default: break
                }
            }
        case .articleGone(let reference, let result):
            await environment.attempt {
                environment.say(try result.get())
                forget()
                // A user who has gone on to another article in the meantime stays there: it is shown in the same frame.
                if route == .article(reference) { flow.pop() }
            }
        case .signedOut(let signOut, let result):
            await environment.conclude(signOut, result, in: flow)
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        switch route {
        case .articles(let list): return try await screen(of: list).screen.during(flow.activity)
        case .article(let reference):
            forget()
            var screen = try await reading.screen(of: reference)
            screen.canBeEdited = environment.offersEditing
            current = screen.article.id
            return screen.screen.during(flow.activity)
        case .library(let reference):
            forget()
            let library = LibraryListing(articles: environment.articles, marking: environment.marking)
            return try await library.screen(about: reference).screen.during(flow.activity)
        case .ownTags(let reference):
            let (title, marks) = try await own(of: reference)
            return .ownTags(
                marks, of: title, version: version(of: marks.tagList, at: route),
                hasOtherChange: formWithOtherChange == route
            ).during(flow.activity)
        case .note(let reference):
            let (title, marks) = try await own(of: reference)
            return .note(
                marks, on: title, version: version(of: marks.noteText, at: route),
                hasOtherChange: formWithOtherChange == route
            ).during(flow.activity)
        default: throw ScreenError.misplaced(route)
        }
    }

    /// Shows a form about the reader's own.
    private func change(_ form: AppRoute) {
        (seenOwn, formWithOtherChange) = (nil, nil)
        flow.push(form)
    }

    /// The state that the form at a place changes.
    private func version(of text: String, at place: AppRoute) -> String {
        if let seenOwn, seenOwn.place == place { return seenOwn.version }
        seenOwn = (place, text.version)
        return text.version
    }

    private func own(of reference: ArticleReference) async throws -> (title: String, marks: ArticleMarks) {
        guard let marking = environment.marking else { throw ScreenError.noMarks }
        return try await marking.own(of: reference)
    }

    private func screen(of list: ArticleList) async throws -> ArticleListScreen {
        let stretch = stretch(of: list)
        var screen: ArticleListScreen
        if let fetched, fetched.stretch.list == list {
            screen = fetched
        } else if flow.activity != nil, let shown, shown.stretch.list == stretch.list {
            screen = shown
        } else {
            screen = try await listing.screen(of: stretch, additions: environment.additions)
        }
        screen.current = current
        fetched = nil
        shown = screen
        seen = screen.stretch
        return screen
    }

    var children: [ChildFlow<AppRoute>] {
        [
            ChildFlow(.account) { [environment] flow in
                AccountCoordinator(flow: flow, environment: environment)
            } ended: { [weak self] _ in
                self?.forget()
                return []
            },
            ChildFlow(.editing) { [environment] flow in
                EditingCoordinator(flow: flow, environment: environment)
            } ended: { [weak self, environment] outcome in
                self?.forget()
                guard case .finished(let article) = outcome, !environment.stack().contains(.article(article)) else {
                    return []
                }
                return [.push(.article(article))]
            },
            ChildFlow(.importing) { [environment] flow in
                ImportCoordinator(flow: flow, environment: environment)
            } ended: { [weak self] _ in
                self?.forget()
                return []
            },
        ]
    }

    /// Whoever comes back to the list may find other articles, and another number of them.
    private func forget() {
        (fetched, shown) = (nil, nil)
        seen.total = nil
        turned?.total = nil
    }

    /// What is seen of a list: the stretch that it was left for, where one has gone on beyond it since.
    private func stretch(of list: ArticleList) -> ArticleListing.Stretch {
        turned.flatMap { $0.list.query == list.query ? $0 : nil } ?? seen.moved(to: list)
    }

    /// Shows a list in another order, where the article is that one was at.
    private func order(by query: ArticleQuery, at id: Int64) {
        let listing = listing
        reach {
            let ordered = ArticleList(query: query)
            guard let article = try await listing.articles.article(id: id) else {
                return ArticleListing.Stretch(ordered)
            }
            return try await listing.stretch(around: ArticleSummary(article), in: ordered)
        }
    }

    /// Shows another stretch of the list on top, when it has been read.
    private func reach(
        _ activity: Activity = .list, _ stretch: @escaping @Sendable () async throws -> ArticleListing.Stretch
    ) {
        let (listing, additions) = (listing, environment.additions)
        flow.run(activity, { .listReached($0) }) {
            try await listing.screen(of: try await stretch(), additions: additions)
        }
    }

    /// Shows what a text finds. Taken back, a search leads to where it was begun.
    private func search(for text: String, in list: ArticleList) {
        var query = list.query
        query.search = SearchQuery(SearchQuery.dated(text, now: environment.clock()))?.unfinished
        if query.search == nil, query.sort == .relevance { query.sort = .newest }
        guard query != list.query else { return flow.stop(.search) }
        flow.stop(.list)
        if list.query.search == nil { unsearched = stretch(of: list) }
        let found =
            unsearched.flatMap { $0.list.query == query ? $0 : nil }
            ?? ArticleListing.Stretch(ArticleList(query: query))
        reach(.search) { found }
    }

    /// The list that the one on top is a part of, right beneath it; nil where that is none.
    private var listBelow: ArticleList? {
        if case .articles(let list)? = environment.stack().dropLast().last { list } else { nil }
    }

    /// Shows what the library holds: where the list on top was chosen, else above it. However often one goes there, the stack
    /// does not grow.
    private func goToLibrary() {
        let stack = environment.stack()
        guard let library = stack.lastIndex(where: \.isLibrary) else { return flow.push(.library()) }
        flow.pop(stack.count - 1 - library)
    }

    /// Shows what the library holds, that of an article first, above the article and the lists that one began with.
    private func goToLibrary(from reference: ArticleReference) {
        let stack = environment.stack()
        guard stack.contains(where: \.isLibrary) else { return flow.push(.library(of: reference)) }
        let lists = stack.prefix { if case .articles = $0 { true } else { false } }
        flow.show(lists + [.article(reference), .library(of: reference)])
    }

    /// What is listed beneath an article.
    private var listBeneath: ArticleList {
        let lists = environment.stack().compactMap { if case .articles(let list) = $0 { list } else { nil } }
        return lists.last ?? ArticleList()
    }

    /// Shows an article, which is read by that.
    private func open(_ reference: ArticleReference, by show: (AppRoute) -> Void) {
        show(.article(reference))
        noteRead(reference)
    }

    /// Marks an article that is shown. Where it cannot be marked, it can be read all the same.
    private func noteRead(_ reference: ArticleReference) {
        guard let marking = environment.marking else { return }
        flow.run(.marking, { .marksChanged($0) }) {
            try? await marking.noteRead(reference)
            return ArticleMarking.Outcome(change: .read(true), count: 0, isSilent: true)
        }
    }

    /// Marks articles, and says how many.
    private func mark(_ work: @escaping @Sendable (ArticleMarking) async throws -> ArticleMarking.Outcome) {
        guard let marking = environment.marking else { return }
        flow.run(.marking, { .marksChanged($0) }) { try await work(marking) }
    }

    /// Saves what was written in a form about an article.
    private func save(_ work: @escaping @Sendable (ArticleMarking) async throws -> Notice) {
        guard let marking = environment.marking else { return environment.say(Notice(ScreenError.noMarks)) }
        flow.run(.noting, { .notesSaved($0) }) { try await work(marking) }
    }

    /// Shows the next article that was not read.
    ///
    /// - Parameter reference: the article that is shown; nil where the list is.
    private func goToNextUnread(from reference: ArticleReference?) {
        let stretch = stretch(of: listBeneath)
        let isOnList = reference == nil || isRightAboveList
        let (reading, listing) = (reading, listing)
        flow.run(.article, { .unreadFound(isInList: reference == nil, $0) }) {
            guard let article = try await reading.nextUnread(after: reference, in: stretch.list.query) else {
                return nil
            }
            return ArticleReading.Neighbour(
                article: article, stretch: isOnList ? try await listing.stretch(.next, of: stretch, to: article) : nil)
        }
    }

    /// Whether a list is right beneath what is on top. Whoever has followed links comes back to it by the article where they
    /// began.
    private var isRightAboveList: Bool {
        environment.stack().dropLast().last?.screenName == AppRoute.articles().screenName
    }

    /// Shows the article beside this one in the list beneath it, else in the whole library, or says that there is none.
    private func turn(_ direction: ArticleReading.Direction, from reference: ArticleReference, after turning: Turning?)
    {
        let stretch = stretch(of: listBeneath)
        let isInList = isRightAboveList
        let (reading, listing) = (reading, listing)
        let isAgain =
            turning?.from == reference && turning?.direction == direction
            && flow.isRunning(Activity.article.rawValue)
        let steps = isAgain ? (turning?.steps ?? 0) + 1 : 1
        self.turning = Turning(from: reference, direction: direction, steps: steps)
        flow.run(.article, { .neighbourFound(direction, $0) }) {
            let article = try await reading.neighbour(direction, of: reference, in: stretch.list.query, steps: steps)
            guard let article else { return nil }
            return ArticleReading.Neighbour(
                article: article,
                stretch: isInList ? try await listing.stretch(direction, of: stretch, to: article) : nil)
        }
    }
}

extension ArticleReading.Direction {
    /// What there is to say where the list ends in this direction.
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
