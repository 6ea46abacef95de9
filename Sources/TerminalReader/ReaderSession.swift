public import FlowCoordinators
import Markup
public import Terminal

/// A full-screen session: shows the screen on top, turns keys into events, and keeps where one was in each of what is on the stack.
public final class ReaderSession {
    /// How a session ended.
    public enum End: Hashable, Sendable {
        /// A person left it.
        case quit
        /// The terminal went away, or a signal asked the process to end.
        case closed
    }

    /// An entry of the stack and the view of it.
    private struct Level {
        var entry: StackEntry
        var state = ViewState()
        /// Nil where it was not on top yet, as beneath a deep link.
        var view: ReaderView?
    }

    /// What is saved, to see whether it has changed.
    private struct Progress: Hashable {
        var entries: [StackEntry]
        /// Of the entry on top; those beneath were noted when they were left, and do not change.
        var view: SavedView?
    }

    private let model: any ReaderModel
    private let terminal: any ReaderTerminal
    private let isColored: Bool
    /// Shows what a link leads to outside the library; nil where there is nothing to show it with.
    private let browser: Browser?
    private let words: (any Error) -> String
    private var stack: [Level] = []
    /// What was typed into forms that were left by going back, by the identities of their entries.
    private var drafts: [String: FormState] = [:]
    /// What a list is to be searched for, as soon as nothing more is typed.
    private var search: String?
    /// Whether what comes of a link that was followed is still to be shown.
    private var isFollowing = false
    /// The name of the heading that the link leads to which is followed.
    private var heading: String?
    /// What was typed ahead of what it is about, the first of it first.
    private var ahead: [InputEvent] = []
    /// What the terminal shows.
    private var shown: Frame?
    private var saved: Progress?

    /// How long nothing is done, in milliseconds, before the place is saved: long enough not to write for every key.
    private static let idle: Int32 = 300

    /// How long something goes on, in milliseconds without a key, before it is said: what is done sooner would only flicker.
    private static let patience: Int32 = 100

    /// How many views beneath the top are kept as they are.
    private static let keptViews = 4

    /// A session of a model on a terminal, which is its own as long as it runs.
    ///
    /// - Parameters:
    ///   - model: What is shown.
    ///   - terminal: What it is shown on.
    ///   - isColored: Whether with colours.
    ///   - browser: Shows what a link leads to outside the library; nil where there is nothing to show it with.
    ///   - words: What a person is told of an error.
    public init(
        model: any ReaderModel, terminal: any ReaderTerminal, isColored: Bool, browser: Browser? = nil,
        words: @escaping (any Error) -> String = { "\($0)" }
    ) {
        self.model = model
        self.terminal = terminal
        self.isColored = isColored
        self.browser = browser
        self.words = words
    }

    /// Runs until a person quits or the terminal closes.
    ///
    /// - Parameter screen: the screen on top.
    /// - Throws: what the terminal throws, and `UnsavedError` when the model cannot save the place at the end.
    public func run(showing screen: Screen) async throws -> End {
        model.watch(terminal.wake)
        defer { model.watch(nil) }
        show(screen)
        // Its end may have come before anybody watched.
        if screen.activity != nil { await settle() }
        while true {
            try draw()
            guard let events = try terminal.nextEvents(timeout: timeout) else {
                // There is nobody left to tell.
                try? await save()
                return .closed
            }
            if events.isEmpty {
                await passTime()
            } else if await !handle(events) {
                do {
                    try await save()
                } catch {
                    throw UnsavedError(reason: error)
                }
                return .quit
            }
        }
    }

    /// How long to wait for what a person does next, until there is something to do without it.
    private var timeout: Int32? {
        // What is typed is seen before it is searched, and what is typed meanwhile saves the search.
        if search != nil { return 0 }
        if isActivityUnsaid { return Self.patience }
        return progress == saved ? nil : Self.idle
    }

    private var isActivityUnsaid: Bool {
        stack.last.map { $0.view?.isBusy == true && !$0.state.isActivityShown } ?? false
    }

    /// Does what waits for nothing being typed.
    private func passTime() async {
        if search != nil {
            await runSearch()
        } else if isActivityUnsaid, let top = stack.indices.last {
            stack[top].state.isActivityShown = true
        } else {
            // It is tried again at the next change, and at the end.
            try? await save()
        }
    }

    private var progress: Progress {
        Progress(entries: stack.map(\.entry), view: stack.last.flatMap { $0.view?.saved($0.state) })
    }

    private func save() async throws {
        saved = progress
        note()
        try await model.save()
    }

    /// Takes note of where one is in the entry on top.
    private func note() {
        let progress = progress
        if let entry = progress.entries.last, let view = progress.view { model.note(view, of: entry) }
    }

    /// False when the session is to end.
    private func handle(_ events: [InputEvent]) async -> Bool {
        for event in events {
            if event == .wake {
                await settle()
            } else {
                // Anything but more of the text is about what was found.
                if search != nil, !event.isLetter { await runSearch() }
                if event.givesUp { ahead = [] }
                if waits(event) {
                    ahead.append(event)
                } else if await !heed(event) {
                    return false
                }
            }
            while let event = ahead.first, !mustWait(event) {
                ahead.removeFirst()
                if await !heed(event) { return false }
            }
        }
        return true
    }

    /// Whether an event is typed ahead of what it is about, or after one that is.
    private func waits(_ event: InputEvent) -> Bool { ahead.isEmpty ? mustWait(event) : !event.goesAhead }

    private func mustWait(_ event: InputEvent) -> Bool {
        stack.last.map { $0.view?.waits(for: event, $0.state) == true } ?? false
    }

