import ArticleStore
import FlowCoordinators
import Terminal
import Text

/// A screen laid out for a size. It draws itself and interprets keys. It is a value, which is created again when the
/// screen or the size changes.
///
/// The rows are a title, the content, a line for messages, and a bar of keys.
struct ReaderView: Sendable {
    /// The minimum size of the terminal. A smaller one shows only a message.
    static let smallest = Size(columns: 40, rows: 10)

    let screen: Screen
    let size: Size
    let theme: Theme
    /// Whether it is the lowest screen of the first section, so that going back quits.
    private let isRoot: Bool
    private let actions: [Action]
    private let keys: KeyMap
    private let content: any ContentView
    private let textWidth: TextWidth
    /// The columns of its pane.
    let columns: Range<Int>
    private let panes: PaneMode

    /// - Parameters:
    ///   - isRoot: whether it is the lowest screen of the first section, so that going back quits.
    ///   - keys: the keys.
    ///   - textWidth: the width of running text, if there is enough space.
    ///   - columns: the columns of its pane; nil for all columns.
    ///   - panes: whether it is one of several panes.
    ///   - isWhole: whether even a long text is laid out to its end.
    ///   - previous: a view whose layout is reused as far as it is valid.
    init(
        _ screen: Screen, size: Size, theme: Theme, keys: KeyMap = KeyMap(), textWidth: TextWidth = .default,
        isRoot: Bool = false, columns: Range<Int>? = nil, panes: PaneMode = .unavailable, isWhole: Bool = true,
        reusing previous: ReaderView? = nil
    ) {
        // If the terminal is too small, lay out for the minimum size, so that the position is kept.
        let width = columns?.count ?? max(size.columns, Self.smallest.columns)
        let rows = Self.rows(for: size)
        let isBusy = screen.activity != nil
        let content: any ContentView =
            switch screen.content {
            case .menu(let text): MenuView(text: text, actions: screen.actions, rows: rows, width: width)
            case .form(let form):
                FormView(
                    form, actions: screen.actions, notice: screen.notice, isBusy: isBusy, rows: rows, width: width)
            case .list(let list):
                ListView(list, isBusy: isBusy, rows: rows, width: width, after: previous?.content as? ListView)
            case .document(let document):
                DocumentView(
                    title: screen.title, document, isColored: theme.isColored, rows: rows, width: width,
                    textWidth: textWidth, numbered: screen.actions.filter(\.isNumbered), isWhole: isWhole,
                    after: previous?.content as? DocumentView)
            }
        self.init(
            screen, content, size: size, theme: theme, keys: keys, textWidth: textWidth, isRoot: isRoot,
            columns: columns ?? 0..<size.columns, panes: panes)
    }

    /// Creates the view of a sidebar in its columns.
    init(_ sidebar: Sidebar, size: Size, theme: Theme, keys: KeyMap, isRoot: Bool, columns: Range<Int>) {
        self.init(
            Screen(title: "Go to", content: .menu(text: "")),
            SidebarView(sidebar, rows: Self.rows(for: size), width: columns.count), size: size, theme: theme,
            keys: keys, textWidth: .default, isRoot: isRoot, columns: columns, panes: .on)
    }

    private init(
        _ screen: Screen, _ content: any ContentView, size: Size, theme: Theme, keys: KeyMap, textWidth: TextWidth,
        isRoot: Bool, columns: Range<Int>, panes: PaneMode
    ) {
        self.screen = screen
        self.size = size
        self.theme = theme
        self.isRoot = isRoot
        self.keys = keys
        actions = screen.actions
        self.textWidth = textWidth
        self.content = content
        self.columns = columns
        self.panes = panes
    }

    private static func rows(for size: Size) -> Range<Int> { 1..<max(size.rows, smallest.rows) - 2 }

    /// Whether work is in progress on the screen.
    var isBusy: Bool { goesOn != nil }

    /// Whether the layout of a text is incomplete and continues in the background.
    var isPartial: Bool { content.isPartial }

    private var goesOn: String? { screen.activity ?? (isPartial ? "Laying out the text" : nil) }

    private var isTooSmall: Bool { size.columns < Self.smallest.columns || size.rows < Self.smallest.rows }
    private var contentRows: Range<Int> { 1..<max(2, size.rows - 2) }

