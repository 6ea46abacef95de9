/// Decides which places may be on the stack.
///
/// A gate judges *states*, not moves. So a push, a deep link, a restored session, going back, and an expired session
/// all follow the same rule, which cannot be bypassed: after the gate has judged a state, it admits every frame in it.
public struct Gate<R: Route>: Sendable {
    /// The decision of a gate about a place.
    public enum Verdict: Hashable, Sendable {
        /// The place may be on the stack.
        case admitted

        /// The place may be on the stack only after the user has passed these places, such as the login or the second
        /// factor. They are put in its position, lowest first. The flow of the last one holds its place. The list is
        /// empty if the user cannot reach the place.
        case barred(entrance: [R])
    }

    /// The user who is signed in; nil if nobody is signed in.
    public var subject: String?

    /// The stack that is shown instead of an empty stack.
    public var home: [R]

    /// Decides whether a place may be on the stack now, and what the user must pass first if it may not.
    ///
    /// The closure captures who is signed in, so create a new gate for each ``subject``.
    public var judge: @Sendable (R) -> Verdict

    /// Creates a gate. Without `judge`, it admits all places.
    public init(
        subject: String? = nil, home: [R] = [], judge: @escaping @Sendable (R) -> Verdict = { _ in .admitted }
    ) {
        self.subject = subject
        self.home = home
        self.judge = judge
    }

    /// Creates a gate with the same entrance for all places that it does not admit.
    public init(
        subject: String? = nil, entrance: [R], home: [R] = [], admits: @escaping @Sendable (R) -> Bool = { _ in true }
    ) {
        self.init(subject: subject, home: home) { admits($0) ? .admitted : .barred(entrance: entrance) }
    }

    /// Whether a place may be on the stack now.
    public func admits(_ route: R) -> Bool { judge(route) == .admitted }

    /// Returns the state that may be shown instead of the proposed state. If the gate admits the proposed state, the
    /// result is the same state.
    ///
    /// Judging the result again does not change it. The steps are, in order:
    /// 1. If the stack belongs to another subject, it is emptied.
    /// 2. If a target is deferred and its entrance is gone, the target is shown, but only if this subject or nobody
    ///    asked for it, and only if it no longer needs the same entrance. So a user who leaves the login screen does
    ///    not return to the target later.
    /// 3. The lowest frame that is not admitted and all frames above it are removed. The entrance of that frame takes
    ///    their position, except for those of its screens that are there already. The whole stack is deferred for its
    ///    subject.
    /// 4. An empty stack becomes ``home``, or the entrance that home needs.
    ///
    /// If the gate does not admit an entrance either, it is not shown, and the stack may stay empty.
    public func judging(_ proposed: NavigationState<R>) -> NavigationState<R> {
        var state = proposed
        if let owner = proposed.subject, let subject, owner != subject {
            state.frames = []
        }
        state.subject = subject
        resume(&state)
        bar(&state, asker: proposed.subject ?? subject)
        if state.frames.isEmpty { state.show(Target(startingRoutes)) }
        state.tidy()
        return state
    }

    private var startingRoutes: [R] {
        guard let entrance = entrance(to: home) else { return home }
        return entrance.allSatisfy(admits) ? entrance : []
    }

    /// Returns the entrance of the first of these places that is not admitted; nil if all are admitted.
    private func entrance(to routes: some Sequence<R>) -> [R]? {
        for route in routes {
            if case .barred(let entrance) = judge(route) { return entrance }
        }
        return nil
    }

    private func admitted(_ state: NavigationState<R>) -> ArraySlice<NavigationState<R>.Frame> {
        state.frames.prefix { admits($0.route) }
    }

    /// Stops deferring a target whose entrance was left, or will be removed because it is no longer admitted.
    private func resume(_ state: inout NavigationState<R>) {
        guard let deferred = state.deferred,
            !admitted(state).contains(where: { $0.flow == deferred.entrance })
        else { return }
        state.deferred = nil
        state.frames = Array(state.frames.prefix { $0.flow != deferred.entrance })
        guard [nil, subject].contains(deferred.subject) else { return }
        // If the target now needs another entrance, it is shown here and then deferred again behind that entrance.
        if let entrance = entrance(to: deferred.target.routes), entrance.last.map({ $0 == deferred.needed }) ?? true {
            return
        }
        state.show(deferred.target)
    }

    /// Replaces the frames that are not admitted with their entrance, and defers them.
    private func bar(_ state: inout NavigationState<R>, asker: String?) {
        let admitted = admitted(state).count
        guard admitted < state.frames.count, let entrance = entrance(to: state.frames.map { $0.route }) else { return }
        let barred = state.answered.frames.dropFirst(admitted)
        let whole = state
        state.frames.removeSubrange(admitted...)
        // If only a question is not admitted, nothing is deferred: the question belongs to a move.
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

    /// Adds the missing screens of an entrance, and returns the position at which the entrance starts.
    private func lay(_ entrance: [R], on state: inout NavigationState<R>) -> Int {
        let routes = state.frames.map { $0.route }
        let start = routes.indices.first { zip(routes[$0...], entrance).allSatisfy(==) } ?? routes.endIndex
        state.append(Target(entrance).frames.dropFirst(routes.count - start))
        return start
    }
}
