import FoundationEssentials
import Navigation
import Testing

// The code of the page ComposingNavigators. A test compares the two.

private enum AppRoute: Route {
    case list
    case article(Int)
    case login, account

    enum Event: NavigationEvent {
        case selected(Int)
        case loggedIn(as: String)
    }

    typealias Screen = String

    var flow: FlowKind {
        switch self {
        case .list, .article: "articles"
        case .login: "login"
        case .account: "account"
        }
    }

    var path: String {
        switch self {
        case .list: "/articles"
        case .article(let number): RoutePath("articles", "\(number)").text
        case .login: "/login"
        case .account: "/account"
        }
    }

    var screenName: String { if case .article = self { "/articles/<number>" } else { path } }

    init?(path: String) {
        switch RoutePath(parsing: path)?.segments {
        case ["articles"]: self = .list
        case ["login"]: self = .login
        case ["account"]: self = .account
        case let words? where words.count == 2 && words[0] == "articles":
            guard let number = Int(words[1]) else { return nil }
            self = .article(number)
        default: return nil
        }
    }
}

/// The reports of a coordinator to the owner of several navigators.
private struct Reports {
    var loggedIn: (_ name: String) -> Void = { _ in }
    /// Set if articles are shown elsewhere than above the list.
    var selected: ((_ number: Int) -> Void)?
}

private final class AppCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let reports: Reports

    init(_ flow: Flow<AppRoute, Void>, reports: Reports) {
        self.flow = flow
        self.reports = reports
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .loggedIn(let name): reports.loggedIn(name)
        case .selected(let number):
            if let selected = reports.selected { selected(number) } else { flow.push(.article(number)) }
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> String { route.path }
}

private func makeNavigator(_ reports: Reports = Reports()) -> Navigator<AppRoute> {
    Navigator(
        children: ["articles", "login", "account"].map { kind in
            ChildFlow(kind, make: { AppCoordinator($0, reports: reports) }) { _ in [] }
        })
}

private enum Tab: String, Codable, CaseIterable {
    case articles, account

    init(_ route: AppRoute) { self = route.flow == "account" ? .account : .articles }

    var home: [AppRoute] { self == .account ? [.account] : [.list] }
}

private final class Tabs {
    private(set) var selected = Tab.articles
    private var navigators: [Tab: Navigator<AppRoute>] = [:]

    init() {
        let reports = Reports(loggedIn: { [weak self] in self?.admit($0) })
        for tab in Tab.allCases { navigators[tab] = makeNavigator(reports) }
        admit(nil)
    }

    /// The stack of the selected tab. The other stacks do not change.
    var shown: Navigator<AppRoute>? { navigators[selected] }

    func select(_ tab: Tab) {
        selected = tab
        shown?.settle()
    }

    /// Shows a link in the tab of its lowest place.
    func open(_ target: Target<AppRoute>) throws {
        guard let lowest = target.routes.first else { return }
        selected = Tab(lowest)
        try shown?.perform(.show(target))
    }

    /// Sets the same subject for all tabs.
    private func admit(_ user: String?) {
        for (tab, navigator) in navigators {
            navigator.gate = Gate(subject: user, entrance: [.login], home: tab.home) { route in
                (route == .login) == (user == nil)
            }
        }
    }
}

extension Tabs {
    struct Saved: Codable {
        let selected: Tab
        let states: [Tab: NavigationState<AppRoute>]
    }

    var saved: Saved { Saved(selected: selected, states: navigators.mapValues(\.state)) }

    func restore(_ saved: Saved) throws {
        selected = saved.selected
        for (tab, state) in saved.states { try navigators[tab]?.restore(state) }
    }
}

private final class SplitView {
    let detail = makeNavigator()
    private(set) lazy var sidebar = makeNavigator(Reports(selected: { [weak self] in self?.show($0) }))

    func start() throws { try sidebar.perform(.show([.list])) }

    /// Both as one stack, for a window that has become narrow.
    var folded: Target<AppRoute> { Target(sidebar.state.target.routes + detail.state.target.routes) }

    /// Errors are in the journal of the detail.
    private func show(_ number: Int) {
        try? detail.perform(.show([.article(number)]))
    }
}

@Suite("The page ComposingNavigators")
struct ComposingNavigatorsTests {
    private func paths(_ navigator: Navigator<AppRoute>?) -> [String]? { navigator?.state.frames.map(\.route.path) }

    @Test("Each tab asks for the login, and one login admits to both")
    func gate() async throws {
        let tabs = Tabs()
        tabs.select(.account)
        #expect(paths(tabs.shown) == ["/login"])
        tabs.select(.articles)
        #expect(paths(tabs.shown) == ["/login"])
        tabs.shown?.send(.loggedIn(as: "Ada"))
        #expect(paths(tabs.shown) == ["/articles"])
        tabs.select(.account)
        #expect(paths(tabs.shown) == ["/account"])
    }

    @Test("A link opens in its tab, and the other tab does not change")
    func link() async throws {
        let tabs = Tabs()
        try tabs.open([.list, .article(7)])
        tabs.shown?.send(.loggedIn(as: "Ada"))
        #expect(paths(tabs.shown) == ["/articles", "/articles/7"])
        try tabs.open([.account])
        #expect(tabs.selected == .account)
        #expect(paths(tabs.shown) == ["/account"])
        tabs.select(.articles)
        #expect(paths(tabs.shown) == ["/articles", "/articles/7"])
    }

    @Test("All tabs are saved and restored, with the shown one")
    func restores() async throws {
        let tabs = Tabs()
        try tabs.open([.list, .article(7)])
        tabs.shown?.send(.loggedIn(as: "Ada"))
        try tabs.open([.account])
        let saved = try JSONDecoder().decode(Tabs.Saved.self, from: JSONEncoder().encode(tabs.saved))
        let restored = Tabs()
        try restored.restore(saved)
        #expect(restored.selected == .account)
        restored.shown?.send(.loggedIn(as: "Ada"))
        #expect(paths(restored.shown) == ["/account"])
        restored.select(.articles)
        #expect(paths(restored.shown) == ["/articles", "/articles/7"])
    }

    @Test("The second column shows the selection of the first, and both can be one stack")
    func split() async throws {
        let view = SplitView()
        try view.start()
        view.sidebar.send(.selected(7))
        #expect(paths(view.sidebar) == ["/articles"])
        #expect(paths(view.detail) == ["/articles/7"])
        view.detail.send(.selected(8))
        #expect(paths(view.detail) == ["/articles/7", "/articles/8"])
        #expect(view.folded == [.list, .article(7), .article(8)])
        #expect(view.sidebar.journal.entries.last == .led(.init("/articles", "selected", "/articles")))
        let narrow = makeNavigator()
        try narrow.perform(.show(view.folded))
        #expect(paths(narrow) == ["/articles", "/articles/7", "/articles/8"])
        view.sidebar.send(.selected(9))
        #expect(paths(view.detail) == ["/articles/9"])
    }
}
