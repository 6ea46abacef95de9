/// Judges which places may be on the stack.
///
/// A gate judges *states*, not moves, so that a push, a deep link, a restored session, going back and an expired session
/// all follow one rule that cannot be bypassed: in a judged state, the gate admits every frame.
public struct Gate<R: Route>: Sendable {
    /// The judgment of a gate on a place.
    public enum Verdict: Hashable, Sendable {
        /// It may be on the stack.
        case admitted

        /// It may not be, before these places were passed: a log-in, a second factor. They are laid where it would be,
        /// lowest first; the flow of the last holds its place. Empty where nothing leads there.
        case barred(entrance: [R])
    }

    /// The user who is signed in; nil for nobody.
    public var subject: String?

    /// The stack that is shown in place of an empty one.
    public var home: [R]

    /// Whether a place may be on the stack now, and what is needed where it may not.
    ///
    /// The closure captures who is signed in, so create a new gate for each ``subject``.
    public var judge: @Sendable (R) -> Verdict

    /// Creates a gate. Without `judge` it is open.
    public init(
        subject: String? = nil, home: [R] = [], judge: @escaping @Sendable (R) -> Verdict = { _ in .admitted }
    ) {
        self.subject = subject
        self.home = home
        self.judge = judge
    }

    /// Creates a gate with one entrance to all that it does not admit.
    public init(
        subject: String? = nil, entrance: [R], home: [R] = [], admits: @escaping @Sendable (R) -> Bool = { _ in true }
    ) {
        self.init(subject: subject, home: home) { admits($0) ? .admitted : .barred(entrance: entrance) }
    }

    /// Whether a place may be on the stack now.
    public func admits(_ route: R) -> Bool { judge(route) == .admitted }

    /// The state that may be shown instead of the proposed one; the proposed one itself where nothing is wrong with it.
    ///
    /// Judging twice is judging once. In order:
    /// 1. The stack of one subject is not shown to another: it is emptied.
    /// 2. A deferred target whose entrance is gone is shown, if it was asked for by this subject or by nobody, unless it
    ///    still needs that same entrance: leaving the log-in forgets where one was going.
    /// 3. The lowest frame that is not admitted and all above it leave. The entrance that it needs takes their place,
    ///    except for what of it is there already, and the whole stack is deferred in the name of whose it was.
    /// 4. An empty stack becomes ``home``, or the entrance that home needs.
    ///
    /// An entrance that is itself not admitted takes no place, and the stack may stay empty.
    public func judging(_ proposed: NavigationState<R>) -> NavigationState<R> {
        var state = proposed
        if let owner = proposed.subject, let subject, owner != subject {
            state.frames = []
        }
        state.subject = subject
        resume(&state)
        bar(&state, asker: proposed.subject ?? subject)
        if state.frames.isEmpty { state.show(Target(whatIsShownFirst)) }
        state.tidy()
        return state
    }

    private var whatIsShownFirst: [R] {
        guard let entrance = entrance(to: home) else { return home }
        return entrance.allSatisfy(admits) ? entrance : []
    }

    /// The entrance that the first inadmissible one of these places needs; nil if all are admitted.
    private func entrance(to routes: some Sequence<R>) -> [R]? {
        for route in routes {
            if case .barred(let entrance) = judge(route) { return entrance }
        }
        return nil
    }

    private func admitted(_ state: NavigationState<R>) -> ArraySlice<NavigationState<R>.Frame> {
        state.frames.prefix { admits($0.route) }
    }

    /// Ends the wait of a target whose entrance has left, or is about to because it is not admitted any more.
    private func resume(_ state: inout NavigationState<R>) {
        guard let deferred = state.deferred,
            !admitted(state).contains(where: { $0.flow == deferred.entrance })
        else { return }
        state.deferred = nil
        state.frames = Array(state.frames.prefix { $0.flow != deferred.entrance })
        guard [nil, subject].contains(deferred.subject) else { return }
        // A target that needs another entrance now is deferred again, behind that entrance.
        if let entrance = entrance(to: deferred.target.routes), entrance.last.map({ $0 == deferred.needed }) ?? true {
            return
        }
        state.show(deferred.target)
    }

    /// Puts the entrance where the frames were that are not admitted, and defers them.
    private func bar(_ state: inout NavigationState<R>, asker: String?) {
        let admitted = admitted(state).count
        guard admitted < state.frames.count, let entrance = entrance(to: state.frames.map { $0.route }) else { return }
        let barred = state.answered.frames.dropFirst(admitted)
        let whole = state
        state.frames.removeSubrange(admitted...)
        // A question is about a move, and does not wait.
        guard !barred.isEmpty else { return }

        let flow: FlowID
        let start: Int
        if let deferred = state.deferred, deferred.needed == entrance.last {
            flow = deferred.entrance
            start = state.frames.firstIndex { $0.flow == flow } ?? admitted
        } else {
            guard let last = entrance.indices.last, entrance.allSatisfy(admits) else { return }
            start = lay(entrance, on: &state)
            flow = state.frames[start + last].flow
        }
        guard let needed = entrance.last else { return }
        let beneath = whole.frames[..<min(start, admitted)].filter { !entrance.contains($0.route) }
        state.deferred = .init(
            target: whole.target(of: beneath + barred), subject: asker, entrance: flow, needed: needed)
    }

    /// Adds what is missing of an entrance, and returns where it starts.
    private func lay(_ entrance: [R], on state: inout NavigationState<R>) -> Int {
        let routes = state.frames.map { $0.route }
        let start = routes.indices.first { zip(routes[$0...], entrance).allSatisfy(==) } ?? routes.endIndex
        state.append(Target(entrance).frames.dropFirst(routes.count - start))
        return start
    }
}
