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

    /// The stack that is shown instead of an empty stack. With ``sections``, it is the home of the selected section that
    /// counts.
    public var home: [R]

    /// The sections in their order; empty for an application with a single stack.
    public var sections: [NavigationSection<R>]

    /// The effect of ``Navigator/back()`` at the root of a section.
    public var backAtRoot: BackAtRoot

    /// Decides whether a place may be on the stack now, and what the user must pass first if it may not.
    ///
    /// The closure captures who is signed in, so create a new gate for each ``subject``.
    public var judge: @Sendable (R) -> Verdict

    /// Creates a gate. Without `judge`, it admits all places.
    public init(
        subject: String? = nil, home: [R] = [], sections: [NavigationSection<R>] = [],
        backAtRoot: BackAtRoot = .leave, judge: @escaping @Sendable (R) -> Verdict = { _ in .admitted }
    ) {
        self.subject = subject
        self.home = home
        self.sections = sections
        self.backAtRoot = backAtRoot
        self.judge = judge
    }

    /// Creates a gate with the same entrance for all places that it does not admit.
    public init(
        subject: String? = nil, entrance: [R], home: [R] = [], sections: [NavigationSection<R>] = [],
        backAtRoot: BackAtRoot = .leave, admits: @escaping @Sendable (R) -> Bool = { _ in true }
    ) {
        self.init(subject: subject, home: home, sections: sections, backAtRoot: backAtRoot) {
            admits($0) ? .admitted : .barred(entrance: entrance)
        }
    }

    /// Whether a place may be on the stack now.
    public func admits(_ route: R) -> Bool { judge(route) == .admitted }

    /// Returns the state that may be shown instead of the proposed state. If the gate admits the proposed state, the
    /// result is the same state.
    ///
    /// Judging the result again does not change it. The steps are, in order:
    /// 1. If the stack belongs to another subject, it is emptied, in all sections.
    /// 2. The state gets the ``sections`` of the gate. A section that the gate does not declare is removed. If it was
    ///    selected, the first section is selected.
    /// 3. If a target is deferred and its entrance is gone, the target is shown, but only if this subject or nobody
    ///    asked for it, and only if it no longer needs the same entrance. So a user who leaves the login screen does
    ///    not return to the target later. If no section is selected, that of the target is. If the user has selected
    ///    another section than that of the target, the target is put into its section, and the selected section stays
    ///    selected.
    /// 4. In each section that is not selected, the lowest frame that is not admitted and all frames above it are
    ///    removed. If the subject has left, or the gate does not declare sections, all their frames are removed.
    /// 5. The lowest frame on the stack that is not admitted and all frames above it are removed. The entrance of that
    ///    frame takes their position, except for those of its screens that are there already. The whole stack is
    ///    deferred for its subject, with its section and the stacks of the sections that lost frames in step 4.
    /// 6. An empty stack becomes ``home``, or the entrance that home needs.
    ///
    /// If the gate does not admit an entrance either, it is not shown, and the stack may stay empty.
    public func judging(_ proposed: NavigationState<R>) -> NavigationState<R> {
        var state = proposed
        let isLeft = proposed.subject != nil && proposed.subject != subject
        if isLeft, subject != nil { state.removeAllFrames() }
        state.subject = subject
        arrange(&state)
        resume(&state)
        selectSection(of: &state)
        bar(&state, asker: proposed.subject ?? subject, closesOthers: isLeft || sections.isEmpty)
        if sections.isEmpty {
            state.section = nil
            state.history = []
        }
        if state.frames.isEmpty { state.showFrames(Target(startingRoutes(in: state.section)).frames[...]) }
        state.tidy()
        return state
    }

    private func startingRoutes(in section: SectionID?) -> [R] {
        let home = section.flatMap { section in sections.first { $0.id == section }?.home } ?? home
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

    private func admitted(_ frames: [NavigationState<R>.Frame]) -> ArraySlice<NavigationState<R>.Frame> {
        frames.prefix { admits($0.route) }
    }

    private func declares(_ section: SectionID) -> Bool { sections.contains { $0.id == section } }

    /// Gives the state the sections of the gate.
    private func arrange(_ state: inout NavigationState<R>) {
        state.sections = sections
        // Without sections, the other stacks are removed later, because they may have to wait behind an entrance.
        guard let first = sections.first?.id else { return }
        state.parked.removeAll { !declares($0.section) }
        state.history.removeAll { !declares($0) }
        if let section = state.section, !declares(section) { state.returnToSection(first, discarding: section) }
    }

    /// Selects the section of a target that still waits, or the first one, if no section is selected.
    private func selectSection(of state: inout NavigationState<R>) {
        guard state.section == nil else { return }
        // Another subject does not get the target, so its section does not count either.
        let waiting = state.deferred.flatMap { [nil, subject].contains($0.subject) ? $0.target.section : nil }
        state.section = waiting.flatMap { declares($0) ? $0 : nil } ?? sections.first?.id
    }

    /// Stops deferring a target whose entrance was left, or will be removed because it is no longer admitted.
    private func resume(_ state: inout NavigationState<R>) {
        guard let deferred = state.deferred else { return }
        func isOpen(in frames: [NavigationState<R>.Frame]) -> Bool {
            admitted(frames).contains { $0.flow == deferred.entrance }
        }
        guard !isOpen(in: state.frames), !state.parked.contains(where: { isOpen(in: $0.frames) }) else { return }
        state.deferred = nil
        state.removeFrames(from: deferred.entrance)
        guard [nil, subject].contains(deferred.subject) else { return }
        // If the target now needs another entrance, it is shown here and then deferred again behind that entrance.
        if let entrance = entrance(to: deferred.target.routes), entrance.last.map({ $0 == deferred.needed }) ?? true {
            return
        }
        var target = deferred.target
        target.others.removeAll { !declares($0.section) }
        guard let section = target.section, !sections.isEmpty else {
            target.section = nil
            return state.show(target)
        }
        if state.section.map({ $0 == section }) ?? declares(section) { return state.show(target) }
        target.others.insert(.init(section: section, frames: target.frames), at: 0)
        for other in target.others where declares(other.section) { state.showBehind(other) }
    }

    /// Replaces the frames that are not admitted with their entrance, and defers them.
    private func bar(_ state: inout NavigationState<R>, asker: String?, closesOthers: Bool) {
        let whole = state
        let lost = state.parked.isEmpty ? [] : barOthers(&state, closesOthers: closesOthers)
        let displaced = state.deferred.flatMap { deferred in
            state.frames.contains { $0.flow == deferred.entrance } ? nil : deferred
        }
        defer {
            // The entrance of a target that waits in another section may be closed together with that section.
            if let deferred = state.deferred, !state.allFrames.contains(where: { $0.flow == deferred.entrance }) {
                state.deferred = nil
            }
        }
        let admitted = admitted(state.frames).count
        guard admitted < state.frames.count, let entrance = entrance(to: state.frames.map { $0.route }) else { return }
        let barred = state.answered.frames.dropFirst(admitted)
        state.frames.removeSubrange(admitted...)
        // If only a question is not admitted, nothing is deferred: the question belongs to a move.
        guard !barred.isEmpty else { return }

        let flow: FlowID
        let start: Int
        if let deferred = state.deferred, displaced == nil, deferred.needed == entrance.last {
            flow = deferred.entrance
            start = state.frames.firstIndex { $0.flow == flow } ?? admitted
        } else {
            guard let last = entrance.indices.last, entrance.allSatisfy(admits) else { return }
            start = lay(entrance, on: &state)
            flow = state.frames[start + last].flow
        }
        guard let needed = entrance.last else { return }
        let beneath = whole.frames[..<min(start, admitted)].filter { !entrance.contains($0.route) }
        var target = whole.target(of: beneath + barred)
        target.section = whole.section
        target.others = lost.map { .init(section: $0.section, frames: whole.target(of: $0.frames).frames) }
        if let earlier = displaced, [nil, asker].contains(earlier.subject) {
            // An earlier target waits behind an entrance in another section. Now both wait behind this entrance.
            target.add(earlier.target)
            state.removeFrames(from: earlier.entrance)
        }
        state.deferred = .init(target: target, subject: asker, entrance: flow, needed: needed)
    }

    /// Removes the frames that are not admitted from the sections that are not selected.
    ///
    /// - Returns: the stacks that have lost frames, as they were.
    private func barOthers(
        _ state: inout NavigationState<R>, closesOthers: Bool
    ) -> [NavigationState<R>.Parked] {
        var lost: [NavigationState<R>.Parked] = []
        state.parked = state.parked.compactMap { part in
            let admitted = closesOthers ? [] : admitted(part.frames)
            if admitted.count < part.frames.count { lost.append(part) }
            return admitted.isEmpty ? nil : .init(section: part.section, frames: Array(admitted))
        }
        return lost
    }

    /// Adds the missing screens of an entrance, and returns the position at which the entrance starts.
    private func lay(_ entrance: [R], on state: inout NavigationState<R>) -> Int {
        let routes = state.frames.map { $0.route }
        let start = routes.indices.first { zip(routes[$0...], entrance).allSatisfy(==) } ?? routes.endIndex
        state.append(Target(entrance).frames.dropFirst(routes.count - start))
        return start
    }
}
