import FoundationEssentials
import Navigation
import NavigationTesting
import Testing

// The feature, which does not know the application.

private enum AccountRoute: PatternRoute {
    case login
    case help
    case signUp
    case discard

    enum Event: NavigationEvent {
        case submitted(String)
        case checked(String)
        case signUpChosen
        case typed(String)
        case progressed
        case leave
        case left
        case agreed
        case stopped
    }
    struct Screen {
        let text: String
        let report: Outlet<Event>
    }
    struct Memory: Codable, Hashable { var draft = "" }

    static let patterns = [
        RoutePattern("/login", flow: "login", AccountRoute.login),
        RoutePattern("/help", flow: "login", AccountRoute.help),
        RoutePattern("/sign-up", flow: "sign-up", AccountRoute.signUp),
        RoutePattern("/discard", flow: "discard", AccountRoute.discard),
    ]
}

private final class LoginCoordinator: Coordinator {
    let flow: Flow<AccountRoute, String>
    let gateway: Gateway
    private var notice = "Log in"

    init(_ flow: Flow<AccountRoute, String>, _ gateway: Gateway) {
        self.flow = flow
        self.gateway = gateway
    }

    func start() { notice = "Welcome" }

    func eventOccurred(_ event: AccountRoute.Event, in route: AccountRoute) {
        switch event {
        case .submitted(let name):
            flow.run(
                "log-in",
                reporting: { [gateway] outlet in
                    outlet(.progressed)
                    return .checked(await gateway.answer(name))
                })
        case .progressed: notice = "Working"
        case .checked("Eve"): notice = "No"
        case .checked(let name): flow.finish(with: name)
        case .signUpChosen: flow.begin(.signUp)
        case .leave: flow.leaveAll(then: .left)
        case .stopped: flow.stop("log-in")
        case .left: flow.send(.typed("gone"))
        case .typed(let text): notice = text
        default: break
        }
    }

    func screen(for route: AccountRoute, outlet: Outlet<AccountRoute.Event>) -> AccountRoute.Screen {
        .init(text: flow.isRunning("log-in") ? "Busy" : notice, report: outlet)
    }

    var children: [ChildFlow<AccountRoute>] {
        [
            ChildFlow("sign-up", make: { SignUpCoordinator($0) }) { outcome in
                if case .finished = outcome { [.replace(.login)] } else { [] }
            },
            ChildFlow("discard", make: { DiscardCoordinator($0) }) { _ in [] },
        ]
    }
}

private final class SignUpCoordinator: Coordinator {
    let flow: Flow<AccountRoute, Void>
    private var draft = ""
    private var place: AccountRoute?

    init(_ flow: Flow<AccountRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AccountRoute.Event, in route: AccountRoute) {
        switch event {
        case .typed(let text): draft = text
        case .submitted(let text):
            flow.run("check", { _ in text + "!" }) { [weak self] text, place in
                self?.draft = text
                self?.place = place
            }
        case .leave: flow.finish()
        case .stopped: flow.cancel()
        default: break
        }
    }

    func screen(for route: AccountRoute, outlet: Outlet<AccountRoute.Event>) -> AccountRoute.Screen {
        .init(text: "\(draft) \(place?.path ?? "")", report: outlet)
    }

    var memory: AccountRoute.Memory? { draft.isEmpty ? nil : .init(draft: draft) }
    func recall(_ memory: AccountRoute.Memory) { draft = memory.draft }
    func question(beforeLeaving routes: [AccountRoute]) -> AccountRoute? {
        routes == [.signUp] && draft == "keep" ? .discard : nil
    }
}

private final class DiscardCoordinator: Coordinator {
    let flow: Flow<AccountRoute, Void>

    init(_ flow: Flow<AccountRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AccountRoute.Event, in route: AccountRoute) {
        if case .agreed = event { flow.finish() }
    }

    func screen(for route: AccountRoute, outlet: Outlet<AccountRoute.Event>) -> AccountRoute.Screen {
        .init(text: "Discard?", report: outlet)
    }
}

