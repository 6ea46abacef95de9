import Navigation
import Testing

// The code of the pages WorkAndQuestions, JudgingStates, MovingOnTheStack, and LivesAndTurns. A test compares them.

private enum AppRoute: PatternRoute {
    case login, code, discard, list, keys, share
    case note(Int)

    typealias Event = AppEvent
    typealias Screen = LoginScreen

    static let patterns = [
        RoutePattern("/login", flow: "login", AppRoute.login), RoutePattern("/code", flow: "code", AppRoute.code),
        RoutePattern("/discard", flow: "discard", AppRoute.discard),
        RoutePattern("/notes", flow: "list", AppRoute.list),
        RoutePattern("/keys", flow: "keys", AppRoute.keys), RoutePattern("/notes/share", flow: "list", AppRoute.share),
        RoutePattern("/notes/<number>", flow: "list", AppRoute.note),
    ]
}

private enum Answer {
    case granted
    case refused(String)
}

private enum AppEvent: NavigationEvent {
    case submitted(String, String)
    case answered(Answer)
    case cancelled
}

private struct LoginScreen {
    let notice: String
    let isBusy: Bool
    let outlet: Outlet<AppEvent>
}

private struct Accounts: Sendable {
    func logIn(_ name: String, _ password: String) async -> Answer {
        password == "right" ? .granted : .refused("The password is wrong.")
    }
}

private final class LoginCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let accounts = Accounts()
    var notice = ""
    var draft = ""

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        switch event {
        case .submitted(let name, let password):
            flow.run("log-in") { [accounts] in .answered(await accounts.logIn(name, password)) }
        case .answered(.granted):
            flow.finish()
        case .answered(.refused(let why)):
            notice = why
        case .cancelled:
            flow.stop("log-in")
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) -> LoginScreen {
        LoginScreen(notice: notice, isBusy: flow.isRunning("log-in"), outlet: outlet)
    }

    func question(beforeLeaving routes: [AppRoute]) -> AppRoute? {
        draft.isEmpty ? nil : .discard
    }
}

@MainActor
private final class Owner {
    let navigator: Navigator<AppRoute>

    init(_ children: [ChildFlow<AppRoute>]) {
        navigator = Navigator(children: children)
        navigator.onPending = { [weak self] in Task { @MainActor in self?.navigator.settle() } }
    }
}

@Suite("The guides")
@MainActor
struct GuidesTests {
    private let owner = Owner(
        ["login", "list", "keys", "code", "discard"].map { kind in
            ChildFlow(kind) { LoginCoordinator($0) }
        })

    @Test("The login shows why it was refused, and ends after it was granted")
    func work() async throws {
        let navigator = owner.navigator
        try navigator.perform(.show([.list, .login]))
        navigator.send(.submitted("Ada", "wrong"))
        await navigator.finishWork()
        #expect(try await navigator.screen()?.notice == "The password is wrong.")
        navigator.send(.submitted("Ada", "right"))
        await navigator.finishWork()
        #expect(navigator.state.top?.route == .list)
    }

    @Test("A draft is asked about before it is left")
    func question() async throws {
        let navigator = owner.navigator
        try navigator.perform(.show([.list, .login]))
        for case let login as LoginCoordinator in navigator.coordinators.values { login.draft = "Dear" }
        navigator.back()
        #expect(navigator.state.top?.route == .discard)
    }

    @Test("A target that needs two entrances goes through one after the other")
    func entrances() throws {
        func gate(user: String?, hasSecondFactor: Bool) -> Gate<AppRoute> {
            Gate(subject: user, home: [.list]) { route in
                switch route {
                case .login, .code: .admitted
                case _ where user == nil: .barred(entrance: [.login])
                case .keys where !hasSecondFactor: .barred(entrance: [.code])
                default: .admitted
                }
            }
        }
        let asked = gate(user: nil, hasSecondFactor: false).judging(NavigationState([.keys]))
        #expect("\(asked)" == "[/login*], then [/keys*]")
        let named = gate(user: "Ada", hasSecondFactor: false).judging(try asked.applying(.end(asked.flows[0].id)))
        #expect("\(named)" == "[/code*], then [/keys*]")
        let confirmed = try named.applying(.end(named.flows[0].id))
        #expect("\(gate(user: "Ada", hasSecondFactor: true).judging(confirmed))" == "[/keys*]")
    }

    @Test("A link opens a modal screen")
    func modal() async throws {
        let navigator = owner.navigator
        // [/notes, /notes/42, (/notes/share*]
        try navigator.perform(.show(Target([.list, .note(42)]).presenting(.share)))
        #expect("\(navigator.state)" == "[/notes, /notes/42, (/notes/share*]")
    }
}
