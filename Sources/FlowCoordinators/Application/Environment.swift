package import ArticleStore
internal import AuthService
internal import LibraryServices
internal import Navigation
internal import Text

/// The environment of the coordinators: the services, and a way to show messages. All coordinators of an application
/// share one object.
final class Environment {
    /// The signed-in user.
    let currentUser: CurrentUser
    /// The options for new accounts.
    let signUp: SignUpOptions
    /// The library.
    let articles: any ArticleRepository
    /// The marks of users; nil if marks are not stored.
    let marks: (any MarkRepository)?
    /// The subscriptions of sources; nil if they are not available.
    let subscriptions: Subscriptions?
    /// The present time.
    let clock: @Sendable () -> Date
    /// Whether an article becomes read when its screen is made.
    var marksShownArticles = false
    /// The content beside the next screen, which its coordinator fills in; nil if the front shows none.
    var beside: Beside?
    /// The number of times that a flow may have changed articles. The flows of other sections then discard what they know.
    var changes = 0
    /// Whether a list shows its total number of articles.
    let countsLists: Bool
    /// The settings for imports; nil if imports are not available.
    let imports: ImportSettings?
    /// The places on the stack of the selected section, lowest first.
    let stack: () -> [AppRoute]
    /// The places on the stack to which a flow belongs, in any section.
    let stackOfFlow: (FlowID) -> [AppRoute]
    /// Whether a flow is the question on which a pending move depends.
    let isQuestion: (FlowID) -> Bool
    /// Whether the next screen does not have a message yet.
    let isSilent: () -> Bool
    /// Shows a notice on the next screen.
    let show: (Notice) -> Void

    init(
        currentUser: CurrentUser,
        signUp: SignUpOptions,
        articles: any ArticleRepository,
        marks: (any MarkRepository)?,
        subscriptions: Subscriptions?,
        clock: @escaping @Sendable () -> Date,
        countsLists: Bool,
        imports: ImportSettings?,
        stack: @escaping () -> [AppRoute],
        stackOfFlow: @escaping (FlowID) -> [AppRoute],
        isQuestion: @escaping (FlowID) -> Bool,
        isSilent: @escaping () -> Bool,
        show: @escaping (Notice) -> Void
    ) {
        self.currentUser = currentUser
        self.signUp = signUp
        self.articles = articles
        self.marks = marks
        self.subscriptions = subscriptions
        self.clock = clock
        self.countsLists = countsLists
        self.imports = imports
        self.stack = stack
        self.stackOfFlow = stackOfFlow
        self.isQuestion = isQuestion
        self.isSilent = isSilent
        self.show = show
    }

    /// The requests of the signed-in user.
    var account: Account { currentUser.account }

    /// The actions with which the signed-in user can add articles.
    var additions: [Action] {
        let offersImport = imports != nil && AppRoute.importing.isOpen(to: currentUser.session)
        return
            (offersFeeds
            ? [Action("Subscribe", .open(.subscribing())), Action("Save a page", .open(.savingPage()))] : [])
            + (offersEditing ? [Action("Write", .open(.writing), for: .writing)] : [])
            + (offersImport ? [Action("Import", .open(.importing), for: .importing)] : [])
    }

    /// The actions with which the signed-in user can add sources.
    var sourceAdditions: [Action] {
        guard offersFeeds else { return [] }
        // A front on the machine of the library imports files by their paths.
        let importing = imports == nil ? [Action("Import a file", .open(.feedList))] : []
        return [Action("Subscribe", .open(.subscribing()))] + importing
    }

    /// The actions of the library.
    var libraryActions: [Action] {
        sourceAdditions + [Action("Sources", .open(.sources()))]
            + (marks == nil ? [] : [Action("Rules", .open(.rules))])
    }

    /// The marks of the signed-in user; nil if marks are not stored or nobody is signed in.
    var marking: ArticleMarker? {
        guard let marks, let session = currentUser.session else { return nil }
        return ArticleMarker(articles: articles, marks: marks, session: session, clock: clock)
    }

    /// The ID of the signed-in user if the session permits changes of the user's own data.
    var writingUser: Int64? {
        guard let session = currentUser.session, session.mayBeUsed(for: .write) else { return nil }
        return session.user.id
    }

