import Foundation
import Navigation
import Synchronization
import TestSupport

/// A route of two words: the flow, and its page. A numeric page is one of many at the same place.
struct Page: Route, ExpressibleByStringLiteral, CustomStringConvertible {
    typealias Event = Signal
    typealias Screen = String
    typealias Memory = String

    static let pathVersion = 2

    static func migrated(_ path: String, from version: Int) -> String? {
        path.hasPrefix("/dropped/") ? nil : path == "/old/1" ? "/a/1" : path
    }

    let flow: FlowKind
    let name: String

    init(stringLiteral path: String) {
        let words = path.split(separator: "/")
        flow = FlowKind(String(words[0]))
        name = String(words[1])
    }

    init?(path: String) {
        let words = path.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 3, words[0].isEmpty, !words[1].isEmpty, !words[2].isEmpty else { return nil }
        self.init(stringLiteral: path)
    }

    var path: String { "/\(flow)/\(name)" }
    /// In windows with several panes, each page `full` has all columns, the flow `a` is in the sidebar, and `b` and each
    /// page `list` in the list.
    var paneRole: PaneRole {
        name == "full" ? .full : flow == "a" ? .sidebar : flow == "b" || name == "list" ? .list : .detail
    }
    var screenName: String { Int(name) == nil ? path : "/\(flow)/<n>" }
    var description: String { path }
}

/// An event of a screen. The values of `password` must not be journaled.
enum Signal: NavigationEvent, Equatable {
    case tapped
    case chose(Int)
    case password(String)
}

typealias State = NavigationState<Page>

/// A coordinator whose behavior the test defines.
final class Puppet: Coordinator {
    let flow: Flow<Page, String>
    let script: Script
    /// The outlet of the latest screen.
    private(set) var outlet: Outlet<Signal>?

    init(_ flow: Flow<Page, String>, _ script: Script) {
        self.flow = flow
        self.script = script
    }

    var children: [ChildFlow<Page>] { script.children }
    /// The memory of the flow.
    var memory: String?

    func recall(_ memory: String) { self.memory = memory }
    func question(beforeLeaving routes: [Page]) -> Page? { script.question(routes) }

    func start() {
        script.start(self)
    }

    func eventOccurred(_ event: Signal, in route: Page) {
        script.event(self, event, route)
    }

    func screen(for route: Page, outlet: Outlet<Signal>) async throws -> String {
        self.outlet = outlet
        return "screen of \(route)"
    }
}

/// The behavior of a ``Puppet``.
struct Script {
    var children: [ChildFlow<Page>] = []
    var start: (Puppet) -> Void = { _ in }
    var event: (Puppet, Signal, Page) -> Void = { _, _, _ in }
    var question: ([Page]) -> Page? = { _ in nil }
}

extension ChildFlow<Page> {
    /// Declares a flow driven by a puppet.
    init(
        puppet kind: FlowKind, _ script: Script = Script(),
        ended: @escaping (Outcome<String>) -> [Transition<Page>] = { _ in [] }
    ) {
        self.init(kind, make: { flow in Puppet(flow, script) }, ended: ended)
    }
}

extension NavigationState<Page> {
    /// The stack in the notation of the documentation: `[/a/1, (/a/2 | /b/1*]`.
    var picture: String { picture(of: frames, isShown: true) }

    /// The stacks of all sections in their order: `one [/a/1*], two [/b/1, /b/2]`. Modal frames are at the end.
    var sectionsPicture: String {
        let own = sections.map { section in
            let isShown = section.id == self.section && !frames.contains(where: \.isModal)
            return "\(section.id) \(picture(of: frames(in: section.id), isShown: isShown))"
        }
        let modal = Array(frames.drop { !$0.isModal })
        return (own + (modal.isEmpty ? [] : [picture(of: modal, isShown: true)])).joined(separator: ", ")
    }

    private func picture(of frames: [Frame], isShown: Bool) -> String {
        var text = ""
        for (index, frame) in frames.enumerated() {
            if index > 0 { text += frame.flow == frames[index - 1].flow ? ", " : " | " }
            text += "\(frame.isModal ? "(" : "")\(frame.route)"
        }
        return "[\(text)\(frames.isEmpty || !isShown ? "" : "*")]"
    }
}

/// A box that closures of a test share.
final class Box<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// Lines that several tasks write.
final class Log: Sendable {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock { $0 } }

    func append(_ line: String) {
        written.withLock { $0.append(line) }
    }
}

/// The errors of a state, by the rules for every state that a gate has checked.
func flaws(of state: State, judgedBy gate: Gate<Page>) -> [String] {
    var flaws: [String] = []
    let ids = state.flows.map(\.id)
    if Set(ids).count != ids.count { flaws.append("a flow is not adjacent") }
    let others = gate.sections.filter { $0.id != state.section }.flatMap { state.frames(in: $0.id) }
    let frames = others + state.frames
    if Set(frames.map(\.id)).count != frames.count { flaws.append("a frame is there twice") }
    for flow in state.flows where frames.contains(where: { $0.flow == flow.id && $0.route.flow != flow.kind }) {
        flaws.append("flow \(flow.id) mixes kinds")
    }
    if Set(frames.map(\.flow)) != Set(ids) { flaws.append("the flows are not those of the frames") }
    if state.frames.first?.isModal == true { flaws.append("the lowest frame is modal") }
    if others.contains(where: \.isModal) { flaws.append("a modal frame is in a section that is not selected") }
    if let barred = frames.first(where: { !gate.admits($0.route) }) { flaws.append("\(barred.route) is there") }
    if let deferred = state.deferred {
        if !ids.contains(deferred.entrance) { flaws.append("the target waits for nothing") }
        if deferred.target.routes.isEmpty { flaws.append("the target is empty") }
    }
    if state.subject != gate.subject { flaws.append("the stack belongs to \(state.subject ?? "nobody")") }
    if state.sections != gate.sections { flaws.append("the sections are not those of the gate") }
    if let section = state.section {
        if !gate.sections.contains(where: { $0.id == section }) { flaws.append("\(section) is not declared") }
    } else if !gate.sections.isEmpty {
        flaws.append("no section is selected")
    }
    let again = gate.judging(state)
    if again != state { flaws.append("judging twice is not judging once, but \(again.sectionsPicture), \(again)") }
    return flaws.isEmpty ? [] : flaws + ["\(state)", state.sectionsPicture]
}

/// Returns the saved form of a state.
func encoded(_ state: State) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(state), as: UTF8.self)
}

/// Returns the state with a saved form.
func decoded(_ json: String) throws -> State {
    try JSONDecoder().decode(State.self, from: Data(json.utf8))
}
