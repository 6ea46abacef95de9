public import ArticleStore
public import AuthService
public import Navigation

/// The places of this application.
///
/// Cases with many values are indirect, so that a place is small: a page copies hundreds of them.
public enum AppRoute: Hashable, Sendable {
    /// The first screen for a user who is not signed in: log in, register.
    case welcome
    /// The login form, with the name that is filled in already.
    case login(username: String? = nil)
    /// The form that sets another password by a code.
    case reset
    /// The form that asks for a code after the password.
    case secondFactor
    /// The first step of the registration: the name and the password.
    case signUpAccount
    /// The last step of the registration, or the first one of `SignUpOptions.Order.regionFirst`: the region.
    case signUpRegion
    /// The second step of `SignUpOptions.Order.regionFirst`: the name.
    case signUpUsername
    /// The last step of `SignUpOptions.Order.regionFirst`: the password, twice.
    case signUpPassword
    /// A page of a list of articles.
    indirect case articles(ArticleList = ArticleList())
    /// An article.
    case article(ArticleReference)
    /// The form that saves a list with a name.
    indirect case savingSearch(ArticleList)
    /// The user's rules for the articles that arrive.
    case rules
    /// The form that saves or changes a rule.
    indirect case savingRule(RuleDraft = RuleDraft())
    /// The articles that the condition of a rule meets.
    indirect case ruleTrial(RuleDraft)
    /// The form with the user's own tags on an article.
    case ownTags(ArticleReference)
    /// The form with the user's note on an article.
    case note(ArticleReference)
    /// The form that adds an article.
    case writing
    /// The form that saves a page of the web as an article, with the address that is filled in already.
    case savingPage(address: String? = nil)
    /// The form that changes an article.
    case editing(ArticleReference)
    /// The overview of the library with the number of unread articles by state, source, tag, and author. If an article
    /// is named, its entry comes first.
    case library(of: ArticleReference? = nil)
    /// A page of one group of the library's lists.
    case libraryPart(LibraryPart)
    /// A page of the list of sources.
    case sources(page: PageNumber = .first)
    /// A source, by the number, which stays the same if the source gets another name.
    case source(Source.ID)
    /// The form that changes the name and the tags of a source.
    case sourceEditing(Source.ID)
    /// The form that subscribes to a feed, with the address that is filled in already.
    case subscribing(address: String? = nil)
    /// The form that subscribes to the feeds of a list.
    case feedList
    /// The feeds of a page, for the user to choose one, while they are shown.
    case foundFeeds
    /// The account page of the signed-in user.
    case account
    /// The sessions of the signed-in user.
    case sessions
    /// The API tokens of the signed-in user.
    case tokens
    /// The form that makes an API token.
    case newToken
    /// A new API token, while it is shown.
    case madeToken
    /// The address of the signed-in user's feeds.
    case feedAddress
    /// A new address of feeds, while it is shown.
    case madeFeedAddress
    /// The form that changes the password.
    case password
    /// The form that asks for the password again before an action.
    case confirmation
    /// The form that changes the name of the signed-in user.
    case name
    /// The form that changes the region of the signed-in user.
    case region
    /// The form that deletes the account.
    case deletion
    /// The second factor of the signed-in user.
    case secondFactorSettings
    /// The form that sets up a second factor.
    case secondFactorSetUp
    /// New recovery codes, while they are shown.
    case recoveryCodes
    /// The choice of an appearance.
    case appearance
    /// The list of users.
    case users
    /// A user, by the number, which stays the same if the name goes to another user.
    case user(User.ID)
    /// The form that changes the policy of registration.
    case registration
    /// A new code for another user, while it is shown.
    case madeCode
    /// The audit log.
    case audit
    /// The form for imports.
    case importing
    /// The question before leaving, if something would be lost.
    case leave(UnsavedWork)
}

extension AppRoute: Route {
    /// The events that the screens of this application report.
    public typealias Event = AppEvent
    /// The screens that the fronts of this application show.
    public typealias Screen = FlowCoordinators.Screen
    /// The memory that coordinators keep with their flows.
    public typealias Memory = AppMemory

    /// The flow that the place belongs to.
    public var flow: FlowKind { definition.flow }

    /// The name of the screen, independent of its content.
    public var screenName: String { definition.pattern }

    /// The column of the place. Forms and overviews are shown alone.
    public var paneRole: PaneRole {
        switch self {
        case .articles: .list
        case .article: .detail
        default: .full
        }
    }

    /// The place as a path, such as `/articles?tag=swift` or `/articles/welcome`.
    public var path: String { definition.path(of: self) }

    /// Calls a function with each piece of the path.
    package func writePath(to add: (UnsafeBufferPointer<UInt8>) -> Void) { definition.writePath(of: self, to: add) }

