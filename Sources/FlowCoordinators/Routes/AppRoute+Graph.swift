import ArticleImporting
internal import ArticleStore
internal import AuthService
public import Navigation

extension AppRoute {
    /// Which screen leads where, by which event. A test walks every edge, and finds any that is not declared here.
    public static let graph = FlowGraph(
        nodes: screens.map { FlowGraph.Node($0, in: $0.onlySection?.id) },
        edges: openings + forms + signingUp + reading + subscribingToFeeds + managing + importingArticles)

    /// The section of a screen that belongs to only one. A list, with the articles and forms above it, is in any section.
    private var onlySection: AppSection? {
        let lowest = ancestors.first ?? self
        return lowest.list == nil ? AppSection(lowest: lowest) : nil
    }

    private typealias Edge = FlowGraph.Edge

    private static func edge(_ from: AppRoute, _ event: AppEvent, to: AppRoute) -> Edge { Edge(from, event, to: to) }

    /// The edge that the result of work takes.
    private static func edge(_ from: AppRoute, _ activity: Activity, to: AppRoute) -> Edge {
        Edge(from.screenName, activity.name, to.screenName)
    }

    private static func open(_ from: AppRoute, to: AppRoute) -> Edge { edge(from, .open(to), to: to) }

    private static func back(_ from: AppRoute, to: AppRoute) -> Edge { .back(from, to: to) }

    private static let article = AppRoute.article("")
    private static let source = AppRoute.source(1)
    private static let libraryPart = AppRoute.libraryPart(LibraryPart(.sources))
    private static let user = AppRoute.user(1)

    /// The edges between each place and the place beneath it.
    private static let openings: [Edge] = definitions.flatMap { place -> [Edge] in
        guard let parent = place.parent, !stepsOfSignUp.contains(place.example) else { return [] }
        let back = back(place.example, to: parent)
        return openedByWork.contains(place.example) ? [back] : [open(parent, to: place.example), back]
    }

    /// The later steps of the registration, which lead back to each other.
    private static let stepsOfSignUp: Set<AppRoute> = [.signUpUsername, .signUpPassword]

    /// The places that only the result of work opens.
    private static let openedByWork: Set<AppRoute> = [
        .secondFactor, .madeToken, .madeFeedAddress, .confirmation, .recoveryCodes, .madeCode, .foundFeeds,
    ]

    /// The places that may wait behind the login.
    private static let protected = screens.filter(\.isProtected)

    /// The places whose requests need the password again some time after the login.
    private static let confirmed: [AppRoute] = [
        .sessions, .newToken, .feedAddress, .name, .secondFactorSettings, .secondFactorSetUp,
    ]

    /// The edges of forms: each starts work. A failure leads back to the form, and a success to one of the places.
    private static let forms: [Edge] =
        ([
            (.login(), .logIn, [.secondFactor] + protected),
            (.reset, .passwordReset, [.login()]),
            (.secondFactor, .codeCheck, [.login()] + protected),
            (.signUpAccount, .nameCheck, [.signUpRegion]),
            (.signUpRegion, .registration, [.login(), .signUpAccount] + protected),
            (.signUpUsername, .nameCheck, [.signUpPassword]),
            (.signUpPassword, .registration, [.login(), .signUpUsername] + protected),
            (.savingSearch(ArticleList()), .noting, [.articles()]),
            (.savingRule(), .noting, [.rules, .articles()]),
            (.ownTags(""), .noting, [article]),
            (.note(""), .noting, [article]),
            (.editing(""), .editing, [article]),
            (.writing, .editing, [article]),
            (.savingPage(), .page, [article]),
            (.subscribing(), .subscribing, [source, .foundFeeds]),
            (.feedList, .subscribing, [.sources()]),
            (.sourceEditing(1), .sourceChange, [source, .sources()]),
            (.newToken, .tokenMaking, [.madeToken, .confirmation]),
            (.password, .passwordChange, [.account]),
            (.confirmation, .confirmation, [.account] + confirmed),
            (.name, .accountChange, [.account, .confirmation]),
            (.region, .accountChange, [.account]),
            (.deletion, .accountDeletion, [.login()]),
            (.secondFactorSetUp, .secondFactor, [.recoveryCodes, .confirmation]),
            (.registration, .registrationPolicy, [.users]),
            (.importing, .importing, [.articles()]),
        ] as [(AppRoute, Activity, [AppRoute])]).flatMap { form, activity, definitions in
            [edge(form, .submitted([:]), to: form)] + ([form] + definitions).map { edge(form, activity, to: $0) }
        }

