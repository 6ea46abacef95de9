public import ArticleStore
public import AuthService
public import Navigation

/// The places of this application.
public enum AppRoute: Hashable, Sendable {
    /// The first screen for a user who is not signed in: log in, register.
    case welcome
    /// The log-in form, with the name that is filled in already.
    case login(username: String? = nil)
    /// The form by which who has forgotten the password chooses another.
    case reset
    /// The form that asks for a code when the password was right.
    case secondFactor
    /// The first step of the sign-up: the name and the password.
    case signUpAccount
    /// The last step of the sign-up, or the first one of `SignUpOptions.Order.regionFirst`: the region.
    case signUpRegion
    /// The second step of `SignUpOptions.Order.regionFirst`: the name.
    case signUpUsername
    /// The last step of `SignUpOptions.Order.regionFirst`: the password, twice.
    case signUpPassword
    /// A page of a list of articles.
    case articles(ArticleList = ArticleList())
    /// An article.
    case article(ArticleReference)
    /// The form with the tags that who is signed in has given an article.
    case ownTags(ArticleReference)
    /// The form with the note of who is signed in on an article.
    case note(ArticleReference)
    /// The form that puts an article in.
    case writing
    /// The form that changes an article.
    case editing(ArticleReference)
    /// The overview of the library with the number of unread articles by state, source, tag, and author. The entry of an article comes
    /// first if one is named.
    case library(of: ArticleReference? = nil)
    /// The account page of the signed-in user.
    case account
    /// The sessions of who is signed in.
    case sessions
    /// The API tokens of who is signed in.
    case tokens
    /// The form that makes an API token.
    case newToken
    /// The API token that was made, while it is shown.
    case madeToken
    /// The address at which who is signed in has their lists as feeds.
    case feedAddress
    /// The address of feeds that was made, while it is shown.
    case madeFeedAddress
    /// The form that changes the password.
    case password
    /// The form that takes the password once more, for what was asked for.
    case confirmation
    /// The form that gives who is signed in another name.
    case name
    /// The form that says where who is signed in lives.
    case region
    /// The form that deletes the account.
    case deletion
    /// The second factor of who is signed in.
    case secondFactorSettings
    /// The form that sets up a second factor.
    case secondFactorSetUp
    /// The recovery codes, while they are shown.
    case recoveryCodes
    /// The choice of how screens look.
    case appearance
    /// The list of users.
    case users
    /// A user, by the number, which stays the same if the name goes to another user.
    case user(User.ID)
    /// The form that says who may make an account.
    case registration
    /// The code for somebody else that was made, while it is shown.
    case madeCode
    /// The audit log.
    case audit
    /// The form for imports.
    case importing
    /// The question whether to leave although something is lost by it.
    case leave(Loss)
}

extension AppRoute: Route {
    /// The events that the screens of this application report.
    public typealias Event = AppEvent
    /// The screens that the fronts of this application show.
    public typealias Screen = FlowCoordinators.Screen
    /// The memory that coordinators keep with their flows.
    public typealias Memory = AppMemory

    /// The flow that the place belongs to.
    public var flow: FlowKind {
        switch self {
        case .welcome: .welcome
        case .login, .reset: .login
        case .secondFactor: .secondFactor
        case .signUpAccount, .signUpRegion, .signUpUsername, .signUpPassword: .signUp
        case .articles, .article, .ownTags, .note, .library: .articles
        case .account, .sessions, .tokens, .newToken, .madeToken, .feedAddress, .madeFeedAddress, .password,
            .confirmation,
            .name, .region, .deletion, .appearance, .secondFactorSettings, .secondFactorSetUp, .recoveryCodes:
            .account
        case .users, .user, .registration, .madeCode, .audit: .operating
        case .writing, .editing: .editing
        case .importing: .importing
        case .leave: .leaving
        }
    }

