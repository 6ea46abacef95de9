internal import ArticleStore
internal import AuthService
public import Navigation

extension AppRoute {
    /// Which screen leads where, by which event. A test walks every edge, and finds any that is not declared here.
    public static let graph = FlowGraph(
        nodes: screens.map { FlowGraph.Node($0) },
        edges: welcoming + registering + listing + reading + noting + editing + accounting + confirming + changing
            + operating + bringingIn)

    private typealias Edge = FlowGraph.Edge

    /// A result of work, whose value does not matter here.
    private static func came<Value>() -> Result<Value, any Error> { .failure(CancellationError()) }

    private static func edge(_ from: AppRoute, _ event: AppEvent, to: AppRoute) -> Edge { Edge(from, event, to: to) }

    private static func edge(_ from: AppRoute, _ answer: Answer.Kind, to: AppRoute) -> Edge {
        Edge(from, .answered(Answer(answer)), to: to)
    }

    private static func back(_ from: AppRoute, to: AppRoute) -> Edge { .back(from, to: to) }

    private static let article = AppRoute.article("")
    private static let ownTags = AppRoute.ownTags("")
    private static let note = AppRoute.note("")
    private static let editor = AppRoute.editing("")
    private static let user = AppRoute.user(1)

    private static let welcoming: [Edge] =
        [
            edge(.welcome, .logInChosen, to: .login()),
            edge(.welcome, .registerChosen, to: .signUpAccount),
            edge(.welcome, .registerChosen, to: .signUpRegion),
            edge(.login(), .submitted([:]), to: .login()),
            edge(.login(), .registerChosen, to: .signUpAccount),
            edge(.login(), .registerChosen, to: .signUpRegion),
            back(.login(), to: .welcome),
            edge(.login(), .resetChosen, to: .reset),
            edge(.reset, .submitted([:]), to: .reset),
            edge(.reset, .passwordReset(came()), to: .login()),
            edge(.reset, .passwordReset(came()), to: .reset),
            back(.reset, to: .login()),
            edge(.login(), .loggedIn(came()), to: .login()),
            edge(.login(), .loggedIn(came()), to: .secondFactor),
            edge(.secondFactor, .submitted([:]), to: .secondFactor),
            edge(.secondFactor, .loggedIn(came()), to: .secondFactor),
            edge(.secondFactor, .loggedIn(came()), to: .login()),
            back(.secondFactor, to: .login()),
        ]
        + [AppRoute.login(), .secondFactor].flatMap { entrance in
            protected.map { edge(entrance, .loggedIn(came()), to: $0) }
        }
        + [AppRoute.signUpRegion, .signUpPassword].flatMap { entrance in
            protected.map { edge(entrance, .registered(came()), to: $0) }
        }

    /// The places that may wait behind the log-in.
    private static let protected: [AppRoute] = [
        .articles(), article, ownTags, note, editor, .writing, .library(), .account, .sessions, .tokens,
        .newToken, .madeToken,
        .feedAddress, .madeFeedAddress,
        .password, .confirmation, .name,
        .region, .deletion,
        .secondFactorSettings, .secondFactorSetUp, .recoveryCodes, .appearance, .users, user, .registration,
        .madeCode, .audit, .importing,
    ]

    private static let registering: [Edge] = [
        edge(.signUpAccount, .submitted([:]), to: .signUpAccount),
        edge(.signUpAccount, .nameJudged(came()), to: .signUpRegion),
        edge(.signUpAccount, .nameJudged(came()), to: .signUpAccount),
        back(.signUpAccount, to: .login()),
        back(.signUpAccount, to: .leave(.signUp)),
        edge(.leave(.signUp), .leaveDeclined, to: .signUpAccount),
        back(.leave(.signUp), to: .signUpAccount),
        edge(.signUpRegion, .registered(came()), to: .login()),
        edge(.signUpRegion, .registered(came()), to: .signUpRegion),
        edge(.signUpRegion, .registered(came()), to: .signUpAccount),
        back(.signUpRegion, to: .signUpAccount),
        edge(.signUpRegion, .submitted([:]), to: .signUpUsername),
        edge(.signUpRegion, .submitted([:]), to: .signUpRegion),
        back(.signUpRegion, to: .login()),
        back(.signUpRegion, to: .leave(.signUp)),
        edge(.leave(.signUp), .leaveConfirmed, to: .login()),
        edge(.leave(.signUp), .leaveDeclined, to: .signUpRegion),
        back(.leave(.signUp), to: .signUpRegion),
        edge(.signUpUsername, .submitted([:]), to: .signUpUsername),
        edge(.signUpUsername, .nameJudged(came()), to: .signUpPassword),
        edge(.signUpUsername, .nameJudged(came()), to: .signUpUsername),
        back(.signUpUsername, to: .signUpRegion),
        edge(.signUpPassword, .submitted([:]), to: .signUpPassword),
        edge(.signUpPassword, .registered(came()), to: .login()),
        edge(.signUpPassword, .registered(came()), to: .signUpPassword),
        edge(.signUpPassword, .registered(came()), to: .signUpUsername),
        back(.signUpPassword, to: .signUpUsername),
    ]

