internal import ArticleStore

extension AppRoute {
    /// The place that an event on this place opens, if it does nothing else. A front with addresses can link to it
    /// instead of reporting the event. Nil if the event does more, or if the library must be asked.
    public func destination(of event: AppEvent) -> AppRoute? {
        switch (event, self) {
        case (.articleChosen(let reference), _): .article(reference)
        case (.ownTagsChosen, .article(let reference)): .ownTags(reference)
        case (.noteChosen, .article(let reference)): .note(reference)
        case (.editingChosen, .article(let reference)): .editing(reference)
        case (.libraryChosen, .article(let reference)): .library(of: reference)
        case (.libraryChosen, _): .library()
        case (.listChosen(let query), _): .articles(ArticleList(query: query))
        case (_, .articles(let list)):
            list.query.narrowed(by: event).map { .articles(ArticleList(query: $0)) }
                ?? event.destination
        default: event.destination
        }
    }
}

extension AppEvent {
    /// The place that the event opens from everywhere.
    fileprivate var destination: AppRoute? {
        switch self {
        case .logInChosen: .login()
        case .registerChosen: .signUpAccount
        case .resetChosen: .reset
        case .accountChosen: .account
        case .importChosen: .importing
        case .writingChosen: .writing
        case .sessionsChosen: .sessions
        case .tokensChosen: .tokens
        case .newTokenChosen: .newToken
        case .feedAddressChosen: .feedAddress
        case .passwordChosen: .password
        case .nameChosen: .name
        case .regionChosen: .region
        case .deletionChosen: .deletion
        case .appearanceChosen: .appearance
        case .secondFactorChosen: .secondFactorSettings
        case .secondFactorSetUpChosen: .secondFactorSetUp
        case .usersChosen: .users
        case .userChosen(let id): .user(id)
        case .registrationChosen: .registration
        case .auditChosen: .audit
        default: nil
        }
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
