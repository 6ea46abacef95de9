internal import ArticleStore

extension AppRoute {
    /// One place of each screen there is.
    static let screens: [AppRoute] = [
        .welcome, .login(), .signUpRegion, .signUpUsername, .signUpPassword, .articles(), .article(""), .account,
        .sessions, .password, .appearance,
    ]

    /// The place as a path, such as `/articles?tag=swift` or `/articles/welcome`.
    public var path: String {
        switch self {
        case .welcome: "/welcome"
        case .login(let username): PathWriter("login").adding("username", username).path
        case .signUpRegion: "/signup/region"
        case .signUpUsername: "/signup/username"
        case .signUpPassword: "/signup/password"
        case .articles(let list):
            ArticleListSetting.all.reduce(PathWriter("articles")) { $0.adding($1.name, $1.parameter(of: list)) }.path
        case .article(let reference): PathWriter("articles", reference.description).path
        case .account: "/account"
        case .sessions: "/account/sessions"
        case .password: "/account/password"
        case .appearance: "/appearance"
        }
    }

    /// The screen, whatever it shows.
    public var place: String {
        switch self {
        case .login: "/login"
        case .articles: "/articles"
        case .article: "/articles/<slug>"
        default: path
        }
    }

    /// Reads a path, with or without the slash at its ends; `/` is the list of articles and `/signup` its first step.
    /// Nil when it names no place, or says something about it that cannot be understood.
    public init?(path: String) {
        guard let reader = PathReader(path) else { return nil }
        var parameters = reader.parameters
        switch (reader.segments.first, reader.segments.dropFirst().first, reader.segments.count) {
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
        case ("signup", _, 1):
            self = .signUpRegion
        default:
            // A screen that shows one thing has one path.
            let path = PathWriter(reader.segments).path
            guard let screen = Self.screens.first(where: { $0.path == path }) else { return nil }
            self = screen
        }
        guard parameters.isEmpty else { return nil }
    }
}
