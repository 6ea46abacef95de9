import ArticleStore
package import FlowCoordinators
import Markup
import Navigation
import Synchronization
package import Terminal
import Text

/// A full-screen session. It shows the screen on top, converts keys to events, and keeps the view of each entry of the
/// stack.
package final class ReaderSession {
    /// The reason why a session ended.
    package enum End: Hashable, Sendable {
        /// The user quit.
        case quit
        /// The terminal was closed, or a signal asked the process to end.
        case closed
    }

    /// An entry of the stack and the view of it.
    struct Level {
        var entry: StackEntry
        var state = ViewState()
        /// Nil if the entry was not shown yet, as below a deep link.
        var view: ReaderView?
        /// The preview of the selected row; nil before it is loaded.
        var preview: Preview?
    }

    /// The identity of a layout.
    fileprivate struct LayoutKey: Hashable {
        var entry: StackEntry
        var size: Size
        var columns: Range<Int>
        var textWidth: TextWidth
    }

    /// The saved values, to notice changes.
    private struct Progress: Hashable {
        var entries: [StackEntry]
        /// The view of the entry on top. Those below were stored when the user left them.
        var view: SavedView?
        var textWidth: TextWidth
        var showsPreview: Bool
    }

    let model: any ReaderModel
    let terminal: any ReaderTerminal
    private let isColored: Bool
    let keys: KeyMap
    /// Opens links to places outside of the library; nil without a browser.
    private let browser: Browser?
    private let tools: ArticleTools?
    private let showsLinks: Bool
    private let words: (any Error) -> String
    private let whileIdle: (@Sendable () async -> Void)?
    /// The idle task; nil before it starts.
    private var chore: Task<Void, Never>?
    /// The entries of the selected section.
    var stack: [Level] = []
    /// The selected section; nil before the login.
    private var section: SectionID?
    /// The entries of the other sections that the user has visited.
    private var parked: [SectionID: [Level]] = [:]
    var sidebar: SidebarLevel?
    /// The pane that the user chose; nil for the pane of the entry on top.
    var chosenPane: Pane?
    /// The panes whose data may be outdated. They are loaded as soon as the user stops pressing keys.
    var outdated: Set<Pane> = [.list, .sidebar]
    /// Whether the list beneath the article must select the article, because the user went to another one.
    var listFollows = false
    /// Whether a list must keep its selection when the article above it closes.
    private var keepsSelection = false
    private var drafts = Drafts()
    /// Whether the user leaves the entry on top. If it is a form, its text was not saved then.
    private var isLeaving = false
    /// The text to search a list for as soon as the user stops typing, and the index of the list in the stack.
    private var search: (text: String, index: Int)?
    /// Whether the target of a followed link is still to be shown.
    private var isFollowing = false
    /// The view whose layout is being completed in the background.
    private var awaitedLayout: LayoutKey?
    private let layouts = Layouts()
    /// The links that a separate browser could not open.
    private let failures = FailedLinks()
    /// The name of the heading to which the followed link leads, and the depth of the stack when it was followed.
    private var heading: (name: String, depth: Int)?
    /// Events that wait for content, oldest first.
    private var ahead: [InputEvent] = []
    /// The frame that the terminal shows.
    private var shown: Frame?
    private var saved: Progress?

    var theme: Theme { Theme(model.appearance, isColored: isColored) }

    /// The time in milliseconds without activity before the place is saved, so that it is not saved after every key.
    private static let idle: Int32 = 300

    /// The time in milliseconds after which running work is shown. Showing shorter work would only flicker.
    private static let patience: Int32 = 100

    /// The number of views below the top that are kept in memory.
    private static let keptViews = 4

    /// Creates a session of a model on a terminal. The session owns the terminal while it runs.
    ///
    /// - Parameters:
    ///   - model: the application.
    ///   - terminal: the terminal to draw on.
    ///   - isColored: whether to use colors.
    ///   - keys: the keys.
    ///   - browser: opens links to places outside of the library; nil without a browser.
    ///   - tools: saves, pipes, and edits articles; nil if that is not available.
    ///   - showsLinks: whether the terminal follows links itself.
    ///   - words: converts an error into a message for the user.
    ///   - whileIdle: work for another thread while no key is pressed. The next key cancels it, and it is started again
    ///     later.
    package init(
        model: any ReaderModel, terminal: any ReaderTerminal, isColored: Bool, keys: KeyMap = KeyMap(),
        browser: Browser? = nil, tools: ArticleTools? = nil, showsLinks: Bool = false,
        words: @escaping (any Error) -> String = { "\($0)" }, whileIdle: (@Sendable () async -> Void)? = nil
    ) {
        self.whileIdle = whileIdle
        self.model = model
        self.terminal = terminal
        self.isColored = isColored
        self.keys = keys
        self.browser = browser
        self.tools = tools
        self.showsLinks = showsLinks
        self.words = words
    }

    /// Runs until the user quits or the terminal closes.
    ///
    /// - Parameter screen: the screen on top.
    /// - Throws: the errors of the terminal; `UnsavedError` if the model cannot save the place at the end.
    package func run(showing screen: Screen) async throws -> End {
        model.watch(terminal.wake)
        defer {
            model.watch(nil)
            chore?.cancel()
        }
        if hasRoomForSidebar { await loadSidebar() }
        show(screen)
        // The work may have ended before the session began to watch.
        if screen.activity != nil { await settle() }
        while true {
            try draw()
            guard let events = try terminal.nextEvents(timeout: timeout) else {
                leave()
                // Ignore the error, because the terminal is gone.
                try? await save()
                return .closed
            }
            if events.isEmpty {
                await passTime()
            } else if await !handle(events) {
                leave()
                do {
                    try await save()
                } catch {
                    throw UnsavedError(reason: error)
                }
                return .quit
            }
        }
    }

    /// The time to wait for input, until there is other work to do.
    private var timeout: Int32? {
        // Draw typed text before searching: further text makes this search unnecessary.
        if search != nil || duePane != nil || duePreview != nil { return 0 }
        if isActivityUnsaid { return Self.patience }
        return progress == saved && (chore != nil || whileIdle == nil) ? nil : Self.idle
    }

    /// The outdated pane to load as soon as the user stops pressing keys.
    private var duePane: Pane? {
        let layout = layout
        if layout.listBeneath != nil, outdated.contains(.list) { return .list }
        return hasRoomForSidebar && outdated.contains(.sidebar) ? .sidebar : nil
    }

    /// The preview to load as soon as the user stops pressing keys.
    private var duePreview: (key: Preview.Key, event: AppEvent)? {
        guard layout.hasPreview, let level = stack.last,
            let row = level.view?.previewedRow(level.state)
        else { return nil }
        let key = Preview.Key(row: row.id, columns: layout.article)
        return level.preview?.key == key ? nil : (key, row.event)
    }

    private var isActivityUnsaid: Bool {
        stack.last.map { $0.view?.isBusy == true && !$0.state.isActivityShown } ?? false
    }

    /// Performs work that was postponed while the user typed.
    private func passTime() async {
        if search != nil {
            await runSearch()
        } else if let pane = duePane {
            outdated.remove(pane)
            if pane == .sidebar { await loadSidebar() } else { await loadListBeneath() }
        } else if let due = duePreview {
            await loadPreview(due.key, of: due.event)
        } else if isActivityUnsaid, let top = stack.indices.last {
            stack[top].state.isActivityShown = true
        } else if progress != saved {
            // It is tried again at the next change and at the end.
            try? await save()
        } else if chore == nil, let whileIdle {
            chore = Task.detached { await whileIdle() }
        }
    }

    private var progress: Progress {
        Progress(
            entries: stack.map(\.entry), view: stack.last.flatMap { $0.view?.saved($0.state) },
            textWidth: model.textWidth, showsPreview: model.showsPreview)
    }

    private func save() async throws {
        saved = progress
        saveView()
        try await model.save()
    }

    /// Stores the view of the entry on top.
    private func saveView() {
        let progress = progress
        if let entry = progress.entries.last, let view = progress.view { model.save(view, of: entry) }
    }

    /// Stores the reading position in the text on top, which the user leaves.
    private func leave() {
        guard let top = stack.last, let position = top.view?.readingPosition(top.state) else { return }
        model.recordReadingPosition(position, in: top.entry)
    }

    /// Returns false if the session must end.
    private func handle(_ events: [InputEvent]) async -> Bool {
        for event in events {
            if event == .wake {
                await settle()
            } else {
                chore?.cancel()
                chore = nil
                // Any key except more search text acts on the results, so run the search first.
                if search != nil, !event.isLetter { await runSearch() }
                if event.givesUp { ahead = [] }
                if waits(event) {
                    ahead.append(event)
                } else if await !handle(event) {
                    return false
                }
            }
            while let event = ahead.first, !mustWait(event) {
                ahead.removeFirst()
                if await !handle(event) { return false }
            }
        }
        return true
    }

    /// Whether an event must wait for its content, or for an earlier event that waits.
    private func waits(_ event: InputEvent) -> Bool { ahead.isEmpty ? mustWait(event) : !event.goesAhead }

    private func mustWait(_ event: InputEvent) -> Bool {
        let (view, state) = content(of: active)
        return view?.waits(for: event, state) == true
    }

    /// Handles an event. Returns false if the session must end.
    private func handle(_ event: InputEvent) async -> Bool {
        guard let top = stack.last, top.view != nil else { return false }
        if case .resize = event {
            layOutAgain()
            return true
        }
        guard let (step, index) = step(after: event) else { return true }
        return await perform(step, at: index)
    }

    /// Shows the results of background work.
    private func settle() async {
        saveView()
        await model.settle()
        await refresh()
        applyLayout()
        if let browser, let link = failures.removeLast() { show(.failure("\(browser.name) could not open \(link)")) }
    }

    private func runSearch() async {
        guard let (text, index) = search else { return }
        search = nil
        if stack.indices.contains(index) { stack[index].state.awaited = .found }
        await send(.searched(text), at: index)
    }

    /// Returns false if the session must end.
    ///
    /// - Parameters:
    ///   - index: the index of the entry whose view requests it.
    ///   - losesText: whether the user has agreed that it loses typed text.
    private func perform(_ step: SessionStep, at index: Int, losesText: Bool = false) async -> Bool {
        switch step {
        case .losingText(let step): return await perform(step, at: index, losesText: true)
        case .quit:
            // Load a screen only if the session goes on.
            if !losesText, (try? model.goToWork()) == true {
                await attempt {}
                return true
            }
            return !(losesText || mayLoseText(step, question: "Quit?"))
        case .send(.logOutChosen) where !(losesText || mayLoseText(step, question: "Log out?")): return true
        case .send(let event):
            // `originalChosen` opens a place outside of the library in the same way as a link.
            isFollowing = if case .originalChosen = event { true } else { false }
            heading = nil
            // After a logout the user is no longer signed in, so leave now.
            if case .logOutChosen = event { leave() }
            await send(event, at: index)
        case .search(let text): search = (text, index)
        case .back:
            isFollowing = false
            var isBack = true
            isLeaving = true
            await attempt { isBack = try await model.back() }
            isLeaving = false
            return isBack
        case .follow(let link): await follow(link)
        case .prompt(let purpose): prompt(purpose)
        case .save(let path, let replaces): save(to: path, replaces: replaces)
        case .pipe(let command): await pipe(to: command)
        case .edit: await edit()
        case .editText(let field, let text): await edit(text, of: field)
        case .copy(let text):
            // Use the clipboard of the terminal (xterm's OSC 52), which works even if the terminal is on another
            // machine.
            let bytes = Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}".utf8)
            do { try terminal.write(bytes) } catch { return true }
            show(.news("copied \(text)"))
        case .setTextWidth(let width):
            model.save(width)
            layOutAgain()
        case .setPreview(let isShown):
            model.save(showsPreview: isShown)
            if isShown, hasRoomForSidebar { await loadSidebar() }
            layOutAgain()
        case .moveFocus(let isBackward): chosenPane = layout.pane(after: focus, isBackward: isBackward)
        case .go(let place):
            isFollowing = false
            heading = nil
            chosenPane = nil
            var isAtTop = false
            isLeaving = true
            await attempt { isAtTop = try await model.go(to: place) }
            isLeaving = false
            guard isAtTop, let top = stack.indices.last,
                let step = stack[top].view?.scrollToTop(&stack[top].state)
            else { return true }
            return await perform(step, at: top)
        case .suspend:
            terminal.suspend()
            shown = nil
            layOutAgain()
            await lookAgain()
        case .lookAgain: await lookAgain()
        case .redraw:
            shown = nil
            await lookAgain()
        }
        return true
    }

    /// Loads the top screen again; a list then shows the changes of other users.
    private func lookAgain() async {
        guard let top = stack.last, case .list? = top.view?.screen.content, top.state.search == nil,
            top.state.awaited == nil
        else { return await refresh() }
        await attempt { try await model.send(.cameBack) }
    }

    /// Sends an event of an entry. If another entry is above it, goes back to it first.
    private func send(_ event: AppEvent, at index: Int) async {
        keepsSelection = index + 1 < stack.count
        await attempt {
            if index + 1 < stack.count, try await !model.back(to: index) { return }
            try await model.send(event)
        }
        keepsSelection = false
    }

    /// Performs work that may fail, and shows the result.
    private func attempt(_ work: () async throws -> Void) async {
        saveView()
        // Messages from here on belong to the current action.
        if let top = stack.indices.last { stack[top].state.noticeRead = nil }
        do {
            try await work()
            await refresh()
        } catch {
            show(.failure(words(error)))
        }
    }

    private func show(_ message: ViewState.Message) {
        changeState(of: active) { state in
            state.message = message
            state.awaited = nil
        }
    }

    /// Asks the library for the target of a link.
    private func follow(_ link: String) async {
        isFollowing = true
        let name = URLReference(link).fragment.flatMap { $0.isEmpty ? nil : String($0) }
        heading = name.map { ($0, stack.count) }
        await attempt { try await model.send(.linkFollowed(link)) }
    }

    /// Returns the shown article and the tools for it. If there are none, it shows a message.
    private func shownArticle() -> (article: Article, tools: ArticleTools)? {
        guard case .article(let article, _)? = stack.last?.view?.screen.model else { return nil }
        guard let tools else {
            show(.failure("Saving, piping, and editing are not available here."))
            return nil
        }
        return (article, tools)
    }

    private func prompt(_ purpose: ViewState.Prompt.Purpose) {
        guard let shown = shownArticle(), let top = stack.indices.last else { return }
        let text = purpose == .save ? shown.tools.fileName(shown.article) : ""
        stack[top].state.prompt = ViewState.Prompt(purpose: purpose, line: LineEditor(text))
    }

    private func save(to path: String, replaces: Bool) {
        guard let shown = shownArticle(), let top = stack.indices.last else { return }
        do {
            if try shown.tools.save(shown.article, path, replaces) { return show(.news("saved to \(path)")) }
            stack[top].state.question = ViewState.Question(
                text: "\(path) already exists. Replace it?", step: .save(path, replaces: true))
        } catch {
            show(.failure(words(error)))
        }
    }

    private func pipe(to command: String) async {
        guard let shown = shownArticle() else { return }
        await lend {
            try shown.tools.pipe(shown.article, command)
            return nil
        }
    }

    private func edit() async {
        guard let shown = shownArticle() else { return }
        do {
            try await model.authorizeEditing()
        } catch {
            await refresh()
            return show(.failure(words(error)))
        }
        await lend { try await shown.tools.edit(shown.article) }
    }

    /// Edits the text of a field in the user's editor.
    private func edit(_ text: String, of field: FieldName) async {
        guard let tools, let top = stack.indices.last else { return show(.failure("No editor is available.")) }
        var (edited, failure): (String?, ViewState.Message?)
        _ = await terminal.lend {
            do {
                edited = try await tools.editText(text)
                return true
            } catch {
                failure = .failure(words(error))
                return false
            }
        }
        shown = nil
        if let edited {
            stack[top].state.form.texts[field] = TextEditor(edited)
            stack[top].state.form.isEdited = true
        }
        layOutAgain()
        if let failure { show(failure) }
    }

    /// Gives the terminal to a program, loads the screen again, and shows the program's result.
    private func lend(_ body: () async throws -> String?) async {
        var message: ViewState.Message?
        _ = await terminal.lend {
            do {
                message = try await body().map { .news($0) }
                return true
            } catch {
                message = .failure(words(error))
                return false
            }
        }
        shown = nil
        await refresh()
        if let message { show(message) }
    }

    /// Opens a link to a place outside of the library.
    private func browse(_ link: String) async {
        guard let browser else { return show(.failure("\(link) (to open links, set BROWSER to a browser)")) }
        guard browser.needsTerminal else {
            let (failures, wake) = (failures, terminal.wake)
            let isStarted = browser.start(link) { isWell in
                if !isWell {
                    failures.add(link)
                    wake()
                }
            }
            return show(isStarted ? .news("opened \(link)") : .failure("\(browser.name) could not open \(link)"))
        }
        let isOpened = await terminal.lend { browser.open(link) }
        shown = nil
        layOutAgain()
        show(isOpened ? .news("opened \(link)") : .failure("\(browser.name) could not open \(link)"))
    }

    /// Loads the screen on top from the model.
    private func refresh() async {
        outdated = [.list, .sidebar]
        if sidebar == nil, hasRoomForSidebar { await loadSidebar() }
        do {
            let screen = try await model.screen()
            var outside: String?
            if isFollowing, case .elsewhere(let link)? = screen.notice?.error as? ArticleError,
                Browser.isForBrowser(link)
            {
                outside = link
            }
            if screen.activity == nil { isFollowing = false }
            show(screen)
            if let outside, let top = stack.indices.last {
                // The model keeps the notice until the next event, so a later refresh would show it.
                stack[top].state.noticeRead = screen.notice?.text
                await browse(outside)
            }
        } catch {
            // Keep the entry on the stack, so that the user can go back from it.
            show(Screen(title: "Cannot show this screen", content: .menu(text: words(error))))
        }
    }

    /// Lays out the panes again for a new size or width.
    private func layOutAgain() {
        outdated = [.list, .sidebar]
        if let sidebar { show(sidebar.sidebar) }
        if let screen = stack.last?.view?.screen { show(screen) }
    }

    /// Lays out the screen on top, and keeps the views of the entries that are still on the stack.
    ///
    /// - Parameter whole: a view of it whose layout is complete.
    func show(_ screen: Screen, with whole: ReaderView? = nil) {
        let entries = model.stack
        let left = stack.last
        let isOtherSection = section != nil && model.state.section.map { $0 != section } ?? false
        if isOtherSection || entries.last?.id != left?.entry.id {
            leave()
            chosenPane = nil
            listFollows = true
        }
        if isOtherSection { exchangeStacks() }
        section = model.state.section
        // A log-out empties the other sections.
        for section in parked.keys where model.state.frames(in: section).isEmpty {
            for level in parked.removeValue(forKey: section) ?? [] { drafts.keep(level, isSaved: false) }
        }
        let kept = zip(stack, entries).prefix { $0.entry.id == $1.id }.count
        let isBack = !isOtherSection && kept == entries.count && kept < stack.count
        // A form of another section was not left by the user just now.
        let isSaved = (isOtherSection || !isLeaving) && model.state.subject != nil && screen.notice?.error == nil
        for level in stack[kept...] { drafts.keep(level, isSaved: isSaved) }
        stack.removeLast(stack.count - kept)
        drafts.update(for: model.state)
        for (index, entry) in entries.enumerated() {
            if index < kept { stack[index].entry = entry } else { stack.append(Level(entry: entry)) }
        }
        guard let top = stack.indices.last else { return }
        // Drop the view but keep its state, because the layout of a long article is large.
        let dropped = top - Self.keptViews
        if dropped >= 0, dropped != layout.listBeneath { stack[dropped].view = nil }
        layOut(screen, at: top, with: whole)
        if let view = stack[top].view {
            if isBack {
                if !keepsSelection { view.comeBack(&stack[top].state) }
                // The preview may be outdated. The article that was left takes its place.
                stack[top].preview = left.flatMap { left in
                    left.view.flatMap { Preview(leaving: $0, left.state, in: layout) }
                }
            }
            if view.isPartial { layOutWhole(view, of: stack[top].entry) }
        }
        if let list = layout.listBeneath, let screen = stack[list].view?.screen { layOut(screen, at: list) }
        openHeading(on: screen)
    }

    /// Keeps the entries of the section that was left, and continues with those of the section that is selected now.
    private func exchangeStacks() {
        if let section { parked[section] = stack }
        stack = model.state.section.flatMap { parked.removeValue(forKey: $0) } ?? []
    }

    /// Returns false, and asks the user, if the step would lose typed text.
    private func mayLoseText(_ step: SessionStep, question: String) -> Bool {
        let forms = model.state.subject == nil ? [] : stack + parked.values.joined()
        let open = forms.lazy.compactMap(\.draft).first(where: \.isUnsaved)
        guard let title = open?.title ?? drafts.title else { return true }
        // A key that is pressed again answers the question.
        if case .losingText? = content(of: active).state.question?.step { return true }
        changeState(of: active) { state in
            state.isHelpShown = false
            state.question = ViewState.Question(
                text: "The text in “\(title)” is not saved. \(question)", step: .losingText(step))
        }
        return false
    }

    /// Whether going back from the lowest entry ends the session.
    var isInFirstSection: Bool { model.state.section == model.state.sections.first?.id }

    /// Lays out the screen of an entry for its pane, and adapts the state of the entry.
    func layOut(_ screen: Screen, at index: Int, with whole: ReaderView? = nil) {
        let before = stack[index].view
        let saved = before == nil ? model.view(of: stack[index].entry) : nil
        let layout = layout
        let isTop = index == stack.count - 1
        let view = ReaderView(
            screen, size: terminal.size, theme: theme, keys: keys, textWidth: model.textWidth,
            isRoot: index == 0 && isTop && isInFirstSection,
            columns: isTop ? layout.topColumns : layout.columns(of: .list),
            panes: paneMode, isWhole: saved.map { $0.top > 0 } ?? (before == nil && screen.readingPosition != nil),
            reusing: whole ?? before)
        stack[index].view = view
        if let saved {
            stack[index].state = view.restored(saved)
        } else {
            if before == nil {
                stack[index].state = view.begun()
                if let draft = drafts.remove(for: stack[index].entry) { stack[index].state.form = draft }
            }
            stack[index].state = view.fitted(stack[index].state, from: before)
        }
    }

    /// Moves to the heading that the followed link names, as soon as its text is laid out.
    private func openHeading(on screen: Screen) {
        guard let heading, let top = stack.indices.last, let view = stack[top].view else { return }
        if stack.count <= heading.depth {
            // The link did not open a new screen, and no work is in progress.
            if screen.activity == nil { self.heading = nil }
        } else if !view.isPartial {
            self.heading = nil
            view.open(at: heading.name, &stack[top].state)
        }
    }

    /// Completes the layout of a long text in the background while the user reads its beginning.
    private func layOutWhole(_ view: ReaderView, of entry: StackEntry) {
        let key = LayoutKey(
            entry: entry, size: view.size, columns: view.columns, textWidth: model.textWidth)
        guard key != awaitedLayout else { return }
        awaitedLayout = key
        let (layouts, wake, textWidth, keys) = (layouts, terminal.wake, model.textWidth, keys)
        Task.detached {
            let whole = ReaderView(
                view.screen, size: view.size, theme: view.theme, keys: keys, textWidth: textWidth,
                columns: view.columns)
            layouts.put(whole, for: key)
            wake()
        }
    }

    private func applyLayout() {
        guard let key = awaitedLayout, let whole = layouts.remove(for: key) else { return }
        awaitedLayout = nil
        guard let top = stack.last, top.entry == key.entry, let view = top.view, view.isPartial else { return }
        show(view.screen, with: whole)
    }

    private func draw() throws {
        let (view, state) = content(of: active)
        guard let view else { return }
        let frame = view.draw(state, in: drawnPanes)
        let bytes = FrameDiff.bytes(from: shown, to: frame, showsLinks: showsLinks)
        if !bytes.isEmpty { try terminal.write(bytes) }
        shown = frame
    }
}

