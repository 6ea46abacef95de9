// The stacks of the sections. Without sections, ``frames`` is the only stack, and nothing here allocates memory.
extension NavigationState {
    /// Returns the stack of a section, lowest frame first; empty if the section was not shown yet. Modal frames belong
    /// to no section.
    public func frames(in section: SectionID) -> [Frame] {
        section == self.section
            ? Array(ownFrames) : parked.first { $0.section == section }.map { $0.frames } ?? []
    }

    /// The frame of an identity, in any section; nil if it is not there.
    public func frame(_ id: FrameID) -> Frame? {
        frames.first { $0.id == id } ?? parked.lazy.flatMap { $0.frames }.first { $0.id == id }
    }

    /// The topmost frame of a flow, in any section; nil if the flow is not open.
    func topFrame(of flow: FlowID) -> Frame? {
        frames.last { $0.flow == flow } ?? parked.lazy.flatMap { $0.frames }.last { $0.flow == flow }
    }

    /// The frames of all sections. Those of ``frames`` come last.
    public var allFrames: [Frame] { parked.isEmpty ? frames : parked.flatMap { $0.frames } + frames }

    /// The frames of the selected section: those beneath modal frames and a question.
    var ownFrames: ArraySlice<Frame> { frames.prefix { !$0.isModal && (question == nil || $0.flow != question) } }

    /// The move for going back at the root of a section; nil if there is none.
    func moveAtRoot(_ policy: BackAtRoot) -> Transition<R>? {
        switch policy {
        case .leave: nil
        case .firstSection: sections.first.flatMap { $0.id == section ? nil : .select($0.id) }
        case .history: history.isEmpty ? nil : .selectPrevious
        }
    }

    /// Shows the stack of a section. Modal frames are removed, because they belong to what was shown before.
    mutating func select(_ id: SectionID) {
        guard id != section else { return }
        history.removeAll { $0 == id || $0 == section }
        if let section { history.append(section) }
        exchange(for: id)
    }

    /// Shows the stack of a section, and forgets that it was selected before.
    mutating func returnToSection(_ id: SectionID) {
        history.removeAll { $0 == id }
        exchange(for: id)
    }

    /// Shows the stack of a section instead of that of another section, whose frames are removed.
    mutating func returnToSection(_ id: SectionID, discarding other: SectionID) {
        returnToSection(id)
        setFrames([], in: other)
    }

    private mutating func exchange(for id: SectionID) {
        let next = frames(in: id)
        if let section { setFrames(Array(ownFrames), in: section) }
        frames = next
        section = id
        parked.removeAll { $0.section == id }
    }

    /// Shows the home of the selected section, if its stack is empty.
    mutating func showHomeIfEmpty() {
        if let section { showHomeIfEmpty(of: section) }
    }

    private mutating func showHomeIfEmpty(of id: SectionID) {
        guard frames.isEmpty, let home = sections.first(where: { $0.id == id })?.home else { return }
        showFrames(Target(home).frames[...])
    }

    /// Removes all frames of all sections. No section is selected then.
    mutating func removeAllFrames() {
        frames = []
        parked = []
        history = []
        section = nil
    }

    /// Removes the first frame of a flow and all frames above it, if the flow is open.
    mutating func removeFrames(from flow: FlowID) {
        guard let first = allFrames.first(where: { $0.flow == flow }) else { return }
        changeStack(of: first.id) { frames, index in frames.removeSubrange(index...) }
    }

    private mutating func setFrames(_ frames: [Frame], in id: SectionID) {
        parked.removeAll { $0.section == id }
        guard !frames.isEmpty else { return }
        // Sort by name, so that states with the same stacks are equal.
        let index = parked.firstIndex { $0.section.name > id.name } ?? parked.endIndex
        parked.insert(Parked(section: id, frames: frames), at: index)
    }

    /// Changes the stack that contains a frame. The closure receives the stack and the position of the frame.
    mutating func changeStack(of id: FrameID, _ change: (inout [Frame], Int) -> Void) {
        if let index = frames.firstIndex(where: { $0.id == id }) {
            change(&frames, index)
        } else if let part = parked.first(where: { $0.frames.contains { $0.id == id } }),
            let index = part.frames.firstIndex(where: { $0.id == id })
        {
            var frames = part.frames
            change(&frames, index)
            setFrames(frames, in: part.section)
        }
    }

    /// Changes the stack of a section as if the section were selected.
    private mutating func withStack(of id: SectionID, _ change: (inout Self) -> Void) {
        guard id != section else { return change(&self) }
        let shown = frames
        frames = frames(in: id)
        change(&self)
        setFrames(frames, in: id)
        frames = shown
    }

    /// Shows the stack of a section that is not selected, without selecting it. Modal frames are left out.
    mutating func showBehind(_ other: Target<R>.Other) {
        guard other.section != section else { return }
        withStack(of: other.section) { $0.showFrames(other.frames.prefix { !$0.isModal }) }
    }

    /// Moves a frame and those above it to the top of another section. No frame may be modal.
    mutating func move(_ frame: FrameID, to section: SectionID) {
        guard !frames(in: section).contains(where: { $0.id == frame }) else { return }
        var moving: ArraySlice<Frame> = []
        var isWholeFlow = true
        changeStack(of: frame) { frames, index in
            moving = frames[index...]
            isWholeFlow = index == 0 || frames[index - 1].flow != frames[index].flow
            frames.removeSubrange(index...)
        }
        withStack(of: section) { state in
            state.showHomeIfEmpty(of: section)
            guard let first = moving.first else { return }
            var flow = first.flow
            if !isWholeFlow {
                flow = state.top.flatMap { $0.route.flow == first.route.flow ? $0.flow : nil } ?? state.openFlow()
            }
            state.frames += moving.map { moved in
                guard moved.flow == first.flow else { return moved }
                return Frame(id: moved.id, route: moved.route, flow: flow, isModal: false)
            }
        }
    }
}