    /// Returns the state adapted to this view, if it comes from another view of the same place: an earlier screen or
    /// another size.
    func fitted(_ state: ViewState, from previous: ReaderView? = nil) -> ViewState {
        var state = state
        content.fit(&state, from: previous?.content)
        if !isBusy { state.isActivityShown = false }
        return state
    }

    /// Returns a state with the saved values.
    func restored(_ saved: SavedView) -> ViewState {
        var state = ViewState()
        content.restore(saved, &state)
        content.fit(&state, from: nil)
        return state
    }

    /// Returns the initial state: at the position in the text where the user left it.
    func begun() -> ViewState {
        var state = ViewState()
        if let position = screen.readingPosition { content.begin(at: position, &state) }
        return fitted(state)
    }

    /// Returns the reading position in a text, in thousandths; nil if it is unknown or the content is not a text.
    func readingPosition(_ state: ViewState) -> Int? { content.readingPosition(state) }

    /// Moves to the position that the user reached in the screen above.
    func comeBack(_ state: inout ViewState) { content.comeBack(&state) }

    /// Moves to a heading of a text.
    func open(at heading: String, _ state: inout ViewState) { content.open(at: heading, &state) }

    /// Returns the selected row and its event, if it opens an article.
    func previewedRow(_ state: ViewState) -> (id: String, event: AppEvent)? { content.previewedRow(state) }

    /// Whether the help, a question, or an input line receives the keys instead of the content.
    func isCovered(_ state: ViewState) -> Bool {
        state.isHelpShown || state.question != nil || state.prompt != nil || isTooSmall
    }

    /// Whether an event only scrolls the content.
    func scrolls(_ event: InputEvent, _ state: ViewState) -> Bool {
        guard case .key(let press) = event, !isCovered(state), state.search == nil, state.placeBeforeGoing == nil else {
            return false
        }
        return bindings(state).command(for: press)?.isScrolling == true
    }

    /// The texts that the user typed into the form, without secrets; nil if there are none.
    func draft(_ state: ViewState) -> FormState? { content.draft(state) }

    /// Whether the texts of the form, except secrets, are not those of the library.
    func isChanged(_ state: ViewState) -> Bool { content.isChanged(state) }

    /// Whether the texts of the form were sent, and did not change since.
    func isSent(_ state: ViewState) -> Bool { content.isSent(state) }

    /// The part of the state to save.
    func saved(_ state: ViewState) -> SavedView? { content.saved(state) }

    /// Returns the current key bindings. Each key has one meaning.
    func bindings(_ state: ViewState) -> [KeyBinding] {
        if state.isHelpShown {
            let close = [
                KeyBinding(.cancel, "close help", isInBar: true),
                KeyBinding(KeyPurpose.help.standardKeys, "close help", .cancel, purpose: .help),
            ]
            return chosen(close + .scrolling + .everywhere)
        }
        if isTooSmall { return .everywhere }
        if state.question != nil {
            let answers = [KeyBinding(.choose, "yes", isInBar: true), KeyBinding(.cancel, "no", isInBar: true)]
            return chosen(answers + .everywhere)
        }
        if let prompt = state.prompt { return .typing(prompt.words) + .everywhere }
        var bindings = content.bindings(state)
        if state.search == nil {
            if case .article = screen.model { bindings += .article }
            let isTyping = content.isTyping(state)
            if panes != .unavailable, !content.isForTyping {
                bindings.append(KeyBinding(.preview, panes == .on ? "hide the panes" : "show the panes"))
            }
            if panes == .on, !content.isForTyping {
                bindings += [KeyBinding(.nextPane, "the next pane"), KeyBinding(.previousPane, "the previous pane")]
            }
            let quit = KeyBinding(
                KeyPurpose.back.standardKeys.filter { $0.key != .escape }, "quit", .quit, isInBar: true, purpose: .back)
            let back = isRoot && !isTyping ? quit : KeyBinding(.back, "back", isInBar: true, isTyping: isTyping)
            let help = KeyBinding(.help, "help", isInBar: true, isTyping: isTyping)
            // If letters are text, use only the standard keys.
            let map = content.isForTyping ? KeyMap() : keys
            let rest = [back, help] + .everywhere
            let claimed = map.claimed(
                by: (bindings + rest).compactMap(\.purpose) + actions.compactMap(\.purpose.keyPurpose))
            bindings = map.applied(to: bindings, claimed: claimed)
            // A form shows its actions as buttons.
            if !content.isForTyping {
                bindings += .actions(
                    actions, besides: bindings + rest, map: map, claimed: claimed, linkCount: content.linkCount)
            }
            bindings += map.applied(to: rest, claimed: claimed)
        } else {
            bindings += .everywhere
        }
        var taken: Set<KeyPress> = []
        return bindings.compactMap { binding in
            let keys = binding.keys.filter { taken.insert($0).inserted }
            guard !keys.isEmpty || binding.keys.isEmpty else { return nil }
            return binding.with(keys)
        }
    }