    /// Reads a path, with or without the slash at either end. `/` is the list of unread articles, and `/register` is the
    /// registration. Returns nil if the path is not a place, or has a parameter that is unknown or invalid.
    public init?(path: String) {
        guard let read = RoutePath(parsing: path) else { return nil }
        self.init(read)
    }

    /// Returns the place of a path that was already parsed; nil if the path is not a place.
    package init?(_ read: RoutePath) {
        if read == RoutePath() {
            self = AppSection.unread.place
            return
        }
        let segments = Self.otherNames[read.segments] ?? read.segments
        let parameters = read.parameters
        for place in Self.definitions {
            guard let route = place.route(at: segments, parameters) else { continue }
            self = route
            return
        }
        return nil
    }
}

extension AppRoute {
    /// The table of places, in the order in which the screens are drawn. A new screen needs a case above and a row
    /// here.
    static let definitions: [RouteDefinition] = [
        RouteDefinition("/welcome", .welcome, flow: .welcome),
        RouteDefinition(
            "/login", .login(), flow: .login, parent: .welcome,
            values: .init(
                name: { if case .login = $0 { "" } else { nil } },
                parameters: { if case .login(let username?) = $0 { [("username", username)] } else { [] } },
                route: { _, parameters in .login(username: parameters.removeValue(forKey: "username")) })),
        RouteDefinition("/login/reset", .reset, flow: .login, parent: .login()),
        RouteDefinition("/second-factor", .secondFactor, flow: .secondFactor, parent: .login()),
        RouteDefinition("/signup", .signUpAccount, flow: .signUp, parent: .login()),
        RouteDefinition("/signup/region", .signUpRegion, flow: .signUp, parent: .login()),
        RouteDefinition("/signup/username", .signUpUsername, flow: .signUp, parent: .login()),
        RouteDefinition("/signup/password", .signUpPassword, flow: .signUp, parent: .login()),
        RouteDefinition(
            "/articles", .articles(), flow: .articles, role: .reader, scope: .read,
            values: .init(
                name: { if case .articles = $0 { "" } else { nil } },
                parameters: { if case .articles(let list) = $0 { list.parameters } else { [] } },
                route: { _, parameters in ArticleList(&parameters).map { .articles($0) } })),
        .aboutArticle(
            "", flow: .articles, parent: .articles(), role: .reader, scope: .read, AppRoute.article
        ) { if case .article(let article) = $0 { article.description } else { nil } },
        .aboutArticle(
            "/tags", flow: .articles, parent: .article(""), role: .reader, scope: .write, AppRoute.ownTags
        ) { if case .ownTags(let article) = $0 { article.description } else { nil } },
        .aboutArticle(
            "/note", flow: .articles, parent: .article(""), role: .reader, scope: .write, AppRoute.note
        ) { if case .note(let article) = $0 { article.description } else { nil } },
        .aboutArticle(
            "/edit", flow: .editing, parent: .article(""), role: .editor, scope: .write, AppRoute.editing
        ) { if case .editing(let article) = $0 { article.description } else { nil } },
        RouteDefinition("/write", .writing, flow: .editing, parent: .articles(), role: .editor, scope: .write),
        RouteDefinition(
            "/add", .savingPage(), flow: .editing, parent: .articles(), role: .editor, scope: .write,
            values: .init(
                name: { if case .savingPage = $0 { "" } else { nil } },
                parameters: { if case .savingPage(let address?) = $0 { [("url", address)] } else { [] } },
                route: { _, parameters in
                    .savingPage(
                        sharedAs: parameters.removeValue(forKey: "url"), text: parameters.removeValue(forKey: "text"),
                        title: parameters.removeValue(forKey: "title"))
                })),
        RouteDefinition(
            "/searches/save", .savingSearch(ArticleList()), flow: .articles, parent: .articles(), role: .reader,
            scope: .write,
            values: .init(
                name: { if case .savingSearch = $0 { "" } else { nil } },
                parameters: { if case .savingSearch(let list) = $0 { list.parameters } else { [] } },
                route: { _, parameters in ArticleList(&parameters).map { .savingSearch($0) } },
                parent: { if case .savingSearch(let list) = $0 { .articles(list) } else { nil } })),
        RouteDefinition(
            "/library", .library(), flow: .articles, role: .reader, scope: .read,
            values: .init(
                name: { if case .library = $0 { "" } else { nil } },
                parameters: {
                    if case .library(let article?) = $0 { [("article", article.description)] } else { [] }
                },
                route: { _, parameters in
                    .library(of: parameters.removeValue(forKey: "article").map { ArticleReference($0) })
                })),
        RouteDefinition(
            "/library/<group>", .libraryPart(LibraryPart(.sources)), flow: .articles, parent: .library(), role: .reader,
            scope: .read,
            values: .init(
                name: { if case .libraryPart(let part) = $0 { part.group.rawValue } else { nil } },
                parameters: { if case .libraryPart(let part) = $0 { part.page.parameters } else { [] } },
                route: { name, parameters in
                    guard let group = LibraryPart.Group(rawValue: name), let page = PageNumber(&parameters) else {
                        return nil
                    }
                    return .libraryPart(LibraryPart(group, page: page))
                })),
        RouteDefinition("/rules", .rules, flow: .articles, parent: .library(), role: .reader, scope: .read),
        RouteDefinition(
            "/rules/save", .savingRule(), flow: .articles, parent: .rules, role: .reader, scope: .write,
            values: .init(
                name: { if case .savingRule = $0 { "" } else { nil } },
                parameters: { if case .savingRule(let draft) = $0 { draft.parameters } else { [] } },
                route: { _, parameters in RuleDraft(&parameters).map { .savingRule($0) } })),
        RouteDefinition(
            "/rules/try", .ruleTrial(RuleDraft()), flow: .articles, parent: .savingRule(), role: .reader,
            scope: .write,
            values: .init(
                name: { if case .ruleTrial = $0 { "" } else { nil } },
                parameters: { if case .ruleTrial(let draft) = $0 { draft.parameters } else { [] } },
                route: { _, parameters in RuleDraft(&parameters).map { .ruleTrial($0) } },
                parent: { if case .ruleTrial(let draft) = $0 { .savingRule(draft) } else { nil } })),
        RouteDefinition(
            "/sources", .sources(), flow: .sources, parent: .library(), role: .reader, scope: .read,
            values: .init(
                name: { if case .sources = $0 { "" } else { nil } },
                parameters: { if case .sources(let page) = $0 { page.parameters } else { [] } },
                route: { _, parameters in PageNumber(&parameters).map { .sources(page: $0) } })),
        RouteDefinition(
            "/sources/<id>", .source(1), flow: .sources, parent: .sources(), role: .reader, scope: .read,
            values: .number(AppRoute.source) { if case .source(let id) = $0 { id } else { nil } }),
        RouteDefinition(
            "/sources/<id>/edit", .sourceEditing(1), flow: .sources, parent: .source(1), role: .editor, scope: .write,
            values: .number(AppRoute.sourceEditing) { if case .sourceEditing(let id) = $0 { id } else { nil } }),
        RouteDefinition(
            "/sources/subscribe", .subscribing(), flow: .sources, parent: .sources(), role: .editor, scope: .write,
            values: .init(
                name: { if case .subscribing = $0 { "" } else { nil } },
                parameters: { if case .subscribing(let address?) = $0 { [("address", address)] } else { [] } },
                route: { _, parameters in .subscribing(address: parameters.removeValue(forKey: "address")) })),
        RouteDefinition(
            "/sources/subscribe/choice", .foundFeeds, flow: .sources, parent: .subscribing(), role: .editor,
            scope: .write, livesOnce: true),
        RouteDefinition(
            "/sources/import", .feedList, flow: .sources, parent: .sources(), role: .editor, scope: .write),
        RouteDefinition("/account", .account, flow: .account, role: .reader, scope: .read),
        RouteDefinition("/account/sessions", .sessions, flow: .account, parent: .account, role: .reader),
        RouteDefinition("/account/tokens", .tokens, flow: .account, parent: .account, role: .reader),
        RouteDefinition("/account/tokens/new", .newToken, flow: .account, parent: .tokens, role: .reader),
        RouteDefinition(
            "/account/tokens/made", .madeToken, flow: .account, parent: .tokens, role: .reader, livesOnce: true),
        RouteDefinition("/account/feed", .feedAddress, flow: .account, parent: .account, role: .reader),
        RouteDefinition(
            "/account/feed/made", .madeFeedAddress, flow: .account, parent: .feedAddress, role: .reader,
            livesOnce: true),
        RouteDefinition("/account/password", .password, flow: .account, parent: .account, role: .reader),
        RouteDefinition(
            "/account/confirm", .confirmation, flow: .account, parent: .account, role: .reader, livesOnce: true),
        RouteDefinition("/account/name", .name, flow: .account, parent: .account, role: .reader),
        RouteDefinition("/account/region", .region, flow: .account, parent: .account, role: .reader),
        RouteDefinition("/account/delete", .deletion, flow: .account, parent: .account, role: .reader),
        RouteDefinition("/appearance", .appearance, flow: .account, parent: .account, role: .reader),
        RouteDefinition(
            "/account/second-factor", .secondFactorSettings, flow: .account, parent: .account, role: .reader),
        RouteDefinition(
            "/account/second-factor/set-up", .secondFactorSetUp, flow: .account, parent: .secondFactorSettings,
            role: .reader, livesOnce: true),
        RouteDefinition(
            "/account/second-factor/codes", .recoveryCodes, flow: .account, parent: .secondFactorSettings,
            role: .reader, livesOnce: true),
        RouteDefinition("/users", .users, flow: .operating, parent: .account, role: .operator, scope: .write),
        RouteDefinition(
            "/users/<id>", .user(1), flow: .operating, parent: .users, role: .operator, scope: .write,
            values: .number(AppRoute.user) { if case .user(let id) = $0 { id } else { nil } }),
        RouteDefinition("/users/registration", .registration, flow: .operating, parent: .users, role: .operator),
        RouteDefinition("/users/code", .madeCode, flow: .operating, parent: .users, role: .operator, livesOnce: true),
        RouteDefinition("/audit", .audit, flow: .operating, parent: .account, role: .operator, scope: .write),
        RouteDefinition("/import", .importing, flow: .importing, parent: .articles(), role: .editor, scope: .write),
        // The question does not have a place beneath it: without a move that it belongs to, it is removed at once.
        RouteDefinition("/leave/signup", .leave(.signUp), flow: .leaving),
        RouteDefinition("/leave/import", .leave(.importing), flow: .leaving),
    ]

