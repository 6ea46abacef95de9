import ArticleStore
import AuthService
import FetchingSupport
import FlowCoordinators
import Foundation
import Navigation
import StoreEngines
import TestSupport

/// The whole application with its own stores, without a terminal: the objects of a front.
final class Application {
    static let password = "correct horse battery staple"

    let coordinator: ApplicationCoordinator
    let auth: AuthService
    let articles: any ArticleRepository
    let tokens: MemoryTokenStore
    let reading: any ReadingStateRepository
    let marks: any MarkRepository
    let store: any AccountStore
    /// The servers of feeds.
    let web: FakeWeb
    /// Holds the calls of the flows to the store.
    let accounts = HeldAccounts()
    private let stores: Stores
    private let home: TemporaryFolder
    private let time: TestClock

    /// Makes a new application. With `sharing`, it is another front of the same library, with its own token store.
    ///
    /// - Parameters:
    ///   - held: Holds calls of the library.
    ///   - otherMarks: Changes marks for another caller.
    init(
        sharing other: Application? = nil, tokens: MemoryTokenStore = MemoryTokenStore(), keepsMarks: Bool = true,
        signUp: SignUpOptions = SignUpOptions(), fetches: Bool = true,
        hasFiles: Bool = true, defaults: Defaults = Defaults(),
        holding held: HeldArticles? = nil, marking otherMarks: MeanwhileMarks? = nil
    ) async throws {
        let time = other?.time ?? TestClock()
        self.time = time
        if let other {
            (stores, home) = (other.stores, other.home)
        } else {
            (stores, home) = (try await StoreEngine.ofFixtures.open(clock: time), try TemporaryFolder())
        }
        web = FakeWeb(stores, clock: time)
        store = accounts.store(stores.accounts)
        auth = AuthService(
            store: store,
            hasher: PasswordHasher(parameters: .weakest),
            clock: { time.now })
        let articles = stores.articles
        self.articles = articles
        reading = stores.reading
        let marks = stores.marks
        self.marks = marks
        let shownMarks: any MarkRepository = otherMarks?.marks(marks) ?? marks
        self.tokens = tokens
        coordinator = ApplicationCoordinator(
            auth: auth, articles: held?.library(articles) ?? articles, tokens: tokens, client: "test", origin: .test,
            reading: reading, marks: keepsMarks ? shownMarks : nil,
            subscriptions: Subscriptions(stores.subscriptions, feeds: fetches ? web.feeds : nil),
            imports: hasFiles ? ImportSettings(home: home.path) : nil,
            signUp: signUp, defaults: defaults,
            clock: { time.now })
    }

    /// Writes a file into the folder that `~` stands for.
    func write(_ text: String, to name: String) throws { try home.write(name, text) }

    /// The path of the screen on top.
    var place: String { coordinator.navigator.state.top?.route.path ?? "nothing" }

    /// The API tokens of the signed-in user.
    func apiTokens() async throws -> [APIToken] {
        let account = coordinator.currentUser.account
        return try await auth.tokens(token: account.token)
    }

    /// The paths of the stack, lowest first.
    var stack: [String] { coordinator.navigator.state.frames.map(\.route.path) }

    var screen: Screen {
        get async throws { try await coordinator.screen() }
    }

    /// Whether the last action reported a success.
    var hasSucceeded: Bool {
        get async throws {
            let notice = try await screen.notice
            return notice != nil && notice?.error == nil
        }
    }

    /// Records the words of each screen that the application shows, if it is set.
    var words: ScreenWords?

    /// Sends an event, and waits for all its effects.
    func send(_ event: AppEvent) async throws {
        try await coordinator.send(event)
        await coordinator.finishWork()
        await words?.record(self)
    }

    /// Does the action with this ID, as a user would choose it.
    func choose(_ id: String) async throws {
        guard let action = try await screen.actions.first(where: { $0.id == id }) else {
            throw Missing(what: id, on: place)
        }
        try await send(action.event)
    }

    /// Selects the row with this text in one of its cells.
    func chooseRow(_ text: String) async throws {
        guard case .list(let list) = try await screen.content,
            let event = list.rows.first(where: {
                $0.cells.contains { $0.text == text || $0.text.hasPrefix(text + ",") }
            })?.event
        else { throw Missing(what: text, on: place) }
        try await send(event)
    }

    func submit(_ answers: Answers) async throws {
        try await send(.submitted(answers))
    }

    /// Sends the top form like a front: with the version that it changes.
    func fill(_ answers: Answers) async throws {
        var answers = answers
        answers[.version] = try await screen.form?.version
        try await submit(answers)
    }

    @discardableResult
    func register(_ username: String = "ada") async throws -> User {
        try await auth.register(
            username: Username(username), password: Password(Self.password), region: Region("SE"),
            from: .test)
    }

    func logIn(_ username: String = "ada") async throws {
        try await submit([.username: username, .password: Self.password])
    }

    func seed(_ count: Int) async throws {
        try await articles.upsert(
            (1...count).map { number in
                ArticleDraft(
                    slug: "article-\(number)", title: "Article \(number)", authors: ["Ada"], body: "Body \(number)",
                    published: Date(timeIntervalSince1970: Double(number) * 86_400), tags: ["swift"])
            })
    }

    /// Adds an article with this number of tags.
    func seed(tags count: Int) async throws {
        try await articles.upsert(
            ArticleDraft(slug: "many", title: "Many", body: "", published: .now, tags: (0..<count).map { "tag \($0)" }))
    }

    /// A page of the web with a main text.
    static let page =
        "<html><head><title>A walk</title></head><body><article>"
        + String(
            repeating: "<p>A walk along the coast, in the rain, takes longer than a day, and is worth it.</p>",
            count: 10)
        + "</article></body></html>"

    func back() async throws {
        _ = try await coordinator.back()
        await words?.record(self)
    }

    func delete(_ slug: String) async throws {
        guard let article = try await articles.article(slug: slug) else { throw Missing(what: slug, on: "the library") }
        try await articles.delete(id: article.id)
    }

    /// Returns the application of the next start, with the same token.
    func restarted() async throws -> Application { try await Application(sharing: self, tokens: tokens) }

    func saveBookmark(positions: [String: String] = [:]) async throws {
        coordinator.positions = positions
        try await coordinator.saveBookmark()
    }

    /// The saved bookmark of the session.
    var savedBookmark: String? {
        get async throws {
            guard let id = coordinator.currentUser.session?.id else { return nil }
            return try await reading.bookmark(ofSession: id.description)
        }
    }

    var now: Date { time.now }

    func advance(hours: Double) { time.advance(by: hours * 3_600) }

    func advance(days: Double) { time.advance(by: days * 86_400) }

    struct Missing: Error {
        let what: String
        let on: String
    }
}

extension Screen {
    var form: Form? { if case .form(let form) = content { form } else { nil } }
    var list: List? { if case .list(let list) = content { list } else { nil } }
    var document: Document? { if case .document(let document) = content { document } else { nil } }
}

extension AppRoute {
    /// Returns the same place for an existing article.
    func about(_ article: ArticleReference) -> AppRoute {
        switch self {
        case .article: .article(article)
        case .ownTags: .ownTags(article)
        case .note: .note(article)
        case .editing: .editing(article)
        default: self
        }
    }
}

extension Origin {
    static let test = Origin("test")
}
