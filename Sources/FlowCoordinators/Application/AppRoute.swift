public import ArticleStore
public import Navigation

/// The places of this application.
public enum AppRoute: Hashable, Sendable {
    /// What to do without an account at hand: log in, register.
    case welcome
    /// The log-in form, with the name that is filled in already.
    case login(username: String? = nil)
    /// The first step of the sign-up: the region.
    case signUpRegion
    /// The second step of the sign-up: the name.
    case signUpUsername
    /// The last step of the sign-up: the password, twice.
    case signUpPassword
    /// A page of a list of articles.
    case articles(ArticleList = ArticleList())
    /// One article, by its slug or its number.
    case article(String)
    /// Who is signed in.
    case account
    /// The sessions of who is signed in.
    case sessions
    /// The form that changes the password.
    case password
}

/// Which page of which list of articles is shown.
public struct ArticleList: Hashable, Sendable {
    /// How many articles a page has when nobody says.
    public static let defaultLimit = 50
    /// How many articles a page may have.
    public static let limits = 1...1000

    /// What is listed, in which order.
    public var query: ArticleQuery
    /// Where the page begins; nil for the first.
    public var cursor: Cursor?
    /// How many articles the page has at most, kept within `limits`.
    public var limit: Int { didSet { limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound) } }

    /// A page of a list.
    public init(query: ArticleQuery = ArticleQuery(), cursor: Cursor? = nil, limit: Int = ArticleList.defaultLimit) {
        self.query = query
        self.cursor = cursor
        self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
    }
}

extension AppRoute: Route {
    /// What the screens of this application report.
    public typealias Event = AppEvent
    /// What the fronts of this application show.
    public typealias Screen = FlowCoordinators.Screen

    /// The flow that the place belongs to.
    public var flow: FlowKind {
        switch self {
        case .welcome: .welcome
        case .login: .login
        case .signUpRegion, .signUpUsername, .signUpPassword: .signUp
        case .articles, .article: .articles
        case .account, .sessions, .password: .account
        }
    }

    /// Whether the place is shown only to who is signed in.
    public var isProtected: Bool {
        switch flow {
        case .articles, .account: true
        default: false
        }
    }

    /// The screens beneath this one when it is gone to directly, so that there is a way back.
    var ancestors: [AppRoute] {
        switch self {
        case .welcome, .articles: []
        case .login: [.welcome]
        case .signUpRegion, .signUpUsername, .signUpPassword: [.welcome, .login()]
        case .article, .account: [.articles()]
        case .sessions, .password: [.articles(), .account]
        }
    }
}

extension FlowKind {
    /// Choosing between log-in and sign-up.
    public static let welcome: FlowKind = "welcome"
    /// Logging in.
    public static let login: FlowKind = "login"
    /// Making an account.
    public static let signUp: FlowKind = "signup"
    /// Listing and reading articles.
    public static let articles: FlowKind = "articles"
    /// Looking after one's account.
    public static let account: FlowKind = "account"
}