    private static let signingUp: [Edge] = [
        edge(.signUpAccount, .registrationCheck, to: .signUpAccount),
        edge(.signUpAccount, .registrationCheck, to: .login()),
        edge(.signUpRegion, .registrationCheck, to: .signUpRegion),
        open(.welcome, to: .signUpAccount),
        open(.welcome, to: .signUpRegion),
        back(.signUpAccount, to: .leave(.signUp)),
        edge(.leave(.signUp), .leaveDeclined, to: .signUpAccount),
        back(.leave(.signUp), to: .signUpAccount),
        back(.signUpRegion, to: .signUpAccount),
        edge(.signUpRegion, .submitted([:]), to: .signUpUsername),
        back(.signUpRegion, to: .leave(.signUp)),
        edge(.leave(.signUp), .leaveConfirmed, to: .login()),
        edge(.leave(.signUp), .leaveDeclined, to: .signUpRegion),
        back(.leave(.signUp), to: .signUpRegion),
        back(.signUpUsername, to: .signUpRegion),
        back(.signUpPassword, to: .signUpUsername),
    ]

    private static let reading: [Edge] =
        [
            AppEvent.moreRowsWanted, .earlierRowsWanted, .firstRowsWanted, .lastRowsWanted, .searched(""),
            .sortChosen(.newest), .everythingChosen, .marksChosen(MarkCondition()), .marked(.read(true), []),
            .listMarked(.read(true)), .readAbove(1), .nextUnreadChosen,
        ].map { edge(.articles(), $0, to: .articles()) }
        + [Activity.list, .search, .marking, .article].map { edge(.articles(), $0, to: .articles()) }
        + [
            AppEvent.originalChosen, .previousArticleChosen, .nextArticleChosen,
            .marked(.read(true), []), .nextUnreadChosen, .linkFollowed(""), .articleDeletionChosen, .readAbove(1),
        ].map { edge(article, $0, to: article) }
        + [Activity.article, .marking, .deleting].map { edge(article, $0, to: article) }
        + [
            edge(.articles(), .article, to: article), edge(article, .deleting, to: .articles()),
            open(.articles(), to: .library()), open(.articles(), to: .account),
            open(.library(), to: .articles()), back(.articles(), to: .library()), back(.articles(), to: .articles()),
            open(article, to: .library()), back(.library(), to: article), back(article, to: article),
            open(article, to: .articles()), back(.articles(), to: article),
            open(libraryPart, to: .articles()), back(.articles(), to: libraryPart), open(libraryPart, to: libraryPart),
            back(libraryPart, to: libraryPart),
        ]
        + [edge(.savingSearch(ArticleList()), .savedSearchRemovalChosen(""), to: .savingSearch(ArticleList()))]
        + [
            edge(.savingRule(), .ruleRemovalChosen(""), to: .savingRule()),
            edge(.savingRule(), .tried([:]), to: .savingRule()), edge(.savingRule(), .ruleTrial, to: .savingRule()),
            open(.articles(), to: .savingRule()), back(.savingRule(), to: .articles()),
            open(.ruleTrial(RuleDraft()), to: article), back(article, to: .ruleTrial(RuleDraft())),
        ]
        + signingOut(of: .articles(), by: .logOutChosen) + signingOut(of: article, by: .logOutChosen)

