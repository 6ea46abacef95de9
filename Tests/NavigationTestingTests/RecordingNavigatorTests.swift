import Navigation
import NavigationTesting
import Testing

private enum Place: String, Route {
    case list = "/notes"
    case editor = "/notes/new"

    enum Event: NavigationEvent { case newNote, saved, glanced }
    typealias Screen = String

    var flow: FlowKind { self == .list ? "notes" : "editor" }
    var path: String { rawValue }
    var screenName: String { rawValue }
    init?(path: String) { self.init(rawValue: path) }
}

/// Begins an editor, which saves or, if `isGlancing`, finishes before it shows.
private final class NoteCoordinator: Coordinator {
    let flow: Flow<Place, Void>
    let desk: Desk

    init(_ flow: Flow<Place, Void>, _ desk: Desk) {
        self.flow = flow
        self.desk = desk
        if desk.keepsEverything { desk.kept.append(self) }
    }

    func start() { if desk.isGlancing { flow.finish() } }

    func eventOccurred(_ event: Place.Event, in route: Place) {
        switch event {
        case .newNote: flow.begin(.editor)
        case .glanced:
            desk.isGlancing = true
            flow.begin(.editor)
        case .saved: flow.finish()
        }
    }

    func screen(for route: Place, outlet: Outlet<Place.Event>) async throws -> String { route.path }
}

/// Switches that make the coordinators misbehave.
private final class Desk {
    var isGlancing = false
    var keepsEverything = false
    var kept: [NoteCoordinator] = []
}

@Suite("A recording navigator")
struct RecordingNavigatorTests {
    private let desk = Desk()
    private let recording: RecordingNavigator<Place>

    init() {
        let kinds: [FlowKind] = ["notes", "editor"]
        recording = RecordingNavigator(
            children: kinds.map { [desk] kind in ChildFlow(kind, make: { NoteCoordinator($0, desk) }) { _ in [] } })
    }

    @Test("A recording expects everything that happened, in parts")
    func exhaustive() async throws {
        try recording.expect()
        try recording.navigator.perform(.show([.list]))
        try recording.expect(.transition(before: [], after: ["/notes"]), .started("notes"))
        recording.navigator.send(.newNote)
        try recording.expect(
            .event(name: "newNote", path: "/notes"),
            .transition(before: ["/notes"], after: ["/notes", "/notes/new"]), .started("editor"),
            .led(.init("/notes", "newNote", "/notes/new")))
        try recording.expect()
    }

    @Test("The error names unexpected and missing entries")
    func mismatch() async throws {
        try recording.navigator.perform(.show([.list]))
        let error = #expect(throws: JournalMismatch.self) {
            try recording.expect(.started("editor"), .started("notes"), .dropped("saved"))
        }
        #expect(
            error?.description == """
                What happened is not what was expected:
                - \(Journal.Entry.started("editor"))
                + \(Journal.Entry.transition(before: [], after: ["/notes"]))
                  \(Journal.Entry.started("notes"))
                - \(Journal.Entry.dropped("saved"))
                """)
        #expect(recording.unexpected.isEmpty)
    }

    @Test("Unexpected entries are shown at their place, after missing ones")
    func mismatchAfterGap() async throws {
        try recording.navigator.perform(.show([.list]))
        let shown = Journal.Entry.transition(before: [], after: ["/notes"])
        let error = #expect(throws: JournalMismatch.self) { try recording.expect(.dropped("saved"), shown) }
        #expect(
            error?.description == """
                What happened is not what was expected:
                - \(Journal.Entry.dropped("saved"))
                  \(shown)
                + \(Journal.Entry.started("notes"))
                """)
    }

    @Test("An entry without an expectation fails", arguments: [true, false])
    func nothingLeftOut(isSkipped: Bool) async throws {
        try recording.navigator.perform(.show([.list]))
        if isSkipped {
            recording.skip()
            try recording.expect()
        } else {
            #expect(recording.unexpected.count == 2)
            #expect(throws: JournalMismatch.self) { try recording.expect(.started("notes")) }
        }
    }

    @Test("A recording keeps entries that the journal forgets")
    func longerThanTheJournal() async throws {
        try recording.navigator.perform(.show([.list]))
        recording.skip()
        for _ in 0..<100 {
            recording.navigator.send(.newNote)
            recording.navigator.send(.saved)
        }
        #expect(recording.navigator.journal.entries.count == 256)
        #expect(recording.unexpected.count == 800)
        #expect(recording.unexpected.suffix(256) == recording.navigator.journal.entries[...])
    }

    @Test("Every coordinator is found released")
    func released() async throws {
        try recording.navigator.perform(.show([.list]))
        try recording.expectReleased()
        recording.navigator.send(.newNote)
        recording.navigator.send(.saved)
        try recording.expectReleased("editor")
    }

    @Test("A kept coordinator is found, also one that came and went within a turn", arguments: [false, true])
    func leaked(withinOneTurn: Bool) async throws {
        try recording.navigator.perform(.show([.list]))
        desk.keepsEverything = true
        recording.navigator.send(withinOneTurn ? .glanced : .newNote)
        if !withinOneTurn { recording.navigator.send(.saved) }
        let error = #expect(throws: NotReleased.self) { try recording.expectReleased() }
        #expect(error?.leaked == ["editor #2"])
        desk.kept = []
        try recording.expectReleased()
    }

    @Test("A flow that is open, or never was, is not released", arguments: ["notes", "editor"] as [FlowKind])
    func notClosed(kind: FlowKind) async throws {
        try recording.navigator.perform(.show([.list]))
        let error = #expect(throws: NotReleased.self) { try recording.expectReleased(kind) }
        #expect(error?.notClosed == [kind])
        #expect(error?.leaked == [])
    }

    @Test("A recording can begin with a running navigator")
    func running() async throws {
        recording.navigator.send(.newNote)
        try recording.navigator.perform(.show([.list, .editor]))
        let second = RecordingNavigator(recording.navigator)
        try second.expect()
        _ = second.navigator.back()
        try second.expect(
            .event(name: "back", path: "/notes/new"),
            .transition(before: ["/notes", "/notes/new"], after: ["/notes"]), .ended("editor", .cancelled),
            // It was below until now.
            .started("notes"),
            .led(.init("/notes/new", "back", "/notes")))
        try second.expectReleased("editor")
    }

    @Test("A flow that is open again, or closed before the last expectation, is not released")
    func closedBefore() async throws {
        try recording.navigator.perform(.show([.list]))
        recording.navigator.send(.newNote)
        recording.navigator.send(.saved)
        try recording.expectReleased("editor")
        #expect(throws: NotReleased.self) { try recording.expectReleased("editor") }
        recording.navigator.send(.newNote)
        recording.navigator.send(.saved)
        recording.navigator.send(.newNote)
        #expect(throws: NotReleased.self) { try recording.expectReleased("editor") }
    }

    @Test("A kept coordinator of an earlier navigator is found, repeatedly while it is kept")
    func leakedBefore() async throws {
        desk.keepsEverything = true
        try recording.navigator.perform(.show([.list, .editor]))
        let second = RecordingNavigator(recording.navigator)
        recording.navigator.back()
        for _ in 1...2 {
            let error = #expect(throws: NotReleased.self) { try second.expectReleased("editor") }
            #expect(error?.leaked == ["editor #2"])
        }
    }
}
