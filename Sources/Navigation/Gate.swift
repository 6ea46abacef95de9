/// Judges which places may be on the stack.
///
/// A gate judges *states*, not moves, so that a push, a deep link, a restored session, going back and an expired session
/// are all held to one rule, and there is no way round it: a judged state has no frame the gate does not admit.
public struct Gate<R: Route>: Sendable {
    /// Who is signed in, nil for nobody.
    public var subject: String?

    /// The stack that takes the place of what is not admitted, usually the log-in. Its last flow holds the place.
    public var entrance: [R]

    /// What is shown when the stack would be empty.
    public var home: [R]

    /// Whether a place may be on the stack now.
    ///
    /// It knows who is signed in by what it captures, so a gate is best made anew, whole, for each ``subject``.
    public var admits: @Sendable (R) -> Bool

    /// Creates a gate. Without `admits` it is open.
    public init(
        subject: String? = nil, entrance: [R] = [], home: [R] = [],
        admits: @escaping @Sendable (R) -> Bool = { _ in true }
    ) {
        self.subject = subject
        self.entrance = entrance
        self.home = home
        self.admits = admits
    }

    /// The state that may be shown instead of the proposed one; the proposed one itself where nothing is wrong with it.
    ///
    /// Judging twice is judging once. In order:
    /// 1. The stack of one subject is not shown to another: it is emptied.
    /// 2. A deferred target whose entrance is gone is shown, if all of it is admitted by then and it was asked for
    ///    by this subject or by nobody. Otherwise it is forgotten: leaving the log-in forgets where one was going.
    /// 3. The lowest frame that is not admitted and all above it leave. The entrance takes their place, except for
    ///    what of it is there already, and the whole stack is deferred in the name of whose it was.
    /// 4. An empty stack becomes ``home``; where that is not admitted, the ``entrance``.
    ///
    /// With a home or entrance that is itself not admitted, nothing takes that place, and the stack may stay empty.
    public func judging(_ proposed: NavigationState<R>) -> NavigationState<R> {
        var state = proposed
        if let owner = proposed.subject, let subject, owner != subject {
            state.frames = []
        }
        state.subject = subject
        resume(&state)
        bar(&state, asker: proposed.subject ?? subject)
        if state.frames.isEmpty {
            state.show([home, entrance].first { !$0.isEmpty && $0.allSatisfy(admits) } ?? [])
        }
        return state
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
        if [nil, subject].contains(deferred.subject), deferred.routes.allSatisfy(admits) {
            state.show(deferred.routes)
        }
    }

    /// Puts the entrance where the frames were that are not admitted, and defers them.
    private func bar(_ state: inout NavigationState<R>, asker: String?) {
        let admitted = admitted(state).count
        guard admitted < state.frames.count else { return }
        let barred = state.frames[admitted...].map(\.route)
        state.frames.removeSubrange(admitted...)

        let flow: FlowID
        let start: Int
        if let deferred = state.deferred {
            flow = deferred.entrance
            start = state.frames.firstIndex { $0.flow == flow } ?? admitted
        } else {
            guard let last = entrance.indices.last, entrance.allSatisfy(admits) else { return }
            start = lay(on: &state)
            flow = state.frames[start + last].flow
        }
        let beneath = state.frames[..<start].map(\.route).filter { !entrance.contains($0) }
        state.deferred = .init(routes: beneath + barred, subject: asker, entrance: flow)
    }

    /// Adds what is missing of the entrance, and returns where the entrance starts.
    private func lay(on state: inout NavigationState<R>) -> Int {
        let routes = state.frames.map(\.route)
        let start = routes.indices.first { zip(routes[$0...], entrance).allSatisfy(==) } ?? routes.endIndex
        var missing = entrance.dropFirst(routes.count - start)
        if start == routes.endIndex, let first = missing.popFirst() {
            state.append(first, in: state.openFlow())
        }
        state.append(missing)
        return start
    }
}
