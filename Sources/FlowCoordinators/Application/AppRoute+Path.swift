internal import ArticleStore

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension AppRoute {
    /// The place as a path, such as `/articles?tag=swift` or `/articles/welcome`.
    public var path: String {
        switch self {
        case .welcome: "/welcome"
        case .login(let username): PathWriter("login").adding("username", username).path
        case .signUpRegion: "/signup/region"
        case .signUpUsername: "/signup/username"
        case .signUpPassword: "/signup/password"
        case .articles(let list): list.path
        case .article(let reference): PathWriter("articles", reference).path
        case .account: "/account"
        case .sessions: "/account/sessions"
        case .password: "/account/password"
        case .appearance: "/appearance"
        }
    }

    /// The screen, whatever it shows.
    public var screenName: String {
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
        switch (reader.segments.first, reader.segments.dropFirst().first, reader.segments.count) {
        case (nil, _, _): self = .articles()
        case ("welcome", _, 1): self = .welcome
        case ("login", _, 1): self = .login(username: reader.parameters["username"])
        case ("signup", _, 1), ("signup", "region", 2): self = .signUpRegion
        case ("signup", "username", 2): self = .signUpUsername
        case ("signup", "password", 2): self = .signUpPassword
        case ("articles", _, 1):
            guard let list = ArticleList(reader.parameters) else { return nil }
            self = .articles(list)
        case ("articles", let reference?, 2): self = .article(reference)
        case ("account", _, 1): self = .account
        case ("account", "sessions", 2): self = .sessions
        case ("account", "password", 2): self = .password
        case ("appearance", _, 1): self = .appearance
        default: return nil
        }
        let known: Set<String> =
            switch self {
            case .login: ["username"]
            case .articles: ArticleList.parameterNames
            default: []
            }
        guard known.isSuperset(of: reader.parameters.keys) else { return nil }
    }
}

extension ArticleList {
    static let parameterNames: Set<String> = [
        "search", "author", "tag", "language", "since", "until", "sort", "cursor", "limit",
    ]

    fileprivate var path: String {
        PathWriter("articles")
            .adding("search", query.text)
            .adding("author", query.author)
            .adding("tag", query.tag)
            .adding("language", query.language)
            .adding("since", query.since.map { String(Int64($0.timeIntervalSince1970)) })
            .adding("until", query.until.map { String(Int64($0.timeIntervalSince1970)) })
            .adding("sort", query.sort == .newest ? nil : query.sort.rawValue)
            .adding("limit", limit == Self.defaultLimit ? nil : String(limit))
            .adding("cursor", cursor.map { $0.description })
            .path
    }

    fileprivate init?(_ parameters: [String: String]) {
        self.init()
        query.text = parameters["search"]
        query.author = parameters["author"]
        query.tag = parameters["tag"]
        query.language = parameters["language"]
        if let since = parameters["since"] {
            guard let date = Self.date(unixSeconds: since) else { return nil }
            query.since = date
        }
        if let until = parameters["until"] {
            guard let date = Self.date(unixSeconds: until) else { return nil }
            query.until = date
        }
        if let sort = parameters["sort"] {
            guard let sort = ArticleQuery.Sort(rawValue: sort) else { return nil }
            query.sort = sort
        }
        if let limit = parameters["limit"] {
            guard let limit = Int(limit), Self.limits.contains(limit) else { return nil }
            self.limit = limit
        }
        if let text = parameters["cursor"] {
            guard let cursor = try? Cursor(text) else { return nil }
            self.cursor = cursor
        }
    }

    /// Within the years 1 to 9999, which is what dates are stored and printed in.
    private static func date(unixSeconds text: String) -> Date? {
        guard let seconds = Int64(text), (-62_135_596_800...253_402_300_799).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