    private static let subscribingToFeeds: [Edge] =
        [.library(), libraryPart].flatMap { [open($0, to: source), back(source, to: $0)] }
        + [.subscribing(), .feedList].flatMap { [open(.library(), to: $0), back($0, to: .library())] } + [
            open(.sources(), to: .sources()), back(.sources(), to: .sources()),
            open(.articles(), to: .subscribing()), back(.subscribing(), to: .articles()), back(source, to: .articles()),
            open(source, to: .articles()), open(source, to: .subscribing()), back(.subscribing(), to: source),
            edge(.foundFeeds, .feedChosen(""), to: .foundFeeds), edge(.foundFeeds, .subscribing, to: .foundFeeds),
            edge(.foundFeeds, .subscribing, to: source),
            edge(source, .sourceFetchChosen(), to: source), edge(source, .fetching, to: source),
            edge(.sources(), .sourceFetchChosen(), to: .sources()), edge(.sources(), .fetching, to: .sources()),
            open(.sources(), to: .sourceEditing(1)), back(.sourceEditing(1), to: .sources()),
            edge(source, .sourcePauseChosen, to: source), edge(source, .sourceResumeChosen, to: source),
            edge(source, .sourceQuietChosen, to: source), edge(source, .sourceUnreadChosen, to: source),
            edge(source, .unsubscriptionChosen, to: source), edge(source, .sourceChange, to: source),
        ]

    private static let managing: [Edge] =
        signingOut(of: .account, by: .logOutChosen, .logOutEverywhereChosen)
        + (Session.ID("0000000000000000").map { session in
            signingOut(of: .sessions, by: .sessionRevocationChosen(session), as: .revocation)
                + [edge(.tokens, .tokenRevocationChosen(session), to: .tokens)]
        } ?? [])
        + [
            edge(.sessions, .revocation, to: .sessions),
            edge(.tokens, .tokenEnd, to: .tokens),
            edge(.secondFactorSettings, .recoveryCodesChosen, to: .secondFactorSettings),
            edge(.secondFactorSettings, .secondFactorRemovalChosen, to: .secondFactorSettings),
            edge(.secondFactorSettings, .secondFactor, to: .secondFactorSettings),
            edge(.secondFactorSettings, .secondFactor, to: .recoveryCodes),
            edge(.feedAddress, .newFeedAddressChosen, to: .feedAddress),
            edge(.feedAddress, .feedAddressRemovalChosen, to: .feedAddress),
            edge(.feedAddress, .feedAddress, to: .feedAddress),
            edge(.feedAddress, .feedAddress, to: .madeFeedAddress),
            edge(.appearance, .appearancePicked(.default), to: .appearance),
            edge(.appearance, .textSizeChosen(.default), to: .appearance),
            edge(.appearance, .appearance, to: .appearance),
            edge(.secondFactorSettings, .secondFactor, to: .confirmation),
            edge(.feedAddress, .feedAddress, to: .confirmation),
            edge(.account, .logOut, to: .confirmation),
            edge(.sessions, .revocation, to: .confirmation),
            edge(user, .userActionChosen(.disable), to: user),
            edge(user, .userCare, to: user),
            edge(user, .userCare, to: .users),
            edge(user, .userResetChosen, to: user),
            edge(.users, .invitationChosen, to: .users),
            back(.madeCode, to: user),
        ]
        + [.users, user].flatMap { [edge($0, .code, to: $0), edge($0, .code, to: .madeCode)] }
        + confirmed.map { back(.confirmation, to: $0) }

    private static let importingArticles: [Edge] = [
        edge(.importing, .importProgressed(ImportReport()), to: .importing),
        back(.importing, to: .leave(.importing)),
        edge(.leave(.importing), .leaveConfirmed, to: .articles()),
        edge(.leave(.importing), .leaveDeclined, to: .importing),
        back(.leave(.importing), to: .importing),
    ]

    /// Nobody objects, the sessions are ended on the server, and the login is shown.
    private static func signingOut(of place: AppRoute, by events: AppEvent..., as activity: Activity = .logOut)
        -> [Edge]
    {
        (events + [.sessionEndConfirmed(.here)]).map { edge(place, $0, to: place) } + [
            edge(place, activity, to: .login())
        ]
    }
}
