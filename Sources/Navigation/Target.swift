/// The description of a stack to show: its screens, the flow of each, and which of them are modal. It is like a
/// ``NavigationState`` without identities.
///
/// An array of routes is a target. A flow begins wherever ``Route/flow`` changes. Methods add modal screens and other
/// flows:
///
/// ```swift
/// let target: Target<NoteRoute> = [.list, .note(42)]       // [/notes, /notes/42*]
/// target.presenting(.share)                                // [/notes, /notes/42, (/notes/share*]
/// target.beginning(.list)                                  // [/notes, /notes/42 | /notes*]
/// target.in("library")                                     // library [/notes, /notes/42*]
/// ```
public struct Target<R: Route>: Hashable, Sendable {
    /// A screen.
    public struct Frame: Hashable, Sendable {
        /// The place that is shown.
        public let route: R
        /// Whether the screen is modal, so that it can be dismissed with everything above it.
        public let isModal: Bool
        /// Whether a flow begins with this screen.
        public let beginsFlow: Bool
        /// The memory for the coordinator of the flow that begins here.
        let memory: R.Memory?

        init(_ route: R, isModal: Bool = false, beginsFlow: Bool = false, memory: R.Memory? = nil) {
            self.route = route
            self.isModal = isModal
            self.beginsFlow = beginsFlow
            self.memory = memory
        }
    }

    /// The stack of another section.
    struct Other: Hashable, Sendable {
        let section: SectionID
        let frames: [Frame]
    }

    /// The screens, lowest first.
    public private(set) var frames: [Frame] = []

    /// The section that shows the screens; nil for the section that is selected then.
    public internal(set) var section: SectionID?

    /// The stacks of other sections, in a target that a state was turned into.
    var others: [Other] = []

    /// Creates the stack of the given routes, lowest first. A flow opens wherever ``Route/flow`` changes.
    public init(_ routes: [R] = []) {
        for route in routes { add(route) }
    }

    /// The places, lowest first.
    public var routes: [R] { frames.map { $0.route } }

    /// Returns the target with another screen on top. The screen joins the flow on top if the kind is the same.
    public func pushing(_ route: R) -> Target { adding(route) }

    /// Returns the target with a modal screen on top. The screen joins the flow on top if the kind is the same. The
    /// lowest screen is never modal.
    public func presenting(_ route: R) -> Target { adding(route, isModal: true) }

    /// Returns the target with the first screen of a new flow on top, even if the flow beneath is of the same kind.
    public func beginning(_ route: R, modal: Bool = false) -> Target {
        adding(route, isModal: modal, beginsFlow: true)
    }

    /// Returns the same target in a section. When it is shown, that section is selected.
    public func `in`(_ section: SectionID) -> Target {
        var copy = self
        copy.section = section
        return copy
    }

    private func adding(_ route: R, isModal: Bool = false, beginsFlow: Bool = false) -> Target {
        var copy = self
        copy.add(route, isModal: isModal, beginsFlow: beginsFlow)
        return copy
    }

    /// Adds the stacks of a target for other sections, without modal frames, unless this target has a stack for them.
    mutating func add(_ target: Target) {
        let shown = target.section.map { Other(section: $0, frames: Array(target.frames.prefix { !$0.isModal })) }
        let added = [shown].compactMap { $0 } + target.others
        for other in added where other.section != section && !others.contains(where: { $0.section == other.section }) {
            others.append(other)
        }
    }

    mutating func add(_ route: R, isModal: Bool = false, beginsFlow: Bool = false, memory: R.Memory? = nil) {
        frames.append(
            Frame(
                route, isModal: isModal && !frames.isEmpty,
                beginsFlow: beginsFlow || frames.last?.route.flow != route.flow, memory: memory))
    }
}

extension Target: ExpressibleByArrayLiteral {
    /// Creates the stack of the given routes, lowest first.
    public init(arrayLiteral routes: R...) {
        self.init(routes)
    }
}

extension Target: CustomStringConvertible {
    /// The stack in the notation of the documentation, after the name of its section: `[/notes, (/notes/share |
    /// /login*]`.
    public var description: String {
        var text = ""
        for (index, frame) in frames.enumerated() {
            if index > 0 { text += frame.beginsFlow ? " | " : ", " }
            text += (frame.isModal ? "(" : "") + frame.route.path
        }
        return "\(section.map { "\($0) " } ?? "")[\(text)\(frames.isEmpty ? "" : "*")]"
    }
}