    /// Returns bindings with the configured keys, for screens on which letters are not text.
    private func chosen(_ bindings: [KeyBinding]) -> [KeyBinding] {
        keys.applied(to: bindings, claimed: keys.claimed(by: bindings.compactMap(\.purpose)))
    }

    /// Whether an event refers to content that is still loading, so that it must wait.
    func waits(for event: InputEvent, _ state: ViewState) -> Bool {
        guard isBusy, !isCovered(state), case .key(let press) = event else { return false }
        return bindings(state).command(for: press).map { content.waits(for: $0, state) } ?? false
    }

    /// Handles an event: changes the state, and returns a step for the session.
    func handle(_ event: InputEvent, _ state: inout ViewState) -> SessionStep? {
        step(of: intent(of: event, &state), &state)
    }

    /// Scrolls to the top. Returns a step if the first rows must be loaded.
    func scrollToTop(_ state: inout ViewState) -> SessionStep? {
        step(of: content.perform(.first, &state), &state)
    }

    private func step(of intent: Intent?, _ state: inout ViewState) -> SessionStep? {
        switch intent {
        case nil: return nil
        case .perform(let step)?: return step
        case .ask(let text, let event)?:
            state.question = ViewState.Question(text: text, step: .send(event))
            return nil
        }
    }

    private func intent(of event: InputEvent, _ state: inout ViewState) -> Intent? {
        switch event {
        case .key(let press):
            state.message = nil
            state.noticeRead = screen.notice?.text
            let before = state.placeBeforeGoing
            state.placeBeforeGoing = nil
            if let before, !isCovered(state), state.search == nil, let intent = going(to: press) {
                // `g` has gone to the start.
                (state.selection, state.top) = before
                return intent
            }
            guard let command = bindings(state).command(for: press) else {
                if takesLine(event, &state) || isCovered(state) { return nil }
                guard state.search != nil || content.isForTyping else {
                    state.message = unbound(press, state)
                    return nil
                }
                return content.type(event, &state)
            }
            let place = (state.selection, state.top)
            let intent = perform(command, event, &state)
            if command == .first, press == .letter("g") { state.placeBeforeGoing = place }
            return intent
        case .paste:
            if takesLine(event, &state) { return nil }
            return isCovered(state) ? nil : content.type(event, &state)
        case .mouse(let mouse):
            return handle(mouse, &state)
        case .redraw:
            return .perform(.redraw)
        case .focus(true):
            // Do not reload while a question is open or the user types.
            guard case .list = screen.content, !isCovered(state), state.search == nil else { return nil }
            return .perform(.lookAgain)
        case .focus, .resize, .wake:
            return nil
        }
    }

    /// The section or list that a key after `g` opens, as in Miniflux; `nil` if it opens none.
    private func going(to press: KeyPress) -> Intent? {
        guard case .character(let letter) = press.key, press.modifiers.isEmpty else { return nil }
        switch letter {
        case "u": return .perform(.go(AppSection.unread.place))
        case "b": return .perform(.go(AppSection.starred.place))
        case "f": return .perform(.go(AppSection.library.place))
        case "h":
            let read = MarkCondition(isRead: true)
            switch screen.model {
            case .articles: return .send(.marksChosen(read))
            case .article: return .send(.open(.articles(ArticleList(query: ArticleQuery(marks: read)))))
            default: return nil
            }
        default: return nil
        }
    }