    private static let listing: [Edge] =
        [
            AppEvent.moreRowsWanted, .earlierRowsWanted, .firstRowsWanted, .lastRowsWanted, .searched(""),
            .sortChosen(.newest), .everythingChosen, .answered(Answer(.listReached(came()))),
            .marksChosen(MarkCondition()), .marked(.read(true), []), .listMarked(.read(true)), .nextUnreadChosen,
            .answered(Answer(.marksChanged(came()))), .answered(Answer(.unreadFound(isInList: true, came()))),
        ].map { edge(.articles(), $0, to: .articles()) }
        + [
            edge(.articles(), .articleChosen(""), to: article),
            edge(.articles(), .unreadFound(isInList: true, came()), to: article),
            edge(.articles(), .libraryChosen, to: .library()),
            edge(.library(), .listChosen(ArticleQuery()), to: .articles()),
            back(.library(), to: .articles()),
            back(.articles(), to: .library()), back(.articles(), to: .articles()),
            edge(.articles(), .accountChosen, to: .account),
            edge(.articles(), .importChosen, to: .importing),
        ] + signingOut(of: .articles(), by: .logOutChosen)

    private static let reading: [Edge] =
        [
            AppEvent.articleShown, .originalChosen, .previousArticleChosen, .nextArticleChosen,
            .answered(Answer(.neighbourFound(.next, came()))), .marked(.read(true), []), .nextUnreadChosen,
            .answered(Answer(.unreadFound(isInList: false, came()))), .answered(Answer(.marksChanged(came()))),
            // A link in the text to another article of the library, and back.
            .linkFollowed(""), .answered(Answer(.linkResolved(came()))),
        ].map { edge(article, $0, to: article) }
        + [
            back(article, to: article), back(article, to: .articles()), edge(article, .libraryChosen, to: .library()),
            back(.library(), to: article), edge(article, .listChosen(ArticleQuery()), to: .articles()),
            back(.articles(), to: article),
        ]
        + signingOut(of: article, by: .logOutChosen)

    private static let noting: [Edge] =
        [edge(article, .ownTagsChosen, to: ownTags), edge(article, .noteChosen, to: note)]
        + [ownTags, note].flatMap { form in
            [
                edge(form, .submitted([:]), to: form),
                edge(form, .notesSaved(came()), to: article),
                edge(form, .notesSaved(came()), to: form),
                back(form, to: article),
            ]
        }

    private static let editing: [Edge] =
        [
            edge(article, .editingChosen, to: editor), edge(.articles(), .writingChosen, to: .writing),
            edge(article, .articleDeleted, to: article),
            edge(article, .articleGone("article", came()), to: .articles()),
            edge(article, .articleGone("article", came()), to: article),
            edge(.writing, .articleSaved(came()), to: article), back(.writing, to: .articles()),
            edge(editor, .articleSaved(came()), to: article), back(editor, to: article),
        ]
        + [editor, .writing].flatMap { form in
            [edge(form, .submitted([:]), to: form), edge(form, .articleSaved(came()), to: form)]
        }

    private static let accounting: [Edge] =
        [
            edge(.account, .sessionsChosen, to: .sessions),
            edge(.account, .tokensChosen, to: .tokens),
            edge(.account, .passwordChosen, to: .password),
            edge(.account, .nameChosen, to: .name),
            edge(.account, .regionChosen, to: .region),
            edge(.account, .deletionChosen, to: .deletion),
            edge(.account, .appearanceChosen, to: .appearance),
            edge(.account, .usersChosen, to: .users),
            back(.users, to: .account),
            edge(.account, .auditChosen, to: .audit),
            back(.audit, to: .account),
            back(.account, to: .articles()),
        ]
        + signingOut(of: .account, by: .logOutChosen, .logOutEverywhereChosen)
        + (Session.ID("0000000000000000").map { session in
            signingOut(of: .sessions, by: .sessionRevoked(session))
                + [
                    edge(.sessions, .signedOut(.session(session), came()), to: .sessions),
                    edge(.tokens, .tokenRevoked(session), to: .tokens),
                ]
        } ?? [])
        + [
            edge(.account, .secondFactorChosen, to: .secondFactorSettings),
            back(.secondFactorSettings, to: .account),
            edge(.secondFactorSettings, .secondFactorSetUpChosen, to: .secondFactorSetUp),
            edge(.secondFactorSetUp, .submitted([:]), to: .secondFactorSetUp),
            edge(.secondFactorSetUp, .recoveryCodesMade(came()), to: .recoveryCodes),
            edge(.secondFactorSetUp, .recoveryCodesMade(came()), to: .secondFactorSetUp),
            back(.secondFactorSetUp, to: .secondFactorSettings),
            edge(.secondFactorSettings, .recoveryCodesChosen, to: .secondFactorSettings),
            edge(.secondFactorSettings, .recoveryCodesMade(came()), to: .recoveryCodes),
            edge(.secondFactorSettings, .secondFactorRemovalChosen, to: .secondFactorSettings),
            edge(.secondFactorSettings, .secondFactorRemoved(came()), to: .secondFactorSettings),
            back(.recoveryCodes, to: .secondFactorSettings),
        ]
        + [
            back(.sessions, to: .account),
            edge(.account, .feedAddressChosen, to: .feedAddress),
            back(.feedAddress, to: .account),
            edge(.feedAddress, .newFeedAddressChosen, to: .feedAddress),
            edge(.feedAddress, .feedAddressMade(came()), to: .madeFeedAddress),
            edge(.feedAddress, .feedAddressRemovalChosen, to: .feedAddress),
            edge(.feedAddress, .feedAddressRemoved(came()), to: .feedAddress),
            back(.madeFeedAddress, to: .feedAddress),
            edge(.tokens, .newTokenChosen, to: .newToken),
            edge(.newToken, .submitted([:]), to: .newToken),
            edge(.newToken, .tokenMade(came()), to: .madeToken),
            edge(.newToken, .tokenMade(came()), to: .newToken),
            back(.newToken, to: .tokens),
            back(.madeToken, to: .tokens),
            edge(.tokens, .tokenEnded(came()), to: .tokens),
            back(.tokens, to: .account),
            edge(.appearance, .appearancePicked(.default), to: .appearance),
            edge(.appearance, .appearanceSaved(came()), to: .appearance),
            back(.appearance, to: .account),
            edge(.password, .submitted([:]), to: .password),
            edge(.password, .passwordChanged(came()), to: .account),
            edge(.password, .passwordChanged(came()), to: .password),
            back(.password, to: .account),
            edge(.deletion, .submitted([:]), to: .deletion),
            edge(.deletion, .accountDeleted(came()), to: .login()),
            edge(.deletion, .accountDeleted(came()), to: .deletion),
            back(.deletion, to: .account),
        ]

