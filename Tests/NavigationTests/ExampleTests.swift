import Navigation
import Testing

// The example of the module's documentation, in the same order. Change both together.

private enum NoteRoute: PatternRoute {
    case login
    case list
    case note(Int)

    enum Event: NavigationEvent {
        case submitted(name: String)
        case chose(Int)
    }
    typealias Screen = String

    static let patterns = [
        RoutePattern("/login", flow: "login", NoteRoute.login),
        RoutePattern("/notes", flow: "notes", NoteRoute.list),
        RoutePattern("/notes/<number>", flow: "notes", NoteRoute.note),
    ]
    static let links = ["https://notes.example", "notes://"]
}

private final class LoginCoordinator: Coordinator {
    let flow: Flow<NoteRoute, String>

    init(_ flow: Flow<NoteRoute, String>) { self.flow = flow }

    func screen(for route: NoteRoute, outlet: Outlet<NoteRoute.Event>) -> String { "What is your name?" }

    func eventOccurred(_ event: NoteRoute.Event, in route: NoteRoute) {
        if case .submitted(let name) = event { flow.finish(with: name) }
    }
}

private final class NotesCoordinator: Coordinator {
    let flow: Flow<NoteRoute, Void>

    init(_ flow: Flow<NoteRoute, Void>) { self.flow = flow }

    func screen(for route: NoteRoute, outlet: Outlet<NoteRoute.Event>) -> String {
        "Here is \(route.path)"
    }

    func eventOccurred(_ event: NoteRoute.Event, in route: NoteRoute) {
        if case .chose(let number) = event { flow.push(.note(number)) }
    }
}

private final class NotesApplication {
    private(set) lazy var navigator: Navigator<NoteRoute> = Navigator(
        children: [
            ChildFlow("login", make: { LoginCoordinator($0) }) { [weak self] outcome in
                if case .finished(let name) = outcome { self?.navigator.gate = Self.gate(for: name) }
                return []
            },
            ChildFlow("notes") { NotesCoordinator($0) },
        ],
        gate: Self.gate(for: nil))

    private static func gate(for name: String?) -> Gate<NoteRoute> {
        Gate(subject: name, entrance: [.login], home: [.list]) { route in name != nil || route == .login }
    }
}

@Suite("The example of the documentation")
struct ExampleTests {
    @Test("The example asks for a name, and continues to its target")
    func works() async throws {
        let application = NotesApplication()
        let navigator = application.navigator
        try navigator.perform(.show([.list, .note(42)]))
        let question = try await navigator.screen()
        navigator.send(.submitted(name: "Ada"))
        let note = try await navigator.screen()
        #expect(question == "What is your name?")
        #expect(note == "Here is /notes/42")
        _ = navigator.back()
        navigator.send(.chose(7))
        #expect(try await navigator.screen() == "Here is /notes/7")
        #expect(NoteRoute(url: "https://notes.example/notes/42?from=mail") == .note(42))
        #expect(NoteRoute(url: "notes://notes/42") == .note(42))
    }
}