    /// The message for a key that does nothing.
    private func unbound(_ press: KeyPress, _ state: ViewState) -> ViewState.Message {
        // An article with a web address binds these keys.
        let needsAddress = [KeyPurpose.copy, .original].contains { (keys[$0] ?? $0.standardKeys).contains(press) }
        if case .article = screen.model, needsAddress { return .failure("This article has no web address.") }
        let help = bindings(state).first { $0.command == .help }?.keys.first.map { "; \($0.name) shows the keys" } ?? ""
        return .failure("\(press.name) does nothing here\(help).")
    }

    /// Passes an event to the input line. Returns false if the line did not handle it.
    private func takesLine(_ event: InputEvent, _ state: inout ViewState) -> Bool {
        guard !isTooSmall, state.question == nil else { return false }
        return state.prompt?.line.handle(event) ?? false
    }

    private func perform(_ command: KeyCommand, _ event: InputEvent, _ state: inout ViewState) -> Intent? {
        switch command {
        case .quit: return .perform(.quit)
        case .suspend: return .perform(.suspend)
        case .redraw: return .perform(.redraw)
        case _ where state.question != nil:
            let question = state.question
            state.question = nil
            return command == .choose ? question.map { .perform($0.step) } : nil
        case _ where state.prompt != nil:
            let step = command == .choose ? state.prompt?.step : nil
            state.prompt = nil
            return step.map { .perform($0) }
        case .save: return .perform(.prompt(.save))
        case .pipe: return .perform(.prompt(.pipe))
        case .edit: return .perform(.edit)
        case .preview: return .perform(.setPreview(panes == .off))
        case .nextPane, .previousPane: return .perform(.moveFocus(isBackward: command == .previousPane))
        case .help:
            state.isHelpShown = true
            state.helpTop = 0
        case _ where state.isHelpShown: scrollHelp(command, &state)
        case .back: return .perform(.back)
        case .action(let index): return actions[index].intent(at: content.chosenRow(state))
        case .digit, .footnote, .type: return content.type(event, &state)
        default: return content.perform(command, &state)
        }
        return nil
    }

    private func handle(_ mouse: Mouse, _ state: inout ViewState) -> Intent? {
        guard !isTooSmall else { return nil }
        switch mouse.kind {
        case .press:
            if mouse.row == size.rows - 1 {
                let clicked = bar(state).first { $0.columns.contains(mouse.column) }
                guard let binding = clicked?.binding else { return nil }
                // Some actions have only a number.
                guard let key = binding.keys.first else { return perform(binding.command, .mouse(mouse), &state) }
                return intent(of: .key(key), &state)
            }
            guard state.question == nil, state.prompt == nil else { return nil }
            if state.isHelpShown {
                state.isHelpShown = false
                return nil
            }
            guard contentRows.contains(mouse.row), columns.contains(mouse.column) else { return nil }
            let column = mouse.column - columns.lowerBound
            state.message = nil
            state.noticeRead = screen.notice?.text
            let orders = content.orders(row: mouse.row, column: column)
            let sort = actions.first { action in orders.contains { action.purpose == .sort($0) } }
            if let sort { return sort.intent(at: content.chosenRow(state)) }
            return content.click(row: mouse.row, column: column, &state)
        case _ where state.question != nil || state.prompt != nil: return nil
        case .wheelUp, .wheelDown:
            let command = mouse.kind == .wheelUp ? KeyCommand.up : .down
            var intent: Intent?
            for _ in 0..<3 {
                intent = perform(command, .mouse(mouse), &state) ?? intent
            }
            return intent
        }
    }