/// Views that were laid out on other threads.
private final class Layouts: Sendable {
    private let views = Mutex<[ReaderSession.LayoutKey: ReaderView]>([:])

    func put(_ view: ReaderView, for key: ReaderSession.LayoutKey) { views.withLock { $0[key] = view } }

    /// Returns the view of a key, if it is complete, and drops all others, because they are no longer needed.
    func remove(for key: ReaderSession.LayoutKey) -> ReaderView? {
        views.withLock { views in
            defer { views = [:] }
            return views[key]
        }
    }
}

/// Links that could not be opened. Any thread may add one.
private final class FailedLinks: Sendable {
    private let links = Mutex<[String]>([])

    func add(_ link: String) { links.withLock { $0.append(link) } }

    /// Returns the last link and drops the others.
    func removeLast() -> String? {
        links.withLock { links in
            defer { links = [] }
            return links.last
        }
    }
}

extension InputEvent {
    /// Whether it types text.
    fileprivate var isLetter: Bool {
        if case .key(let press) = self, case .character = press.key {
            press.modifiers.isSubset(of: .shift)
        } else {
            false
        }
    }

    /// Whether it cancels the waiting events.
    fileprivate var givesUp: Bool { self == .key(.escape) }

    /// Whether it applies to the current screen, whatever other events wait.
    fileprivate var goesAhead: Bool {
        switch self {
        case .key(let press): [.control("c"), .control("l"), .control("z")].contains(press)
        case .paste: false
        case .mouse, .focus, .resize, .redraw, .wake: true
        }
    }
}

/// An error: the place could not be saved when the user left the session.
package struct UnsavedError: Error {
    /// The error that the model threw.
    package let reason: any Error
}
