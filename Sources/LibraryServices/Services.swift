package import ArticleStore
package import AuthService
package import Text

/// The services of a front for many users: accounts, library, subscriptions, marks, and reading positions.
package struct Services: Sendable {
    /// The service for accounts and sessions.
    package let auth: AuthService
    /// The library.
    package let articles: any ArticleRepository
    /// The log of changes to articles.
    package var articleLog: any ArticleLog
    /// The subscriptions of sources.
    package let subscriptions: any SubscriptionRepository
    /// The pictures of articles; nil if this program does not show them.
    package let pictures: (any PictureRepository)?
    /// The client for feeds; nil if this program does not send requests to other servers.
    package let feeds: (any FeedClient)?
    /// The marks of users.
    package let marks: any MarkRepository
    /// The log of changes to marks.
    package var markLog: any MarkLog
    /// The store of bookmarks and preferences.
    package let reading: any ReadingStateRepository
    /// The versions of the library; nil if they are not known.
    package let versions: (any LibraryVersions)?
    /// The present time.
    package let clock: @Sendable () -> Date

    /// Creates the services from their repositories.
    package init(
        auth: AuthService, articles: any ArticleRepository & ArticleLog, subscriptions: any SubscriptionRepository,
        pictures: (any PictureRepository)? = nil, feeds: (any FeedClient)? = nil, marks: any MarkRepository & MarkLog,
        reading: any ReadingStateRepository, versions: (any LibraryVersions)? = nil,
        clock: @escaping @Sendable () -> Date
    ) {
        self.auth = auth
        self.articles = articles
        articleLog = articles
        (self.subscriptions, self.pictures, self.feeds) = (subscriptions, pictures, feeds)
        self.marks = marks
        markLog = marks
        self.reading = reading
        self.versions = versions
        self.clock = clock
    }
}

extension Services {
    /// Returns a marker for the user of a session.
    package func marker(for session: Session) -> ArticleMarker {
        ArticleMarker(articles: articles, marks: marks, session: session, clock: clock)
    }

    /// Returns the reading of articles with the marks of the user of a session.
    package func reading(for session: Session) -> ArticleFinder {
        ArticleFinder(articles: articles, marking: marker(for: session))
    }

    /// Returns the lists of sources, authors, and tags with the numbers of unread articles of a user.
    package func listing(for user: User.ID) -> LibraryLister {
        LibraryLister(articles: articles, subscriptions: subscriptions, marks: marks, userID: user)
    }

    /// Returns the changes of articles and sources by a caller.
    ///
    /// - Parameter client: the program, for the audit log.
    package func editor(for authority: Authority, client: String = "") -> LibraryEditor {
        LibraryEditor(articles: articles, auth: auth, authority: authority, client: client)
    }

    /// Returns the changes of subscriptions by a caller.
    ///
    /// - Parameter client: the program, for the audit log.
    package func subscriptionEditor(for authority: Authority, client: String = "") -> SubscriptionEditor {
        SubscriptionEditor(
            articles: articles, subscriptions: subscriptions, feeds: feeds, auth: auth, authority: authority,
            client: client)
    }
}

extension ArticleMarker {
    /// Creates a marker for the user of a session. It refuses changes if the session is an API token with the scope read.
    package init(
        articles: any ArticleRepository, marks: any MarkRepository, session: Session,
        clock: @escaping @Sendable () -> Date
    ) {
        self.init(
            articles: articles, marks: marks, userID: session.user.id,
            refusal: session.mayBeUsed(for: .write) ? nil : AuthError.outOfScope, clock: clock)
    }
}

extension LibraryEditor {
    /// Creates the changes of a caller, which are recorded in the audit log before they are made.
    package init(
        articles: any ArticleRepository, auth: AuthService, authority: Authority, client: String = ""
    ) {
        self.init(articles: articles) { change in
            try await auth.record(.libraryChanged, detail: change, by: authority, client: client)
            return articles
        }
    }
}

extension SubscriptionEditor {
    /// Creates the changes of a caller, which are recorded in the audit log before they are made.
    package init(
        articles: any ArticleRepository, subscriptions: any SubscriptionRepository, feeds: (any FeedClient)?,
        auth: AuthService, authority: Authority, client: String = ""
    ) {
        self.init(articles: articles, subscriptions: subscriptions, feeds: feeds) { change in
            try await auth.record(.libraryChanged, detail: change, by: authority, client: client)
            return articles
        }
    }
}