    /// Draws the screen.
    ///
    /// - Parameter panes: all panes, if it is one of several.
    func draw(_ state: ViewState, in panes: [DrawnPane] = []) -> Frame {
        var frame = Frame(size: size, style: theme.text)
        guard !isTooSmall else {
            let text = "The terminal is too small: \(Self.smallest.columns)×\(Self.smallest.rows) is the minimum."
            for (row, line) in text.wrapped(to: size.columns).prefix(size.rows).enumerated() {
                frame.draw(line, theme.text, row: row, columns: 0..<size.columns)
            }
            return frame
        }
        if state.isHelpShown {
            drawTitle("Keys: " + screen.title, helpPosition(state), theme, into: &frame)
            drawHelp(state, into: &frame)
        } else if panes.isEmpty {
            drawPane(state, theme, into: &frame)
        }
        for pane in panes where !state.isHelpShown {
            pane.view?.paste(pane.state, hasFocus: pane.hasFocus, into: &frame)
            guard pane.columns.lowerBound > 0 else { continue }
            for row in 0..<size.rows - 2 {
                let edge = pane.columns.lowerBound - 1..<pane.columns.lowerBound
                frame.draw("│", theme.secondary, row: row, columns: edge)
            }
        }
        drawStatus(state, into: &frame)
        drawBar(state, into: &frame)
        return frame
    }

    /// Draws the title and the content in a frame that has the width of the pane.
    private func drawPane(_ state: ViewState, _ theme: Theme, into frame: inout Frame) {
        drawTitle(screen.title, content.position(state), theme, into: &frame)
        content.draw(state, into: &frame, theme: theme)
    }

    /// Draws the pane at its columns.
    private func paste(_ state: ViewState, hasFocus: Bool, into frame: inout Frame) {
        var pane = Frame(size: Size(columns: columns.count, rows: size.rows), style: theme.text)
        drawPane(state, hasFocus ? theme : theme.withoutFocus, into: &pane)
        // The title of the pane with the focus is a bar.
        if hasFocus { pane.restyle(row: 0, columns: 0..<columns.count) { _ in theme.selection } }
        frame.draw(pane, rows: 0..<size.rows - 2, column: columns.lowerBound)
    }

    private func drawTitle(_ title: String, _ position: String, _ theme: Theme, into frame: inout Frame) {
        let width = frame.size.columns
        let positionStart = width - position.displayWidth - 1
        frame.draw(
            title.sanitized().truncated(to: max(10, positionStart - 3)), theme.title, row: 0, columns: 1..<width - 1)
        frame.draw(position, theme.secondary, row: 0, columns: max(14, positionStart)..<width)
    }

    private func drawStatus(_ state: ViewState, into frame: inout Frame) {
        let row = size.rows - 2
        let typed = state.prompt.map { (label: $0.label, line: $0.line) } ?? state.search.map { (label: "/", line: $0) }
        let search = state.isHelpShown || state.question != nil ? nil : typed
        let said = search == nil ? status(state) : nil
        // Show running work at the right, because it is independent of the message.
        var activity = ""
        if state.isActivityShown, let words = goesOn {
            let isAlone = search == nil && said == nil
            activity = (words.sanitized() + " …").truncated(to: (isAlone ? size.columns : size.columns / 2) - 2)
        }
        let start = size.columns - 1 - activity.displayWidth
        let end = activity.isEmpty ? start : start - 2
        if let search {
            let start = 1 + search.label.count
            let shown = search.line.shown(width: end - start, isSecret: false)
            frame.draw(search.label, theme.accent, row: row, columns: 1..<start)
            frame.draw(
                shown.text, search.line.isSelected ? theme.selection : theme.text, row: row, columns: start..<end)
            frame.cursor = Position(row: row, column: start + shown.cursor)
        } else if let said {
            // A message that is longer than a row covers the rows above.
            let lines = said.text.sanitized().wrapped(to: end - 1).prefix(3)
            for (line, row) in zip(lines, row - lines.count + 1...row) {
                frame.fill(row: row, columns: 0..<size.columns, theme.text)
                frame.draw(line.truncated(to: end - 1), said.style, row: row, columns: 1..<end)
            }
        }
        frame.draw(activity, theme.accent, row: row, columns: start..<size.columns - 1)
    }

    /// The message at the bottom.
    private func status(_ state: ViewState) -> (text: String, style: Style)? {
        if let question = state.question { return (question.text, theme.error) }
        if let message = state.message { return (message.text, message.isFailure ? theme.error : theme.success) }
        if let notice = screen.notice, notice.text != state.noticeRead,
            !content.isForTyping || content.hidesNotice(state)
        {
            return (notice.text, notice.error == nil ? theme.success : theme.error)
        }
        return state.query.isEmpty ? nil : ("/" + state.query, theme.secondary)
    }