    /// The edges of requests that need the password again some time after the log-in.
    private static let confirming: [Edge] =
        [
            edge(.confirmation, .submitted([:]), to: .confirmation),
            edge(.confirmation, .confirmed(came()), to: .confirmation),
            edge(.name, .accountChanged(came()), to: .confirmation),
            edge(.secondFactorSetUp, .recoveryCodesMade(came()), to: .confirmation),
            edge(.secondFactorSettings, .recoveryCodesMade(came()), to: .confirmation),
            edge(.secondFactorSettings, .secondFactorRemoved(came()), to: .confirmation),
            edge(.newToken, .tokenMade(came()), to: .confirmation),
            edge(.feedAddress, .feedAddressMade(came()), to: .confirmation),
            edge(.account, .signedOut(.everywhere, came()), to: .confirmation),
            edge(.sessions, .signedOut(.everywhere, came()), to: .confirmation),
        ]
        + [AppRoute.account, .sessions, .newToken, .feedAddress, .name, .secondFactorSettings, .secondFactorSetUp]
        .flatMap { place in
            [edge(.confirmation, .confirmed(came()), to: place), back(.confirmation, to: place)]
        }

    private static let changing: [Edge] = [AppRoute.name, .region].flatMap { form in
        [
            edge(form, .submitted([:]), to: form),
            edge(form, .accountChanged(came()), to: .account),
            edge(form, .accountChanged(came()), to: form),
            back(form, to: .account),
        ]
    }

    private static let operating: [Edge] = [
        edge(.users, .userChosen(0), to: user),
        back(user, to: .users),
        edge(user, .userDeedChosen(.disable), to: user),
        edge(user, .userDeedDone(came()), to: user),
        edge(user, .userDeedDone(came()), to: .users),
        edge(user, .userResetChosen, to: user),
        edge(user, .codeMade(came()), to: .madeCode),
        edge(user, .codeMade(came()), to: user),
        back(.madeCode, to: user),
        edge(.users, .invitationChosen, to: .users),
        edge(.users, .codeMade(came()), to: .madeCode),
        edge(.users, .codeMade(came()), to: .users),
        back(.madeCode, to: .users),
        edge(.users, .registrationChosen, to: .registration),
        edge(.registration, .submitted([:]), to: .registration),
        edge(.registration, .registrationSaved(came()), to: .users),
        edge(.registration, .registrationSaved(came()), to: .registration),
        back(.registration, to: .users),
    ]

    private static let bringingIn: [Edge] = [
        edge(.importing, .submitted([:]), to: .importing),
        edge(.importing, .importProgressed(ImportReport()), to: .importing),
        edge(.importing, .imported(came()), to: .articles()),
        edge(.importing, .imported(came()), to: .importing),
        back(.importing, to: .articles()),
        back(.importing, to: .leave(.importing)),
        edge(.leave(.importing), .leaveConfirmed, to: .articles()),
        edge(.leave(.importing), .leaveDeclined, to: .importing),
        back(.leave(.importing), to: .importing),
    ]

    /// Nobody objects, the sessions are ended on the server, and the log-in is shown.
    private static func signingOut(of place: AppRoute, by events: AppEvent...) -> [Edge] {
        (events + [.signOutAgreed(.here)]).map { edge(place, $0, to: place) }
            + [edge(place, .signedOut(.here, came()), to: .login())]
    }
}