    /// Whether the signed-in user may change the library.
    var offersEditing: Bool { AppRoute.writing.isOpen(to: currentUser.session) }

    /// Whether the signed-in user may subscribe to feeds and fetch them here.
    var offersFeeds: Bool { offersEditing && subscriptions?.feeds != nil }

    /// The service that changes the library on behalf of the signed-in user.
    var editing: ArticleEditing { ArticleEditing(articles: articles, account: account) }

    /// The service that changes the names and the tags of sources on behalf of the signed-in user.
    ///
    /// - Throws: `AuthError.notLoggedIn` if nobody is signed in.
    func libraryEditor() throws -> LibraryEditor {
        LibraryEditor(articles: articles, auth: account.auth, authority: try account.authority)
    }

    /// The service that changes subscriptions on behalf of the signed-in user.
    ///
    /// - Throws: `AuthError.notLoggedIn` if nobody is signed in; `SubscribeError.fetchingIsOff` if subscriptions are not
    ///   available.
    func subscriptionEditor() throws -> SubscriptionEditor {
        guard let subscriptions else { throw SubscribeError.fetchingIsOff }
        return SubscriptionEditor(
            articles: articles, subscriptions: subscriptions.repository, feeds: subscriptions.feeds, auth: account.auth,
            authority: try account.authority)
    }

    /// The service that loads articles with the marks of the signed-in user.
    var reading: ArticleFinder { ArticleFinder(articles: articles, marking: marking) }

    /// The service that loads lists of articles with the marks of the signed-in user.
    var listing: ArticleLister { ArticleLister(articles: articles, marking: marking, counts: countsLists) }

    /// The service that lists sources, authors, and tags.
    var library: LibraryLister {
        LibraryLister(
            articles: articles, subscriptions: subscriptions?.repository, marks: marks,
            userID: currentUser.session?.user.id)
    }

    /// Returns the lists that the signed-in user reads from; nil if marks are not stored or nobody is signed in.
    func outline(sources limit: Int) async throws -> ReadingOutline? {
        guard marks != nil, let session = currentUser.session else { return nil }
        return try await articles.view(ReadingParts(sources: limit), of: session.user.id).outline
    }

    /// Performs work that may fail, and shows a message if it does.
    ///
    /// - Returns: whether it succeeded.
    @discardableResult
    func attempt(_ work: () throws -> Void) -> Bool {
        do {
            try work()
            return true
        } catch {
            show(Notice(error))
            return false
        }
    }
}

extension ChildFlow<AppRoute> {
    /// The question whether to leave. Its result goes to the pending move, so the parent does nothing with it.
    static func leaving(_ environment: Environment) -> ChildFlow {
        ChildFlow(.leaving) { flow in
            LeaveCoordinator(flow: flow, environment: environment)
        } ended: { (_: Outcome<Void>) in
            []
        }
    }
}

/// The options for the registration.
public struct SignUpOptions: Hashable, Sendable {
    /// The order of the questions.
    public enum Order: Hashable, Sendable {
        /// The name and the password on one page, then the region.
        case accountFirst
        /// The region, the name, and the password, each on its own page. `/signup/region` begins with the region in
        /// either order.
        case regionFirst
    }

    /// The order of the questions.
    public var order: Order
    /// Whether the new user is logged in at the end. A user who is logged in already stays logged in.
    public var logsIn: Bool

    /// Creates options. By default, the name and the password come first, and the user is logged in at the end.
    public init(order: Order = .accountFirst, logsIn: Bool = true) {
        self.order = order
        self.logsIn = logsIn
    }

    /// The first page.
    var first: AppRoute { order == .accountFirst ? .signUpAccount : .signUpRegion }
}

/// The subscriptions of a library, for the screens that show and change them.
public struct Subscriptions: Sendable {
    /// The stored subscriptions.
    let repository: any SubscriptionRepository
    /// The client for feeds; nil if this program does not send requests to other servers.
    let feeds: (any FeedClient)?

    package init(_ repository: any SubscriptionRepository, feeds: (any FeedClient)?) {
        (self.repository, self.feeds) = (repository, feeds)
    }
}