    /// Other paths of places, by their segments.
    private static let otherNames: [[String]: [String]] = [[]: ["articles"], ["register"]: ["signup"]]

    /// The definition of the place, which is a row of the table.
    var definition: RouteDefinition {
        if let key = Self.keys.first(where: { $0.name(self) != nil }) { return Self.definitions[key.index] }
        // Paths and bookmarks are read by the rows of the table, so input cannot name a place without a row.
        guard let row = Self.definitionsWithoutValues[self] else {
            preconditionFailure("Add a row for \(self) to AppRoute.definitions.")
        }
        return row
    }

    /// The function that finds a row with values, without a reference to the row: threads that count references to one
    /// object slow each other down.
    private struct Key: Sendable {
        let name: @Sendable (AppRoute) -> String?
        let index: Int
    }

    private static let keys = definitions.indices.compactMap { index in
        definitions[index].values.map { Key(name: $0.name, index: index) }
    }
    // A page looks up hundreds of places: comparing each with all rows makes it a twentieth slower.
    private static let definitionsWithoutValues = Dictionary(
        definitions.filter { $0.values == nil }.map { ($0.example, $0) }, uniquingKeysWith: { first, _ in first })

    /// An example of each screen.
    public static let screens: [AppRoute] = definitions.map(\.example)

