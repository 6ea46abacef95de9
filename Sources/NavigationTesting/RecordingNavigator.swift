public import Navigation

/// A real navigator, with everything that it does recorded, so that a test can say all of what should have happened.
///
/// ```swift
/// let recording = RecordingNavigator(children: [notes])
/// try await recording.navigator.perform(.show([.list]))
/// try recording.expect(.transition(before: [], after: ["/notes"]), .started("notes"))
/// await recording.navigator.send(.newNote)
/// try recording.expect(
///     .event(name: "newNote", path: "/notes"),
///     .transition(before: ["/notes"], after: ["/notes", "/notes/new"]), .started("editor"),
///     .led(.init("/notes", "newNote", "/notes/new")))
/// _ = await recording.navigator.back()
/// try recording.expectReleased("editor")
/// ```
///
/// Differences are thrown as descriptive errors, so this works with any test library.
public final class RecordingNavigator<R: Route> {
    /// The navigator, to move by and to look at.
    public let navigator: Navigator<R>

    /// The entries since the last expectation, oldest first.
    public var unexpected: [Journal.Entry] { recording.entries }

    private let recording = Recording()

    private final class Recording {
        var entries: [Journal.Entry] = []
        var opened: [Opened] = []
    }

    private struct Opened {
        let id: FlowID
        let kind: FlowKind
        weak var coordinator: (any Coordinator<R>)?
    }

    /// Records a navigator from here on, such as that of a whole application. A navigator may have several recordings.
    public init(_ navigator: Navigator<R>) {
        self.navigator = navigator
        for flow in navigator.state.flows {
            recording.opened.append(
                Opened(id: flow.id, kind: flow.kind, coordinator: navigator.coordinators[flow.id]))
        }
        let (onRecord, onOpen) = (navigator.onRecord, navigator.onOpen)
        navigator.onRecord = { [recording] in
            onRecord?($0)
            recording.entries.append($0)
        }
        navigator.onOpen = { [recording] in
            onOpen?($0, $1, $2)
            recording.opened.append(Opened(id: $0, kind: $1, coordinator: $2))
        }
    }

    /// Records a new navigator with an empty stack.
    ///
    /// - Parameters:
    ///   - children: The flows that any flow may begin.
    ///   - gate: Decides which routes may be shown.
    public convenience init(children: [ChildFlow<R>], gate: Gate<R> = Gate()) {
        self.init(Navigator(children: children, gate: gate))
    }

    /// Expects that just this has happened since the last expectation, and nothing else; without entries, nothing.
    ///
    /// - Throws: ``JournalMismatch``.
    public func expect(_ entries: Journal.Entry...) throws(JournalMismatch) {
        let actual = recording.entries
        recording.entries = []
        guard actual == entries else { throw JournalMismatch(expected: entries, actual: actual) }
    }

    /// Forgets what has happened since the last expectation: what leads up to a test and is not its subject.
    public func skip() {
        recording.entries = []
    }

    /// Expects that every coordinator whose flow is not on the stack has been released, those included that came and
    /// went within one turn.
    ///
    /// - Parameter kinds: Flows of which each must have been open since the last such expectation, and be closed; so
    ///   that the test has been there.
    /// - Throws: ``NotReleased``.
    public func expectReleased(_ kinds: FlowKind...) throws(NotReleased) {
        let open = Set(navigator.state.flows.map(\.id))
        let closed = recording.opened.filter { !open.contains($0.id) }
        let leaked = closed.filter { $0.coordinator != nil }.map { "\($0.kind) \($0.id)" }
        let isOpen = Set(navigator.state.flows.map(\.kind))
        let missing = kinds.filter { kind in isOpen.contains(kind) || !closed.contains { $0.kind == kind } }
        recording.opened.removeAll { !open.contains($0.id) && $0.coordinator == nil }
        guard leaked.isEmpty, missing.isEmpty else { throw NotReleased(leaked: leaked, notClosed: missing) }
    }
}
