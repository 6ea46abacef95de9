internal import ArticleStore
public import Navigation

extension AppRoute {
    /// Which screen leads where, by which event. A test walks every edge, and finds any that is not declared here.
    public static let graph = FlowGraph(
        nodes: ([
            .welcome, .login(), .signUpRegion, .signUpUsername, .signUpPassword, .articles(), .article(""), .account,
            .sessions, .password, .appearance,
        ] as [AppRoute]).map { FlowGraph.Node($0) },
        edges: [
            .init("/welcome", "logInChosen", "/login"),
            .init("/welcome", "registerChosen", "/signup/region"),

            .init("/login", "submitted", "/articles"),
            .init("/login", "submitted", "/login"),
            .init("/login", "registerChosen", "/signup/region"),
            .init("/login", "back", "/welcome"),
            // What waited behind the log-in is resumed.
            .init("/login", "submitted", "/articles/<slug>"),
            .init("/login", "submitted", "/account"),
            .init("/login", "submitted", "/account/sessions"),
            .init("/login", "submitted", "/account/password"),
            .init("/login", "submitted", "/appearance"),

            .init("/signup/region", "submitted", "/signup/username"),
            .init("/signup/region", "submitted", "/signup/region"),
            .init("/signup/region", "back", "/login"),
            .init("/signup/username", "submitted", "/signup/password"),
            .init("/signup/username", "submitted", "/signup/username"),
            .init("/signup/username", "back", "/signup/region"),
            .init("/signup/password", "submitted", "/login"),
            .init("/signup/password", "submitted", "/signup/password"),
            .init("/signup/password", "submitted", "/signup/username"),
            .init("/signup/password", "back", "/signup/username"),

            .init("/articles", "articleChosen", "/articles/<slug>"),
            .init("/articles", "moreRowsWanted", "/articles"),
            .init("/articles", "earlierRowsWanted", "/articles"),
            .init("/articles", "sortChosen", "/articles"),
            .init("/articles", "firstRowsWanted", "/articles"),
            .init("/articles", "lastRowsWanted", "/articles"),
            .init("/articles", "searched", "/articles"),
            .init("/articles", "everythingChosen", "/articles"),
            .init("/articles", "accountChosen", "/account"),
            .init("/articles", "logOutChosen", "/login"),
            .init("/articles/<slug>", "previousArticleChosen", "/articles/<slug>"),
            .init("/articles/<slug>", "nextArticleChosen", "/articles/<slug>"),
            // A link in the text to another article of the library, and back.
            .init("/articles/<slug>", "linkFollowed", "/articles/<slug>"),
            .init("/articles/<slug>", "back", "/articles/<slug>"),
            .init("/articles/<slug>", "logOutChosen", "/login"),
            .init("/articles/<slug>", "back", "/articles"),

            .init("/account", "sessionsChosen", "/account/sessions"),
            .init("/account", "passwordChosen", "/account/password"),
            .init("/account", "appearanceChosen", "/appearance"),
            .init("/account", "logOutChosen", "/login"),
            .init("/account", "logOutEverywhereChosen", "/login"),
            .init("/account", "back", "/articles"),
            .init("/account/sessions", "sessionRevoked", "/account/sessions"),
            .init("/account/sessions", "sessionRevoked", "/login"),
            .init("/account/sessions", "back", "/account"),
            .init("/appearance", "appearancePicked", "/appearance"),
            .init("/appearance", "back", "/account"),
            .init("/account/password", "submitted", "/account"),
            .init("/account/password", "submitted", "/account/password"),
            .init("/account/password", "back", "/account"),
        ])
}