    /// The first segments of all paths.
    package static let sections = Set((definitions.map(\.segments) + otherNames.keys).compactMap(\.first))

    /// The screens beneath this one if a link leads directly to it, so that the user can go back.
    var ancestors: [AppRoute] {
        guard let parent = definition.parent(of: self) else { return [] }
        return parent.ancestors + [parent]
    }

    /// Whether the place shows an article or is about one.
    package var isAboutArticle: Bool { definition.isAboutArticle }

    /// The article that the place shows or is about. It is above the list from which the user opened it; nil for other
    /// places.
    public var articleInList: ArticleReference? {
        let definition = definition
        return definition.isAboutArticle ? definition.name(of: self).map { ArticleReference($0) } : nil
    }

    /// Whether the forms of the place may contain the text of an article, a note, or a file, which is longer than other
    /// values: their own, or one that waits until the user is signed in.
    package var acceptsText: Bool {
        [.articles, .editing, .secondFactor, .signUp].contains(flow) || self == .feedList
    }

    /// Whether this is the welcome screen or the login form.
    var isEntrance: Bool { if case .login = self { true } else { self == .welcome } }
}

extension FlowKind {
    /// The choice between login and registration.
    public static let welcome: FlowKind = "welcome"
    /// The login.
    public static let login: FlowKind = "login"
    /// The code after the password.
    public static let secondFactor: FlowKind = "second factor"
    /// The registration.
    public static let signUp: FlowKind = "signup"
    /// The lists and the articles.
    public static let articles: FlowKind = "articles"
    /// The sources and their subscriptions.
    public static let sources: FlowKind = "sources"
    /// The user's own account.
    public static let account: FlowKind = "account"
    /// The administration of users.
    public static let operating: FlowKind = "operating"
    /// Writing and editing articles.
    public static let editing: FlowKind = "editing"
    /// Importing articles.
    public static let importing: FlowKind = "import"
    /// The question before leaving.
    public static let leaving: FlowKind = "leave"
}