    /// False when the session is to end.
    private func heed(_ event: InputEvent) async -> Bool {
        guard let step = step(after: event) else { return true }
        return await perform(step)
    }

    /// Shows what has come of what goes on.
    private func settle() async {
        note()
        await model.settle()
        await refresh()
    }

    private func runSearch() async {
        guard let text = search else { return }
        search = nil
        if let top = stack.indices.last { stack[top].state.awaited = .found }
        await attempt { try await model.send(.searched(text)) }
    }

    private func step(after event: InputEvent) -> SessionStep? {
        guard let top = stack.indices.last, let view = stack[top].view else { return .quit }
        if case .resize = event {
            show(view.screen)
            return nil
        }
        return view.handle(event, &stack[top].state)
    }

    /// False when the session is to end.
    private func perform(_ step: SessionStep) async -> Bool {
        switch step {
        case .quit: return false
        case .send(let event):
            // What leads out of the library is opened, as a link is.
            isFollowing = if case .originalChosen = event { true } else { false }
            heading = nil
            await attempt { try await model.send(event) }
        case .search(let text): search = text
        case .back:
            isFollowing = false
            let left = stack.last
            var isBack = true
            await attempt { isBack = try await model.back() }
            if let left { drafts[left.entry.id] = left.view?.draft(left.state) }
            return isBack
        case .follow(let link): await follow(link)
        case .suspend:
            terminal.suspend()
            shown = nil
            if let screen = stack.last?.view?.screen { show(screen) }
        case .redraw:
            shown = nil
            await refresh()
        }
        return true
    }

    /// Does what may fail, and shows what came of it.
    private func attempt(_ work: () async throws -> Void) async {
        note()
        do {
            try await work()
            await refresh()
        } catch {
            say(words(error))
        }
    }

    private func say(_ message: String) {
        guard let top = stack.indices.last else { return }
        stack[top].state.message = message
        stack[top].state.awaited = nil
    }

    /// Asks the library for what a link leads to.
    private func follow(_ link: String) async {
        isFollowing = true
        heading = URLReference(link).fragment.flatMap { $0.isEmpty ? nil : String($0) }
        await attempt { try await model.send(.linkFollowed(link)) }
    }

    /// Shows what a link leads to that leads out of the library.
    private func browse(_ link: String) {
        guard let browser else { return say("\(link) (set BROWSER to a program that opens it)") }
        let isOpened = terminal.lend { browser.open(link) }
        shown = nil
        if let screen = stack.last?.view?.screen { show(screen) }
        say(isOpened ? "opened \(link)" : "\(browser.name) could not open \(link)")
    }

    /// Takes the screen on top from the model.
    private func refresh() async {
        do {
            var screen = try await model.screen()
            let isAnswered = screen.activity == nil
            var outside: String?
            if isFollowing, case .elsewhere(let link)? = screen.notice?.error as? ScreenError,
                Browser.isForBrowser(link)
            {
                (outside, screen.notice) = (link, nil)
            }
            if isAnswered { isFollowing = false }
            show(screen)
            if let outside { browse(outside) }
        } catch {
            // The entry stays, so that going back leads on from it.
            show(Screen(title: "This cannot be shown", content: .menu(text: words(error))))
        }
    }

    /// Lays the screen on top out, and keeps the views of the entries that are still on the stack.
    private func show(_ screen: Screen) {
        let entries = model.stack
        let kept = zip(stack, entries).prefix { $0.entry.id == $1.id }.count
        if kept == 0 { drafts = [:] }
        stack.removeLast(stack.count - kept)
        for (index, entry) in entries.enumerated() {
            if index < kept { stack[index].entry = entry } else { stack.append(Level(entry: entry)) }
        }
        guard let top = stack.indices.last else { return }
        // What was noted of a view is enough to make it anew, and the layout of a long article is large.
        if top >= Self.keptViews { stack[top - Self.keptViews].view = nil }
        let before = stack[top].view
        let view = ReaderView(
            screen, size: terminal.size, theme: Theme(model.appearance, isColored: isColored), isRoot: top == 0,
            reusing: before)
        stack[top].view = view
        if before == nil, let saved = model.view(of: stack[top].entry) {
            stack[top].state = view.restored(saved)
        } else {
            if before == nil, let draft = drafts.removeValue(forKey: stack[top].entry.id) {
                stack[top].state.form = draft
            }
            stack[top].state = view.fitted(stack[top].state, from: before)
        }
        guard screen.activity == nil, let heading else { return }
        self.heading = nil
        if before == nil { view.open(at: heading, &stack[top].state) }
    }

    private func draw() throws {
        guard let level = stack.last, let view = level.view else { return }
        let frame = view.draw(level.state)
        let bytes = FrameDiff.bytes(from: shown, to: frame)
        if !bytes.isEmpty { try terminal.write(bytes) }
        shown = frame
    }
}

extension InputEvent {
    /// Whether it is text, where text is typed.
    fileprivate var isLetter: Bool {
        if case .key(let press) = self, case .character = press.key {
            press.modifiers.isSubset(of: .shift)
        } else {
            false
        }
    }

    /// Whether it takes back what was typed ahead.
    fileprivate var givesUp: Bool { self == .key(.escape) }

    /// Whether it is about the screen as it is, whatever was typed ahead.
    fileprivate var goesAhead: Bool {
        switch self {
        case .key(let press): [.control("c"), .control("l"), .control("z")].contains(press)
        case .paste: false
        case .mouse, .focus, .resize, .redraw, .wake: true
        }
    }
}