    /// Returns the keys that fit into the bar, with their columns.
    private func bar(_ state: ViewState) -> [(binding: KeyBinding, columns: Range<Int>)] {
        let shown = bindings(state).filter(\.isInBar)
        var bar: [(KeyBinding, Range<Int>)] = []
        func width(_ binding: KeyBinding) -> Int {
            binding.shortName.displayWidth + 1 + binding.help.sanitized().displayWidth
        }
        var end = size.columns - 1
        // The keys for leaving and for help are always at the right.
        for binding in shown.reversed() where binding.isWayOut {
            let start = max(1, end - width(binding))
            bar.append((binding, start..<max(start, end)))
            end = start - 2
        }
        var column = 1
        for binding in shown where !binding.isWayOut {
            // A menu shows its actions itself.
            if case .menu = screen.content, case .action = binding.command { continue }
            let next = column + width(binding)
            guard next <= end else { continue }
            bar.append((binding, column..<next))
            column = next + 2
        }
        return bar
    }

    private func drawBar(_ state: ViewState, into frame: inout Frame) {
        let row = size.rows - 1
        for (binding, columns) in bar(state) {
            let next = frame.draw(binding.shortName, theme.accent, row: row, columns: columns)
            frame.draw(
                " " + binding.help.sanitized(), theme.secondary, row: row,
                columns: next..<max(next, columns.upperBound))
        }
    }

    /// Returns the keys of the screen below the help, from the table that handles them, and the keys after `g`.
    private func helpEntries(_ state: ViewState) -> [(keys: String, help: String)] {
        var beneath = state
        beneath.isHelpShown = false
        let bindings = bindings(beneath)
        let goKeys = bindings.command(for: .letter("g")) == .first ? KeyPurpose.goKeys : []
        return bindings.map { ($0.names, $0.help.sanitized()) }
            + goKeys.filter { going(to: .letter($0.key)) != nil }.map { ("g \($0.key)", "go to " + $0.summary) }
    }

    /// Returns the entries of the help, broken to the width.
    private func helpLines(_ state: ViewState) -> [(keys: String, help: String)] {
        let entries = helpEntries(state)
        let keysWidth = helpKeysWidth(entries)
        return entries.flatMap { entry in
            let keys = entry.keys.wrapped(to: keysWidth - 2)
            let help = entry.help.wrapped(to: size.columns - keysWidth - 2)
            return (0..<max(keys.count, help.count, 1)).map { line in
                (line < keys.count ? keys[line] : "", line < help.count ? help[line] : "")
            }
        }
    }

    private func helpKeysWidth(_ entries: [(keys: String, help: String)]) -> Int {
        min((entries.map(\.keys.displayWidth).max() ?? 0) + 2, size.columns / 2)
    }

    /// Returns the visible part of the help, if it does not fit completely.
    private func helpPosition(_ state: ViewState) -> String {
        let count = helpLines(state).count
        guard count > contentRows.count else { return "" }
        let end = min(count, state.helpTop + contentRows.count)
        return (state.helpTop > 0 ? "↑ " : "") + (end < count ? "↓ " : "") + "\(end)/\(count)"
    }

    private func drawHelp(_ state: ViewState, into frame: inout Frame) {
        let keysWidth = helpKeysWidth(helpEntries(state))
        for (row, line) in zip(contentRows, helpLines(state).dropFirst(state.helpTop)) {
            frame.draw(line.keys, theme.accent, row: row, columns: 1..<keysWidth)
            frame.draw(line.help, theme.text, row: row, columns: 1 + keysWidth..<size.columns)
        }
    }

    private func scrollHelp(_ command: KeyCommand, _ state: inout ViewState) {
        let count = helpLines(state).count
        switch command {
        case .down: state.helpTop += 1
        case .up: state.helpTop -= 1
        case .pageDown: state.helpTop += contentRows.count
        case .pageUp: state.helpTop -= contentRows.count
        case .halfPageDown: state.helpTop += contentRows.count / 2
        case .halfPageUp: state.helpTop -= contentRows.count / 2
        case .first: state.helpTop = 0
        case .last: state.helpTop = count
        case .cancel: state.isHelpShown = false
        default: break
        }
        state.helpTop = max(0, min(state.helpTop, count - contentRows.count))
    }
}
