public import Navigation

/// A real navigator, with everything that it does recorded, so that a test can say all of what should have happened.
///
/// ```swift
/// let recording = RecordingNavigator(children: [notes])
/// try recording.navigator.perform(.show([.list]))
/// try recording.expect(.transition(before: [], after: ["/notes"]), .started("notes"))
/// recording.navigator.send(.newNote)
/// try recording.expect(
///     .event(name: "newNote", path: "/notes"),
///     .transition(before: ["/notes"], after: ["/notes", "/notes/new"]), .started("editor"),
///     .led(.init("/notes", "newNote", "/notes/new")))
/// _ = recording.navigator.back()
/// try recording.expectReleased("editor")
/// ```
///
/// Differences are thrown as descriptive errors, so this works with any test library.
public final class RecordingNavigator<R: Route> {
    /// The navigator that the test uses.
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

    /// Records a navigator from now on, such as that of a whole application. A navigator may have several recordings.
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
    ///   - children: the flows that any flow may begin.
    ///   - gate: decides which routes may be shown.
    public convenience init(children: [ChildFlow<R>], gate: Gate<R> = Gate()) {
        self.init(Navigator(children: children, gate: gate))
    }

    /// Expects exactly these entries since the last expectation. Without arguments, it expects that nothing happened.
    ///
    /// - Throws: ``JournalMismatch`` if the entries differ.
    public func expect(_ entries: Journal.Entry...) throws(JournalMismatch) {
        let actual = recording.entries
        recording.entries = []
        guard actual == entries else { throw JournalMismatch(expected: entries, actual: actual) }
    }

    /// Discards the entries since the last expectation, which are only the preparation of a test.
    public func skip() {
        recording.entries = []
    }

    /// Expects that the coordinators of all flows outside the stack were released, including those that opened and
    /// closed within a turn.
    ///
    /// - Parameter kinds: flows that must have been opened and closed since the last such expectation. With them, a
    ///   test proves that it opened the flow.
    /// - Throws: ``NotReleased`` if a coordinator is still alive, or a flow was not opened or not closed.
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

/// The recorded entries differ from the expected ones.
public struct JournalMismatch: Error, Hashable, Sendable {
    /// The expected entries, oldest first.
    public let expected: [Journal.Entry]
    /// The recorded entries, oldest first.
    public let actual: [Journal.Entry]
}

extension JournalMismatch: CustomStringConvertible {
    /// The entries, one line each. `-` marks an expected entry that is missing, and `+` an unexpected entry.
    public var description: String {
        let difference = actual.difference(from: expected)
        var lines = expected.map { "  \($0)" }
        for case .remove(let offset, let entry, _) in difference.removals { lines[offset] = "- \(entry)" }
        // Missing entries still have their lines, so skip them when counting the position of an insertion.
        for case .insert(let offset, let entry, _) in difference.insertions {
            var index = 0
            var kept = 0
            while index < lines.count, kept < offset || lines[index].hasPrefix("-") {
                if !lines[index].hasPrefix("-") { kept += 1 }
                index += 1
            }
            lines.insert("+ \(entry)", at: index)
        }
        return "What happened is not what was expected:\n" + lines.joined(separator: "\n")
    }
}

/// A coordinator outlives its flow, or a flow that the test expected to close did not close.
public struct NotReleased: Error, Hashable, Sendable {
    /// The kinds and identities of flows that have ended but whose coordinators are still alive.
    public let leaked: [String]
    /// The expected flows that are still open or were never opened.
    public let notClosed: [FlowKind]
}

extension NotReleased: CustomStringConvertible {
    /// The error and its likely causes.
    public var description: String {
        var sentences: [String] = []
        if !leaked.isEmpty {
            sentences.append(
                "Still alive after their flows have ended: the coordinators of \(leaked.joined(separator: ", ")). "
                    + "Something holds them, such as a closure that captures self.")
        }
        if !notClosed.isEmpty {
            let kinds = notClosed.map(\.name).joined(separator: ", ")
            sentences.append("Open still, or never opened while this was recorded: \(kinds).")
        }
        return sentences.joined(separator: " ")
    }
}
