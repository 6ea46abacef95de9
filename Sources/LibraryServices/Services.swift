package import ArticleStore
package import AuthService
package import Text

/// The services of a front for many users: accounts, library, marks, and reading positions.
package struct Services: Sendable {
    /// The service for accounts and sessions.
    package let auth: AuthService
    /// The library.
    package let articles: any ArticleRepository
    /// The log of changes to articles.
    package var articleLog: any ArticleLog
    /// The marks of users.
    package let marks: any MarkRepository
    /// The log of changes to marks.
    package var markLog: any MarkLog
    /// The store of bookmarks and preferences.
    package let reading: any ReadingStateRepository
    /// The present time.
    package let clock: @Sendable () -> Date

    /// Creates the services from their repositories.
    package init(
        auth: AuthService, articles: any ArticleRepository & ArticleLog, marks: any MarkRepository & MarkLog,
        reading: any ReadingStateRepository, clock: @escaping @Sendable () -> Date
    ) {
        self.auth = auth
        self.articles = articles
        articleLog = articles
        self.marks = marks
        markLog = marks
        self.reading = reading
        self.clock = clock
    }
}

extension Services {
    /// Returns the marks of the user of a session.
    package func marking(for session: Session) -> ArticleMarking {
        ArticleMarking(articles: articles, marks: marks, session: session, clock: clock)
    }

    /// Returns the reading of articles with the marks of the user of a session.
    package func reading(for session: Session) -> ArticleReading {
        ArticleReading(articles: articles, marking: marking(for: session))
    }

    /// Returns the lists of sources, authors, and tags with the numbers of unread articles of a user.
    package func listing(for user: User.ID) -> LibraryListing {
        LibraryListing(articles: articles, marks: marks, reader: user)
    }

    /// Returns the changes of articles and sources by a caller.
    ///
    /// - Parameter client: the program, for the audit log.
    package func editing(by authority: Authority, client: String = "") -> LibraryEditing {
        LibraryEditing(articles: articles, auth: auth, authority: authority, client: client)
    }
}

extension ArticleMarking {
    /// Creates the marks of the user of a session, which only a session that may write can change.
    package init(
        articles: any ArticleRepository, marks: any MarkRepository, session: Session,
        clock: @escaping @Sendable () -> Date
    ) {
        self.init(
            articles: articles, marks: marks, reader: session.user.id,
            refusal: session.mayBeUsed(for: .write) ? nil : AuthError.outOfScope, clock: clock)
    }
}

extension LibraryEditing {
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
