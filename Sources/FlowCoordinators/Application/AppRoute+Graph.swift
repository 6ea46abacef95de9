internal import ArticleStore
internal import AuthService
public import Navigation

extension AppRoute {
    /// Which screen leads where, by which event. A test walks every edge, and finds any that is not declared here.
    public static let graph = FlowGraph(
        nodes: screens.map { FlowGraph.Node($0) },
        edges: [
            .init(.welcome, .logInChosen, to: .login()),
            .init(.welcome, .registerChosen, to: .signUpRegion),

            .init(.login(), .submitted([:]), to: .articles()),
            .init(.login(), .submitted([:]), to: .login()),
            .init(.login(), .registerChosen, to: .signUpRegion),
            .back(from: .login(), to: .welcome),
            // What waited behind the log-in is resumed.
            .init(.login(), .submitted([:]), to: .article("")),
            .init(.login(), .submitted([:]), to: .account),
            .init(.login(), .submitted([:]), to: .sessions),
            .init(.login(), .submitted([:]), to: .password),
            .init(.login(), .submitted([:]), to: .appearance),

            .init(.signUpRegion, .submitted([:]), to: .signUpUsername),
            .init(.signUpRegion, .submitted([:]), to: .signUpRegion),
            .back(from: .signUpRegion, to: .login()),
            .init(.signUpUsername, .submitted([:]), to: .signUpPassword),
            .init(.signUpUsername, .submitted([:]), to: .signUpUsername),
            .back(from: .signUpUsername, to: .signUpRegion),
            .init(.signUpPassword, .submitted([:]), to: .login()),
            .init(.signUpPassword, .submitted([:]), to: .signUpPassword),
            .init(.signUpPassword, .submitted([:]), to: .signUpUsername),
            .back(from: .signUpPassword, to: .signUpUsername),

            .init(.articles(), .articleChosen(""), to: .article("")),
            .init(.articles(), .moreRowsWanted, to: .articles()),
            .init(.articles(), .earlierRowsWanted, to: .articles()),
            .init(.articles(), .sortChosen(.newest), to: .articles()),
            .init(.articles(), .firstRowsWanted, to: .articles()),
            .init(.articles(), .lastRowsWanted, to: .articles()),
            .init(.articles(), .searched(""), to: .articles()),
            .init(.articles(), .everythingChosen, to: .articles()),
            .init(.articles(), .accountChosen, to: .account),
            .init(.articles(), .logOutChosen, to: .login()),
            .init(.article(""), .previousArticleChosen, to: .article("")),
            .init(.article(""), .nextArticleChosen, to: .article("")),
            // A link in the text to another article of the library, and back.
            .init(.article(""), .linkFollowed(""), to: .article("")),
            .back(from: .article(""), to: .article("")),
            .init(.article(""), .logOutChosen, to: .login()),
            .back(from: .article(""), to: .articles()),

            .init(.account, .sessionsChosen, to: .sessions),
            .init(.account, .passwordChosen, to: .password),
            .init(.account, .appearanceChosen, to: .appearance),
            .init(.account, .logOutChosen, to: .login()),
            .init(.account, .logOutEverywhereChosen, to: .login()),
            .back(from: .account, to: .articles()),
        ] + revocations + [
            .back(from: .sessions, to: .account),
            .init(.appearance, .appearancePicked(.default), to: .appearance),
            .back(from: .appearance, to: .account),
            .init(.password, .submitted([:]), to: .account),
            .init(.password, .submitted([:]), to: .password),
            .back(from: .password, to: .account),
        ])

    /// What ends a session names it; which one is no matter here.
    private static var revocations: [FlowGraph.Edge] {
        guard let session = Session.ID("0000000000000000") else { return [] }
        return [
            .init(.sessions, .sessionRevoked(session), to: .sessions),
            .init(.sessions, .sessionRevoked(session), to: .login()),
        ]
    }
}

extension FlowGraph.Edge {
    /// The way from one screen to another, whatever they show and whatever the event brings.
    fileprivate init(_ from: AppRoute, _ event: AppEvent, to: AppRoute) {
        self.init(from.place, event.name, to.place)
    }

    /// The way back from a screen.
    fileprivate static func back(from: AppRoute, to: AppRoute) -> FlowGraph.Edge {
        FlowGraph.Edge(from.place, "back", to.place)
    }
}