    /// The screens beneath this one when it is gone to directly, so that there is a way back.
    var ancestors: [AppRoute] {
        switch self {
        // A question that nobody asked is removed at once.
        case .welcome, .articles, .leave: []
        case .login: [.welcome]
        case .reset, .secondFactor, .signUpAccount, .signUpRegion, .signUpUsername, .signUpPassword:
            [.welcome, .login()]
        case .article, .library, .account, .writing, .importing: [.articles()]
        case .ownTags(let reference), .note(let reference), .editing(let reference):
            [.articles(), .article(reference)]
        case .sessions, .tokens, .feedAddress, .password, .confirmation, .name, .region, .deletion, .appearance,
            .secondFactorSettings, .users, .audit:
            [.articles(), .account]
        case .user, .registration, .madeCode: [.articles(), .account, .users]
        case .madeFeedAddress: [.articles(), .account, .feedAddress]
        case .newToken, .madeToken: [.articles(), .account, .tokens]
        case .secondFactorSetUp, .recoveryCodes: [.articles(), .account, .secondFactorSettings]
        }
    }
}

extension AppRoute {
    /// The article that the place shows, or is about, above the list that the article was come to by; nil for other places.
    public var articleInList: ArticleReference? {
        switch self {
        case .article(let reference), .ownTags(let reference), .note(let reference), .editing(let reference):
            reference
        default: nil
        }
    }

    /// Whether the place is where who is not signed in is led.
    var isEntrance: Bool { if case .login = self { true } else { self == .welcome } }

    /// Whether what the place shows is made once, and cannot be come back to.
    var livesOnce: Bool {
        switch self {
        case .secondFactorSetUp, .recoveryCodes, .madeToken, .madeFeedAddress, .madeCode, .confirmation: true
        default: false
        }
    }
}

extension AppRoute {
    /// A place of each screen there is.
    public static let screens: [AppRoute] = [
        .welcome, .login(), .reset, .secondFactor, .signUpAccount, .signUpRegion, .signUpUsername, .signUpPassword,
        .articles(),
        .article("<slug>"), .ownTags("<slug>"), .note("<slug>"), .editing("<slug>"), .writing, .library(),
        .account,
        .sessions, .tokens, .newToken, .madeToken, .feedAddress, .madeFeedAddress, .password, .confirmation, .name,
        .region, .deletion, .appearance,
        .secondFactorSettings,
        .secondFactorSetUp, .recoveryCodes, .users, .user(1), .registration, .madeCode, .audit, .importing,
        .leave(.signUp), .leave(.importing),
    ]

    /// The screens that show one thing, by the parts of their paths.
    private static let fixed = Dictionary(
        screens.filter { $0.path == $0.screenName }.map { (RoutePath(parsing: $0.path)?.segments ?? [], $0) },
        uniquingKeysWith: { first, _ in first })

    /// The place as a path, such as `/articles?tag=swift` or `/articles/welcome`.
    public var path: String {
        switch self {
        case .welcome: "/welcome"
        case .login(let username): RoutePath("login").adding("username", username).text
        case .reset: "/login/reset"
        case .secondFactor: "/second-factor"
        case .signUpAccount: "/signup"
        case .signUpRegion: "/signup/region"
        case .signUpUsername: "/signup/username"
        case .signUpPassword: "/signup/password"
        // The list that is gone to most often takes no look at what it could be narrowed by.
        case .articles(let list): list == .wholeLibrary ? "/articles" : Self.path(of: list).text
        case .article(let reference): "/articles/" + RoutePath.encoded(reference.description)
        case .ownTags(let reference): RoutePath("articles", reference.description, Self.tagsName).text
        case .note(let reference): RoutePath("articles", reference.description, Self.noteName).text
        case .editing(let reference): RoutePath("articles", reference.description, Self.editName).text
        case .writing: "/write"
        case .library(let reference): RoutePath("library").adding("article", reference?.description).text
        case .account: "/account"
        case .sessions: "/account/sessions"
        case .tokens: "/account/tokens"
        case .newToken: "/account/tokens/new"
        case .madeToken: "/account/tokens/made"
        case .feedAddress: "/account/feed"
        case .madeFeedAddress: "/account/feed/made"
        case .password: "/account/password"
        case .confirmation: "/account/confirm"
        case .name: "/account/name"
        case .region: "/account/region"
        case .deletion: "/account/delete"
        case .secondFactorSettings: "/account/second-factor"
        case .secondFactorSetUp: "/account/second-factor/set-up"
        case .recoveryCodes: "/account/second-factor/codes"
        case .appearance: "/appearance"
        case .users: "/users"
        case .user(let id): "/users/\(id)"
        case .registration: "/users/registration"
        case .madeCode: "/users/code"
        case .audit: "/audit"
        case .importing: "/import"
        case .leave(let loss): "/leave/\(loss.rawValue)"
        }
    }

