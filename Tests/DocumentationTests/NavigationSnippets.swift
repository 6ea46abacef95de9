import Navigation

// The Swift about the kernel in docs/embedding.md. It is also compiled with other settings, in Examples/DocumentationCode.

enum Place: PatternRoute {
    case list
    case editor(draft: String?)

    enum Event: NavigationEvent { case newNote, saved }
    typealias Screen = String

    static let patterns = [
        RoutePattern("/notes", flow: "notes", Place.list),
        RoutePattern("/notes/new?draft=<draft>", flow: "editor", Place.editor),
    ]
}

final class NotesCoordinator: Coordinator {
    let flow: Flow<Place, Void>
    init(flow: Flow<Place, Void>) { self.flow = flow }

    func eventOccurred(_ event: Place.Event, in route: Place) {
        if case .newNote = event { flow.begin(.editor(draft: nil)) }
    }
    func screen(for route: Place, outlet: Outlet<Place.Event>) -> String { "A list of notes" }
    var children: [ChildFlow<Place>] { [ChildFlow("editor") { EditorCoordinator(flow: $0) }] }
}

final class EditorCoordinator: Coordinator {
    let flow: Flow<Place, Void>
    init(flow: Flow<Place, Void>) { self.flow = flow }

    func eventOccurred(_ event: Place.Event, in route: Place) {
        if case .saved = event { flow.finish() }
    }
    func screen(for route: Place, outlet: Outlet<Place.Event>) -> String { "A new note" }
}

func embedNavigation() async throws -> Navigator<Place> {
    let navigator = Navigator<Place>(children: [ChildFlow("notes") { NotesCoordinator(flow: $0) }])
    try navigator.perform(.show([.list]))
    navigator.send(.newNote)
    return navigator
}

/// A coordinator whose screen waits, for all settings.
nonisolated final class WaitingCoordinator: Coordinator {
    let flow: Flow<Place, Void>
    let notes: Notes
    init(flow: Flow<Place, Void>, notes: Notes) { (self.flow, self.notes) = (flow, notes) }

    func screen(for route: Place, outlet: Outlet<Place.Event>) async throws -> String { await titles() }

    nonisolated(nonsending) private func titles() async -> String { await notes.titles() }
}

actor Notes {
    func titles() -> String { "Groceries, Letters" }
}
