internal import ArticleStore
internal import AuthService
internal import Essentials
internal import Navigation
internal import ReadingStore

/// The environment of every coordinator: the services that it consults, and a way to show messages. There is one for
/// an application, to which all of them refer.
final class Environment {
    /// The signed-in user.
    let signedIn: SignedIn
    /// The accounts and the sessions, to ask about them.
    let auth: AuthService
    /// The registration of accounts.
    let registration: Registration
    /// How accounts are made.
    let signUp: SignUpOptions
    /// The library.
    let articles: any ArticleRepository
    /// The marks of those who read; nil where none are kept.
    let marks: (any MarkRepository)?
    /// The addresses of feeds; nil where none are offered.
    let feeds: FeedAddresses?
    /// The present time.
    let clock: @Sendable () -> Date
    /// Whether a list says how many articles it has in all.
    let countsLists: Bool
    /// How articles are brought in; nil where they are not.
    let imports: ImportSettings?
    /// The places on the stack, lowest first.
    let stack: () -> [AppRoute]
    /// Whether a flow is the question that a move waits for.
    let isQuestion: (FlowID) -> Bool
    /// Whether there is nothing to say on the next screen yet.
    let isSilent: () -> Bool
    /// Shows a notice on the next screen.
    let say: (Notice) -> Void

    init(
        signedIn: SignedIn,
        auth: AuthService,
        registration: Registration,
        signUp: SignUpOptions,
        articles: any ArticleRepository,
        marks: (any MarkRepository)?,
        feeds: FeedAddresses?,
        clock: @escaping @Sendable () -> Date,
        countsLists: Bool,
        imports: ImportSettings?,
        stack: @escaping () -> [AppRoute],
        isQuestion: @escaping (FlowID) -> Bool,
        isSilent: @escaping () -> Bool,
        say: @escaping (Notice) -> Void
    ) {
        self.signedIn = signedIn
        self.auth = auth
        self.registration = registration
        self.signUp = signUp
        self.articles = articles
        self.marks = marks
        self.feeds = feeds
        self.clock = clock
        self.countsLists = countsLists
        self.imports = imports
        self.stack = stack
        self.isQuestion = isQuestion
        self.isSilent = isSilent
        self.say = say
    }

    /// The ways in which who is signed in can put articles in here.
    var additions: [Action] {
        let offersImport = imports != nil && AppRoute.importing.isOpen(to: signedIn.session)
        return (offersEditing ? [Action("Write", .writingChosen, for: .writing)] : [])
            + (offersImport ? [Action("Import", .importChosen, for: .importing)] : [])
    }

    /// The marks of who is signed in; nil where none are kept, or nobody is.
    var marking: ArticleMarking? {
        guard let marks, let session = signedIn.session else { return nil }
        return ArticleMarking(marks: marks, articles: articles, session: session, clock: clock)
    }

    /// Whether who is signed in can change the library here.
    var offersEditing: Bool { AppRoute.writing.isOpen(to: signedIn.session) }

    /// Changes of the library, by who is signed in.
    var editing: ArticleEditing {
        ArticleEditing(articles: articles, auth: auth, authority: signedIn.authority)
    }

    /// Does something that may fail, and shows why when it does.
    ///
    /// - Returns: whether it went well.
    @discardableResult
    func attempt(_ work: () async throws -> Void) async -> Bool {
        do {
            try await work()
            return true
        } catch {
            say(Notice(error))
            return false
        }
    }
}

extension ChildFlow<AppRoute> {
    /// The question whether to leave: what its end means, the move that waits for it knows.
    static func leaving(_ environment: Environment) -> ChildFlow {
        ChildFlow(.leaving) { flow in
            LeaveCoordinator(flow: flow, environment: environment)
        } ended: { (_: Outcome<Void>) in
            []
        }
    }
}
