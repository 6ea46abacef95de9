internal import ArticleStore

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