    private static func path(of list: ArticleList) -> RoutePath {
        let settings = ArticleListSetting.all
        var path = RoutePath("articles")
        // By its place, as a setting takes longer to copy than to ask.
        for index in settings.indices {
            if let value = settings[index].parameter(of: list) { path.add(settings[index].name, value) }
        }
        return path
    }

    private static let (tagsName, noteName, editName) = ("tags", "note", "edit")

    /// The screen, whatever it shows.
    public var screenName: String {
        switch self {
        case .login: "/login"
        case .articles: "/articles"
        case .article: "/articles/<slug>"
        case .ownTags: "/articles/<slug>/\(Self.tagsName)"
        case .note: "/articles/<slug>/\(Self.noteName)"
        case .editing: "/articles/<slug>/\(Self.editName)"
        case .library: "/library"
        case .user: "/users/<id>"
        default: path
        }
    }

    /// Reads a path, with or without the slash at its ends; `/` is the list of articles and `/register` the sign-up.
    /// Nil when it names no place, or says something about it that cannot be understood.
    public init?(path: String) {
        guard let read = RoutePath(parsing: path) else { return nil }
        self.init(read)
    }

    /// The place of a path that was read already; nil where it names none.
    package init?(_ read: RoutePath) {
        var parameters = read.parameters
        switch (read.segments.first, read.segments.dropFirst().first, read.segments.count) {
        case ("login", _, 1):
            self = .login(username: parameters.removeValue(forKey: "username"))
        case (nil, _, _), ("articles", _, 1):
            var list = ArticleList()
            for setting in ArticleListSetting.all {
                guard let text = parameters.removeValue(forKey: setting.name) else { continue }
                guard setting.set(text, in: &list) else { return nil }
            }
            self = .articles(list)
        case ("articles", let reference?, 2):
            self = .article(ArticleReference(reference))
        case ("articles", let reference?, 3) where read.segments[2] == Self.tagsName:
            self = .ownTags(ArticleReference(reference))
        case ("articles", let reference?, 3) where read.segments[2] == Self.noteName:
            self = .note(ArticleReference(reference))
        case ("articles", let reference?, 3) where read.segments[2] == Self.editName:
            self = .editing(ArticleReference(reference))
        case ("library", _, 1):
            self = .library(of: parameters.removeValue(forKey: "article").map { ArticleReference($0) })
        case ("register", _, 1):
            self = .signUpAccount
        case ("users", let id?, 2) where User.ID(id).map { $0 > 0 && String($0) == id } == true:
            self = .user(User.ID(id) ?? 0)
        default:
            // A screen that shows one thing has one path.
            guard let screen = Self.fixed[read.segments] else { return nil }
            self = screen
        }
        guard parameters.isEmpty else { return nil }
    }
}

extension FlowKind {
    /// Choosing between log-in and sign-up.
    public static let welcome: FlowKind = "welcome"
    /// Logging in.
    public static let login: FlowKind = "login"
    /// Giving a code after the password.
    public static let secondFactor: FlowKind = "second factor"
    /// Making an account.
    public static let signUp: FlowKind = "signup"
    /// Listing and reading articles.
    public static let articles: FlowKind = "articles"
    /// Looking after one's account.
    public static let account: FlowKind = "account"
    /// Looking after the users.
    public static let operating: FlowKind = "operating"
    /// Writing articles and changing them.
    public static let editing: FlowKind = "editing"
    /// Bringing articles in.
    public static let importing: FlowKind = "import"
    /// Asking whether to leave.
    public static let leaving: FlowKind = "leave"
}