private typealias Move = (Flow<AccountRoute, Void>) -> Void

/// Makes a move after an event.
private final class Mover: Coordinator {
    let flow: Flow<AccountRoute, Void>
    let move: Move

    init(_ flow: Flow<AccountRoute, Void>, _ move: @escaping Move) {
        self.flow = flow
        self.move = move
    }

    func eventOccurred(_ event: AccountRoute.Event, in route: AccountRoute) { move(flow) }

    func screen(for route: AccountRoute, outlet: Outlet<AccountRoute.Event>) -> AccountRoute.Screen {
        .init(text: "", report: outlet)
    }
}

/// Answers after it was opened.
private actor Gateway {
    private var isOpen: Bool
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(isOpen: Bool = true) { self.isOpen = isOpen }

    func open() {
        isOpen = true
        for caller in waiting { caller.resume() }
        waiting = []
    }

    func answer(_ name: String) async -> String {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
        return name
    }
}

// The application.

private enum AppRoute: PatternRoute {
    case articles
    case account(AccountRoute)

    enum Event: NavigationEvent {
        case chosen
        case account(AccountRoute.Event)
    }
    enum Screen {
        case articles
        case account(AccountRoute.Screen)

        var account: AccountRoute.Screen? { if case .account(let screen) = self { screen } else { nil } }
    }
    enum Memory: Codable, Hashable {
        case page(Int)
        case account(AccountRoute.Memory)
    }

    static let patterns = [
        RoutePattern("/articles", flow: "articles", AppRoute.articles),
        RoutePattern("/account", AppRoute.account),
    ]
}

private final class ArticlesCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        if case .chosen = event { flow.begin(.account(.login)) }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen { .articles }
}

@Suite("Features with their own routes")
struct FeatureTests {
    private let accounts = Feature(
        route: AppRoute.account, event: AppRoute.Event.account, screen: AppRoute.Screen.account,
        memory: AppRoute.Memory.account)

    private func recording(_ gateway: Gateway = Gateway()) -> RecordingNavigator<AppRoute> {
        RecordingNavigator(children: [
            ChildFlow("articles", make: { ArticlesCoordinator($0) }) { _ in [] },
            ChildFlow("login", in: accounts, make: { LoginCoordinator($0, gateway) }) { outcome in
                if case .finished = outcome { [.show([.articles])] } else { [] }
            },
        ])
    }

    @Test("The application decides where it goes after a flow of the feature")
    func finish() async throws {
        let recording = recording()
        let navigator = recording.navigator
        try navigator.perform(.show([.account(.login)]))
        #expect(try await navigator.screen()?.account?.text == "Welcome")
        recording.skip()

        navigator.send(.account(.submitted("Ada")))
        await navigator.finishWork()
        #expect(navigator.state.frames.map(\.route) == [.articles])
        let login = "/account/login"
        try recording.expect(
            .event(name: "account.submitted", path: login), .led(.init(login, "account.submitted", login)),
            .event(name: "account.progressed", path: login), .led(.init(login, "account.progressed", login)),
            .event(name: "account.checked", path: login), .transition(before: [login], after: ["/articles"]),
            .ended("login", .finished), .started("articles"), .led(.init(login, "account.checked", "/articles")))
        try recording.expectReleased("login")
    }

    @Test("The outlet of a screen and the work of a flow report events of the feature")
    func reports() async throws {
        let gateway = Gateway(isOpen: false)
        let navigator = recording(gateway).navigator
        try navigator.perform(.show([.articles]))
        navigator.send(.chosen)
        let screen = try #require(try await navigator.screen()?.account)
        screen.report(.submitted("Eve"))
        navigator.settle()
        #expect(try await navigator.screen()?.account?.text == "Busy")
        await gateway.open()
        await navigator.finishWork()
        #expect(try await navigator.screen()?.account?.text == "No")

        screen.report(.leave)
        navigator.settle()
        #expect(try await navigator.screen()?.account?.text == "gone")
    }

