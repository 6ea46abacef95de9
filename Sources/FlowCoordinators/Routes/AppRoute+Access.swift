internal import ArticleStore
public import AuthService
public import Navigation

extension AppRoute {
    /// The lowest role that may see the place; nil if a user does not have to be signed in.
    public var role: Role? { definition.role }

    /// Whether only signed-in users may see the place.
    public var isProtected: Bool { role != nil }

    /// Returns the verdict of the gate on the place. A signed-in user who may not see the place gets no
    /// entrance, because another login would not help.
    ///
    /// - Parameter pending: the login that waits for a code; nil if none waits. Then the form for the code is part of
    ///   the entrance.
    func verdict(for session: Session?, pending: PendingLogin? = nil) -> Gate<AppRoute>.Verdict {
        let entrance: [AppRoute] = pending == nil ? [.welcome, .login()] : [.welcome, .login(), .secondFactor]
        if self == .secondFactor, pending == nil { return .barred(entrance: session == nil ? entrance : []) }
        guard let role else { return .admitted }
        guard let session else { return .barred(entrance: entrance) }
        return session.user.role >= role && session.mayBeUsed(for: definition.scope) ? .admitted : .barred(entrance: [])
    }

    /// Returns the reason why a signed-in user may not see the place; nil if they may, or nobody is signed in.
    func refusal(of session: Session?) -> AuthError? {
        guard let session, let role, !isOpen(to: session) else { return nil }
        return session.user.role < role ? .notAllowed(role) : .outOfScope
    }

    /// Whether the user of a session may see the place.
    func isOpen(to session: Session?) -> Bool { verdict(for: session) == .admitted }

    /// Returns the graph of the screens that a role may see.
    public static func graph(for role: Role) -> FlowGraph {
        // Only users who may import see the question before an import is lost.
        let barred = Set(
            screens.filter { ($0 == .leave(.importing) ? importing.role : $0.role).map { $0 > role } ?? false }
                .map(\.screenName))
        return FlowGraph(
            nodes: graph.nodes.filter { !barred.contains($0.screen) },
            edges: graph.edges.filter { !barred.contains($0.from) && !barred.contains($0.to) })
    }
}

extension AppRoute {
    /// The place that an event on this place opens, if it does nothing else. A front with addresses can link to it
    /// instead of reporting the event. Nil if the event does more, or if the library must be asked.
    public func destination(of event: AppEvent) -> AppRoute? {
        switch (event, self) {
        case (.open(let place), _): place
        case (_, .articles(let list)): list.query.narrowed(by: event).map { .articles(ArticleList(query: $0)) }
        default: nil
        }
    }
}

extension AppRoute {
    /// Returns the event of an action on a row of this place, if it follows from the IDs alone: a mark on an article of a
    /// list, which an article also shows beside it. A front need not load the list for it. Nil if the screen must be asked.
    package func event(ofAction action: String, onRow row: String) -> AppEvent? {
        switch self {
        case .articles, .article: break
        default: return nil
        }
        guard let id = Int64(row), let change = ArticleMarks.changes[action] else { return nil }
        return .marked(change, [ArticleReference(String(id))])
    }
}

extension ArticleQuery {
    /// The query of the list that an event on this list opens; nil if it opens none.
    fileprivate func narrowed(by event: AppEvent) -> ArticleQuery? {
        var query = self
        switch event {
        case .sortChosen(let sort, at: nil): query.sort = sort
        case .marksChosen(let marks): query.marks = marks
        // Without a search, articles cannot be sorted by relevance.
        case .everythingChosen: query = ArticleQuery(sort: sort == .relevance ? .newest : sort)
        case .firstRowsWanted: break
        default: return nil
        }
        return query
    }
}

extension AppRoute {
    /// The list of articles that the place shows; nil for another place.
    var list: ArticleList? { if case .articles(let list) = self { list } else { nil } }
}

extension [AppRoute] {
    /// The topmost list of articles on a stack; nil if there is none.
    var topmostList: ArticleList? { reversed().lazy.compactMap(\.list).first }
}
