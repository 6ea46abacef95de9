import FlowCoordinators

/// A full-screen session: shows the screen on top, turns keys into events, and keeps where one was in each place.
final class ReaderSession {
    /// How a session ended.
    enum End: Hashable, Sendable {
        /// A person left it.
        case quit
        /// The terminal went away, or a signal asked the process to end.
        case closed
    }

    /// A place on the stack and the view of it.
    private struct Entry {
        let path: String
        var state = ViewState()
        /// Nil where it was not on top yet, as beneath a deep link.
        var view: ReaderView?
    }

    private let model: any ReaderModel
    private let terminal: any ReaderTerminal
    private let isColored: Bool
    private let save: ([String: SavedView]) -> Void
    private var stack: [Entry] = []
    /// Views of places that were saved, or were left beneath without a look at them.
    private var saved: [String: SavedView]
    /// What the terminal shows.
    private var shown: Frame?

    /// - Parameters:
    ///   - saved: What was saved when the session was last left, by path.
    ///   - save: Gets what is worth saving whenever that has changed.
    init(
        model: any ReaderModel, terminal: any ReaderTerminal, isColored: Bool, saved: [String: SavedView] = [:],
        save: @escaping ([String: SavedView]) -> Void = { _ in }
    ) {
        self.model = model
        self.terminal = terminal
        self.isColored = isColored
        self.saved = saved
        self.save = save
    }

    /// Runs until a person quits or the terminal closes.
    ///
    /// - Throws: what the model and the terminal throw.
    func run() async throws -> End {
        try await refresh()
        while true {
            try draw()
            noteSaved()
            guard let events = try terminal.nextEvents() else { return .closed }
            for event in events {
                if try await !handle(event) { return .quit }
            }
        }
    }

    /// False when the session is to end.
    private func handle(_ event: InputEvent) async throws -> Bool {
        if case .resize = event {
            rebuild()
            return true
        }
        guard let place = stack.indices.last, let view = stack[place].view else { return false }
        guard let intent = view.handle(event, &stack[place].state) else { return true }
        switch intent {
        case .quit: return false
        case .send(let event):
            try await model.send(event)
            try await refresh()
        case .back:
            guard try await model.back() else { return false }
            try await refresh()
        case .needMoreRows:
            if try await model.loadMoreRows() { try await refresh() }
        case .filtered(let text):
            if try await model.filter(text) { try await refresh() }
        case .edited(let answers):
            if try await model.edit(answers) { try await refresh() }
        case .followLink(let number):
            if try await model.follow(view.links[number - 1]) { try await refresh() }
        case .suspend:
            terminal.suspend()
            shown = nil
            rebuild()
        case .redraw:
            shown = nil
        }
        return true
    }

    /// Takes the screen on top from the model, and the views of the places that are on the stack.
    private func refresh() async throws {
        let screen = try await model.screen()
        let places = model.places
        let kept = zip(stack, places).prefix { $0.path == $1 }.count
        stack.removeLast(stack.count - kept)
        stack += places.dropFirst(kept).map { Entry(path: $0) }
        if stack.isEmpty { stack = [Entry(path: "")] }
        show(screen)
    }

    /// Lays the screen on top out anew, as for another size.
    private func rebuild() {
        if let screen = stack.last?.view?.screen { show(screen) }
    }

    private func show(_ screen: Screen) {
        guard let place = stack.indices.last else { return }
        let before = stack[place].view
        let view = ReaderView(
            screen, size: terminal.size, theme: .named(model.themeName, isColored: isColored),
            isFilteredByModel: model.filtersLists, reusing: before)
        stack[place].view = view
        if before == nil, let saved = saved[stack[place].path] {
            stack[place].state = view.restored(saved)
        } else {
            stack[place].state = view.fitted(stack[place].state, from: before)
        }
    }

    private func draw() throws {
        guard let entry = stack.last, let view = entry.view else { return }
        let frame = view.draw(entry.state)
        let bytes = FrameDiff.bytes(from: shown, to: frame)
        if !bytes.isEmpty { try terminal.write(bytes) }
        shown = frame
    }

    private func noteSaved() {
        var now = saved
        for entry in stack {
            if let view = entry.view?.saved(entry.state) { now[entry.path] = view }
        }
        let paths = Set(stack.map(\.path))
        now = now.filter { paths.contains($0.key) }
        guard now != saved else { return }
        saved = now
        save(now)
    }
}