    @Test("A flow of the feature can stop its work")
    func stop() async throws {
        let navigator = recording(Gateway(isOpen: false)).navigator
        try navigator.perform(.show([.account(.login)]))
        navigator.send(.account(.submitted("Ada")))
        #expect(navigator.hasWork)
        navigator.send(.account(.stopped))
        #expect(!navigator.hasWork)
    }

    @Test("A flow of the feature begins the flows that it declares, and receives their ends")
    func children() async throws {
        let recording = recording()
        let navigator = recording.navigator
        try navigator.perform(.show([.articles, .account(.login)]))
        navigator.send(.account(.signUpChosen))
        #expect(navigator.state.frames.map(\.route) == [.articles, .account(.login), .account(.signUp)])
        navigator.send(.account(.submitted("Ada")))
        await navigator.finishWork()
        #expect(try await navigator.screen()?.account?.text == "Ada! /sign-up")

        navigator.send(.account(.stopped))
        #expect(navigator.state.frames.map(\.route) == [.articles, .account(.login)])
        navigator.send(.account(.signUpChosen))
        navigator.send(.account(.leave))
        #expect(navigator.state.frames.map(\.route) == [.articles, .account(.login)])
        try recording.expectReleased("sign-up")
    }

    @Test("The memory of a feature is saved and restored")
    func memory() async throws {
        let navigator = recording().navigator
        try navigator.perform(.show([.articles, .account(.login), .account(.signUp)]))
        navigator.send(.account(.typed("half a form")))
        let saved = try JSONEncoder().encode(navigator.state)

        let other = recording().navigator
        try other.restore(JSONDecoder().decode(NavigationState<AppRoute>.self, from: saved))
        #expect(try await other.screen()?.account?.text == "half a form ")
    }

    @Test("A flow of the feature asks before it is left")
    func question() async throws {
        let navigator = recording().navigator
        try navigator.perform(.show([.articles, .account(.login), .account(.signUp)]))
        navigator.send(.account(.typed("keep")))
        navigator.back()
        #expect(navigator.state.top?.route == .account(.discard))
        navigator.send(.account(.agreed))
        #expect(navigator.state.frames.map(\.route) == [.articles, .account(.login)])
    }

    @Test("All moves of a feature's flow are moves of the application")
    func moves() async throws {
        let moves: [(Move, String)] = [
            ({ $0.push(.help) }, "[/articles | /account/login, /account/help*]"),
            ({ $0.present(.help) }, "[/articles | /account/login, (/account/help*]"),
            ({ $0.begin(.login, modal: true) }, "[/articles | /account/login | (/account/login*]"),
            ({ $0.replace(with: .help) }, "[/articles | /account/help*]"),
            ({ $0.pop() }, "[/articles*]"),
            ({ $0.popToRoot() }, "[/articles*]"),
            (
                {
                    $0.present(.help)
                    $0.dismiss()
                }, "[/articles | /account/login*]"
            ),
            ({ $0.show(Target([.login]).presenting(.help)) }, "[/account/login, (/account/help*]"),
        ]
        for (move, expected) in moves {
            let navigator = Navigator<AppRoute>(children: [
                ChildFlow("articles", make: { ArticlesCoordinator($0) }) { _ in [] },
                ChildFlow("login", in: accounts, make: { Mover($0, move) }) { _ in [] },
            ])
            try navigator.perform(.show([.articles]), .begin(.account(.login)))
            navigator.send(.account(.agreed))
            #expect("\(navigator.state)" == expected)
        }
    }

    @Test("A flow of the feature cannot show a place of the application")
    func foreignPlace() async throws {
        let navigator = Navigator<AppRoute>(children: [
            ChildFlow("articles", in: accounts, make: { DiscardCoordinator($0) }) { _ in [] }
        ])
        try navigator.perform(.show([.articles]))
        await #expect {
            try await navigator.screen()
        } throws: {
            "\($0)".hasPrefix("/articles is not a place of the feature")
        }
    }
}
