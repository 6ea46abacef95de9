internal import ArticleStore
internal import AuthService
public import Navigation

extension AppRoute {
    /// Which screen leads where, by which event. A test walks every edge, and finds any that is not declared here.
    public static let graph = FlowGraph(
        nodes: screens.map { FlowGraph.Node($0) },
        edges: [
            .init(AppRoute.welcome, .logInChosen, to: .login()),
            .init(AppRoute.welcome, .registerChosen, to: .signUpRegion),

            .init(AppRoute.login(), .submitted([:]), to: .articles()),
            .init(AppRoute.login(), .submitted([:]), to: .login()),
            .init(AppRoute.login(), .registerChosen, to: .signUpRegion),
            .back(AppRoute.login(), to: .welcome),
            // What waited behind the log-in is resumed.
            .init(AppRoute.login(), .submitted([:]), to: .article("")),
            .init(AppRoute.login(), .submitted([:]), to: .account),
            .init(AppRoute.login(), .submitted([:]), to: .sessions),
            .init(AppRoute.login(), .submitted([:]), to: .password),
            .init(AppRoute.login(), .submitted([:]), to: .appearance),

            .init(AppRoute.signUpRegion, .submitted([:]), to: .signUpUsername),
            .init(AppRoute.signUpRegion, .submitted([:]), to: .signUpRegion),
            .back(AppRoute.signUpRegion, to: .login()),
            .init(AppRoute.signUpUsername, .submitted([:]), to: .signUpPassword),
            .init(AppRoute.signUpUsername, .submitted([:]), to: .signUpUsername),
            .back(AppRoute.signUpUsername, to: .signUpRegion),
            .init(AppRoute.signUpPassword, .submitted([:]), to: .login()),
            .init(AppRoute.signUpPassword, .submitted([:]), to: .signUpPassword),
            .init(AppRoute.signUpPassword, .submitted([:]), to: .signUpUsername),
            .back(AppRoute.signUpPassword, to: .signUpUsername),

            .init(AppRoute.articles(), .articleChosen(""), to: .article("")),
            .init(AppRoute.articles(), .moreRowsWanted, to: .articles()),
            .init(AppRoute.articles(), .earlierRowsWanted, to: .articles()),
            .init(AppRoute.articles(), .sortChosen(.newest), to: .articles()),
            .init(AppRoute.articles(), .firstRowsWanted, to: .articles()),
            .init(AppRoute.articles(), .lastRowsWanted, to: .articles()),
            .init(AppRoute.articles(), .searched(""), to: .articles()),
            .init(AppRoute.articles(), .everythingChosen, to: .articles()),
            .init(AppRoute.articles(), .accountChosen, to: .account),
            .init(AppRoute.articles(), .logOutChosen, to: .login()),
            .init(AppRoute.article(""), .previousArticleChosen, to: .article("")),
            .init(AppRoute.article(""), .nextArticleChosen, to: .article("")),
            // A link in the text to another article of the library, and back.
            .init(AppRoute.article(""), .linkFollowed(""), to: .article("")),
            .back(AppRoute.article(""), to: .article("")),
            .init(AppRoute.article(""), .logOutChosen, to: .login()),
            .back(AppRoute.article(""), to: .articles()),

            .init(AppRoute.account, .sessionsChosen, to: .sessions),
            .init(AppRoute.account, .passwordChosen, to: .password),
            .init(AppRoute.account, .appearanceChosen, to: .appearance),
            .init(AppRoute.account, .logOutChosen, to: .login()),
            .init(AppRoute.account, .logOutEverywhereChosen, to: .login()),
            .back(AppRoute.account, to: .articles()),
        ] + revocations + [
            .back(AppRoute.sessions, to: .account),
            .init(AppRoute.appearance, .appearancePicked(.default), to: .appearance),
            .back(AppRoute.appearance, to: .account),
            .init(AppRoute.password, .submitted([:]), to: .account),
            .init(AppRoute.password, .submitted([:]), to: .password),
            .back(AppRoute.password, to: .account),
        ])

    /// What ends a session names it; which one is no matter here.
    private static var revocations: [FlowGraph.Edge] {
        guard let session = Session.ID("0000000000000000") else { return [] }
        return [
            .init(AppRoute.sessions, .sessionRevoked(session), to: .sessions),
            .init(AppRoute.sessions, .sessionRevoked(session), to: .login()),
        ]
    }
}
