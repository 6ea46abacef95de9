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
    /// One article.
    case article(ArticleReference)
    /// Who is signed in.
    case account
    /// The sessions of who is signed in.
    case sessions
    /// The form that changes the password.
    case password
    /// The choice of how screens look.
    case appearance
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
        case .account, .sessions, .password, .appearance: .account
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
        case .sessions, .password, .appearance: [.articles(), .account]
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
