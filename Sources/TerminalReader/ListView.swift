import ArticleStore
import FlowCoordinators
import Terminal
import Text

/// A list: rows in columns that are fitted to the width. A row is selected.
struct ListView: ContentView {
    private let list: List
    /// The cells of the rows as text.
    private let texts: [[String]]
    /// Whether work is in progress that may bring other rows.
    private let isBusy: Bool
    private let rows: Range<Int>
    private let width: Int
    private let columns: [(index: Int, width: Int)]
    /// The preferred width of each column, including the rows of the previous view, so that columns do not move.
    private let natural: [Int]
    /// The folded texts of the rows, if the view filters them instead of the model.
    private let folded: [String]
    /// The number of terminal lines of a row. If there is enough space, an excerpt is shown below each row.
    private let height: Int

    private static let gap = 2
    /// With fewer lines, rows do not have excerpts.
    private static let linesForExcerpts = 10

    init(_ list: List, isBusy: Bool, rows: Range<Int>, width: Int, after previous: ListView? = nil) {
        self.list = list
        let texts = list.rows.map { $0.cells.map(\.text) }
        self.texts = texts
        self.isBusy = isBusy
        self.rows = rows
        self.width = width
        let before = previous?.list.columns == list.columns ? previous?.natural : nil
        natural = list.columns.indices.map { column in
            texts.reduce(before?[column] ?? list.columns[column].heading.displayWidth) { widest, row in
                column < row.count ? max(widest, row[column].sanitized().displayWidth) : widest
            }
        }
        columns = Self.columns(of: list, texts, natural: natural, width: width - 2)
        let hasExcerpts = list.rows.contains { $0.excerpt != nil }
        height = hasExcerpts && rows.count > Self.linesForExcerpts ? 2 : 1
        folded = list.search != nil ? [] : texts.map { SearchText.fold($0.joined(separator: "\n")) }
    }

    /// A title of this width can be told from others. Beside a narrower one, the view does not show the author and the
    /// reading time, which the article shows too.
    private static let widthOfTitle = 32

    /// Returns the visible columns and their widths.
    private static func columns(
        of list: List, _ texts: [[String]], natural: [Int], width: Int
    ) -> [(index: Int, width: Int)] {
        var shown = list.columns.indices.filter { list.columns[$0].use != nil }
        let main = shown.first { list.columns[$0].role == .primary }
        while true {
            let widths = columns(shown, of: list, texts, natural: natural, width: width)
            guard let main, let title = widths.first(where: { $0.index == main }),
                title.width < min(natural[main], widthOfTitle),
                let next = shown.firstIndex(where: { list.columns[$0].link == .author })
                    ?? shown.firstIndex(where: { list.columns[$0].role == .estimate })
            else { return widths }
            shown.remove(at: next)
        }
    }

    private static func columns(
        _ indices: [Int], of list: List, _ texts: [[String]], natural: [Int], width: Int
    ) -> [(index: Int, width: Int)] {
        let shapes = indices.map { index in
            ColumnShape(
                natural: natural[index], use: list.columns[index].use ?? .shared,
                cells: texts.lazy.filter { index < $0.count }.map { $0[index] })
        }
        // Enough to recognize a row, even in a narrow terminal.
        let minimum = max(width / 3, min(24, width * 2 / 3))
        return columnWidths(shapes, available: width, gap: gap, mainMinimum: minimum).map {
            (indices[$0.index], $0.width)
        }
    }

    /// Returns the indexes of the rows that match the filter.
    private func shown(_ state: ViewState) -> [Int] {
        guard list.search == nil, !state.query.isEmpty else { return Array(list.rows.indices) }
        let query = SearchText.fold(state.query)
        return list.rows.indices.filter { folded[$0].contains(query) }
    }

    /// The lines below the column titles.
    private var body: Range<Int> { min(rows.lowerBound + 1, rows.upperBound)..<rows.upperBound }
    /// The number of visible rows.
    private var capacity: Int { max(1, body.count / height) }

    func bindings(_ state: ViewState) -> [KeyBinding] {
        if state.search != nil {
            return .typing(list.search == nil ? "filter the rows" : "search the list") + [
                KeyBinding(.down, "down", isTyping: true), KeyBinding(.up, "up", isTyping: true),
                KeyBinding(.pageDown, isTyping: true), KeyBinding(.pageUp, isTyping: true),
            ]
        }
        var bindings: [KeyBinding] = []
        if let action = emptyAction {
            bindings.append(KeyBinding(.choose, action.label.lowercased(), isInBar: true))
        } else if !list.rows.isEmpty, let choice = list.choice {
            bindings.append(KeyBinding(.choose, choice.lowercased(), isInBar: true))
        }
        bindings += .scrolling
        bindings.append(KeyBinding(.find, "find", isInBar: true))
        if !state.query.isEmpty { bindings.append(KeyBinding(.cancel, "show all rows", isInBar: true)) }
        bindings += rowActions(state).enumerated().compactMap { index, action in
            action.purpose.keyPurpose.map {
                KeyBinding($0.standardKeys, action.label.lowercased(), .rowAction(index), purpose: $0)
            }
        }
        return bindings + [KeyBinding(.next), KeyBinding(.previous)]
    }

    /// The actions of the selected row.
    private func rowActions(_ state: ViewState) -> [Action] {
        shown(state).contains(state.selection) ? list.rows[state.selection].actions : []
    }

    private var emptyAction: Action? { list.rows.isEmpty ? list.emptyAction : nil }

    func draw(_ state: ViewState, into frame: inout Frame, theme: Theme) {
        let shown = shown(state)
        drawRow(list.columns.map(\.heading), at: rows.lowerBound, theme.secondary, into: &frame)
        if shown.isEmpty {
            let text = list.rows.isEmpty ? list.placeholder : "No row matches “\(state.query)”."
            for (index, line) in text.sanitized().wrapped(to: width - 2).prefix(body.count).enumerated() {
                frame.draw(line, theme.secondary, row: body.lowerBound + index, columns: 1..<width)
            }
        }
        for (place, index) in (state.top..<state.top + capacity).enumerated() where shown.indices.contains(index) {
            let row = body.lowerBound + place * height
            let isSelected = shown[index] == state.selection
            let style = isSelected ? theme.selection : theme.text
            if isSelected {
                for line in row..<row + height { frame.fill(row: line, columns: 0..<width, style) }
            }
            let shownRow = list.rows[shown[index]]
            drawRow(texts[shown[index]], at: row, style, into: &frame)
            if height > 1, let excerpt = shownRow.excerpt {
                draw(excerpt, at: row + 1, isSelected ? style : theme.secondary, theme.match, into: &frame)
            }
        }
    }

    /// Draws an excerpt so that its first match is visible.
    private func draw(
        _ excerpt: MarkedText, at row: Int, _ style: Style, _ match: Style, into frame: inout Frame
    ) {
        let columns = 3..<width - 1
        var column = columns.lowerBound
        for (index, piece) in excerpt.pieces.enumerated() {
            var text = piece.text.sanitized()
            if index == 0, !piece.isMarked, text.displayWidth > columns.count / 2 {
                let end = text.reversed().reduce(into: (text: [Character](), width: 1)) { end, character in
                    end.width += character.displayWidth
                    if end.width <= columns.count / 2 { end.text.append(character) }
                }
                text = "…" + String(end.text.reversed())
            }
            column = frame.draw(
                text, piece.isMarked ? match : style, row: row, columns: column..<columns.upperBound)
        }
    }

    private func drawRow(_ cells: [String], at row: Int, _ style: Style, into frame: inout Frame) {
        var column = 1
        for (index, width) in columns {
            if index < cells.count {
                frame.draw(
                    cells[index].sanitized().truncated(to: width), style, row: row, columns: column..<column + width)
            }
            column += width + Self.gap
        }
    }

    /// Returns the number of rows by which a key moves the selection down.
    private func distance(of command: KeyCommand) -> Int? {
        let page = max(1, capacity - 1)
        return switch command {
        case .down, .next: 1
        case .up, .previous: -1
        case .pageDown: page
        case .pageUp: -page
        case .halfPageDown: max(1, page / 2)
        case .halfPageUp: -max(1, page / 2)
        default: nil
        }
    }

    /// Keys that the user presses while rows are loading refer to those rows, not to the visible ones.
    func waits(for command: KeyCommand, _ state: ViewState) -> Bool {
        guard state.search == nil else { return false }
        switch state.awaited {
        case .found, .first, .last:
            return [.choose, .first, .last].contains(command) || distance(of: command) != nil
        case .earlier, .more:
            guard let distance = distance(of: command) else { return false }
            let shown = shown(state)
            return !shown.indices.contains(index(among: shown, state) + distance)
        case nil:
            return command == .choose
        }
    }

    func perform(_ command: KeyCommand, _ state: inout ViewState) -> Intent? {
        if command == .next || command == .previous, state.query.isEmpty {
            state.message = .nothingSearched
            return nil
        }
        if let distance = distance(of: command) {
            return move(&state, wraps: command == .next || command == .previous) { $0 + distance }
        }
        switch command {
        case .first: return go(to: .first, beyond: list.earlier, &state)
        case .last: return go(to: .last, beyond: list.more, &state)
        case .find:
            state.queryBefore = state.query
            if state.query.isEmpty { state.viewBefore = saved(state) }
            state.search = LineEditor(state.query, isSelected: true)
        case .choose:
            if state.search != nil {
                state.search = nil
            } else if shown(state).contains(state.selection) {
                return list.rows[state.selection].intent
            } else {
                return emptyAction?.intent
            }
        case .rowAction(let index):
            let actions = rowActions(state)
            return actions.indices.contains(index) ? actions[index].intent : nil
        case .cancel:
            let query = state.search == nil ? "" : state.queryBefore
            state.search = nil
            return filter(by: query, &state)
        default: break
        }
        return nil
    }

    func type(_ event: InputEvent, _ state: inout ViewState) -> Intent? {
        guard var line = state.search, line.handle(event) else { return nil }
        state.search = line
        return line.text == state.query ? nil : filter(by: line.text, &state)
    }

    private func filter(by query: String, _ state: inout ViewState) -> Intent? {
        state.query = query
        guard list.search == nil else { return .search(query) }
        fit(&state, from: nil)
        return nil
    }

    func click(row: Int, column: Int, _ state: inout ViewState) -> Intent? {
        let shown = shown(state)
        let index = state.top + (row - body.lowerBound) / height
        guard row >= body.lowerBound, shown.indices.contains(index) else { return nil }
        // The first click selects a row; a click on the selected row opens it.
        if state.selection == shown[index] { return list.rows[shown[index]].intent }
        return move(&state) { _ in index }
    }

    func orders(row: Int, column: Int) -> [ArticleQuery.Sort] {
        guard row == rows.lowerBound else { return [] }
        var end = 1
        let clicked = columns.first { shown in
            end += shown.width + Self.gap
            return column < end
        }
        return clicked.map { list.columns[$0.index].orders } ?? []
    }

    func chosenRow(_ state: ViewState) -> String? {
        shown(state).contains(state.selection) ? list.id(ofRow: state.selection) : nil
    }

    func previewedRow(_ state: ViewState) -> (id: String, event: AppEvent)? {
        guard let id = chosenRow(state), let event = list.rows[state.selection].event else { return nil }
        return (id, event)
    }

    func comeBack(_ state: inout ViewState) {
        let shown = shown(state)
        guard let row = list.current.flatMap(list.index), let index = shown.firstIndex(of: row) else { return }
        state.selection = row
        state.top = windowTop(state.top, showing: index, height: capacity, count: shown.count)
    }

    private func move(_ state: inout ViewState, wraps: Bool = false, _ change: (Int) -> Int) -> Intent? {
        let shown = shown(state)
        guard !shown.isEmpty else { return nil }
        let before = index(among: shown, state)
        var index = change(before)
        if wraps, list.more == nil, list.earlier == nil { index = (index + shown.count) % shown.count }
        index = max(0, min(index, shown.count - 1))
        state.selection = shown[index]
        state.top = windowTop(state.top, showing: index, height: capacity, count: shown.count)
        // Another request would restart the loading.
        guard state.awaited == nil else { return nil }
        // Load the next rows one screen ahead, so that the user need not wait.
        if change(before) > before, index + capacity >= shown.count, let more = list.more {
            state.awaited = .more
            return .send(more.some)
        }
        if change(before) < before, index < capacity, let earlier = list.earlier {
            state.awaited = .earlier
            return .send(earlier.some)
        }
        return nil
    }

    /// Returns the index among the visible rows of the selected row, or of the next one.
    private func index(among shown: [Int], _ state: ViewState) -> Int {
        shown.firstIndex { $0 >= state.selection } ?? max(0, shown.count - 1)
    }

    private func go(to edge: ViewState.Awaited, beyond: List.Beyond?, _ state: inout ViewState) -> Intent? {
        guard let beyond else { return move(&state) { _ in edge == .first ? 0 : .max } }
        state.awaited = edge
        return .send(beyond.last)
    }

    func position(_ state: ViewState) -> String {
        let shown = shown(state)
        guard let index = shown.firstIndex(of: state.selection) else { return "" }
        if shown.count < list.rows.count { return "\(index + 1)/\(shown.count) of \(list.rows.count)" }
        let offset = list.earlier == nil ? 0 : list.offset
        let end = offset.map { $0 + list.rows.count }
        let total = (list.total ?? (list.more == nil ? end : nil)).map { "\($0)" } ?? end.map { "\($0)+" }
        return (offset.map { "\($0 + index + 1)" } ?? "…") + (total.map { "/" + $0 } ?? "")
    }

    func fit(_ state: inout ViewState, from previous: (any ContentView)?) {
        // While the user types or a search runs, the rows still belong to the previous search.
        let isFound = state.search == nil && (state.awaited != .found || !isBusy)
        if isFound, let search = list.search { state.query = search }
        if state.awaited == .first, list.earlier == nil {
            state.selection = 0
            state.awaited = nil
        } else if state.awaited == .last, list.more == nil {
            state.selection = max(0, list.rows.count - 1)
            state.awaited = nil
        } else if isFound, state.query.isEmpty, let before = state.viewBefore {
            restore(before, &state)
        } else if let previous = previous as? ListView {
            follow(from: previous, &state)
        }
        if !isBusy { state.awaited = nil }
        if isFound, state.query.isEmpty { state.viewBefore = nil }
        let shown = shown(state)
        let index = index(among: shown, state)
        if shown.indices.contains(index) { state.selection = shown[index] }
        state.top = windowTop(state.top, showing: index, height: capacity, count: shown.count)
    }

    /// Keeps the selected row, and the rows around it if possible.
    private func follow(from previous: ListView, _ state: inout ViewState) {
        guard let id = previous.list.id(ofRow: state.selection) else { return }
        if let index = list.index(ofRow: id) {
            state.top += index - state.selection
            state.selection = index
        } else if previous.list.rows.first?.id != list.rows.first?.id {
            // It is a different list.
            state.selection = 0
            state.top = 0
        }
    }

    func saved(_ state: ViewState) -> SavedView? {
        SavedView(row: list.id(ofRow: state.selection), selection: state.selection, top: state.top)
    }

    func restore(_ saved: SavedView, _ state: inout ViewState) {
        let index = saved.row.flatMap(list.index) ?? saved.selection
        state.selection = index
        // The saved value may be any number. `fit` corrects it.
        state.top = saved.top &+ index &- saved.selection
    }
}

extension List.Column {
    /// The way in which the column shrinks in a list to choose from; `nil` if the list omits it.
    fileprivate var use: ColumnShape.Use? {
        switch role {
        case .identity, .alias: nil
        case .detail, .origin, .labels: .optional
        case .estimate, .mark: .exact
        case .fact: .shared
        case .primary: .main
        }
    }

    /// The title as the view shows it.
    fileprivate var heading: String { title.uppercased() }
}

extension List {
    fileprivate func id(ofRow index: Int) -> String? { rows.indices.contains(index) ? rows[index].id : nil }

    fileprivate func index(ofRow id: String) -> Int? { rows.firstIndex { $0.id == id } }
}

extension List.Row {
    fileprivate var intent: Intent? { event.map { event in confirmation.map { .ask($0, event) } ?? .send(event) } }
}

extension Action {
    /// The intent of the action.
    var intent: Intent { intent(at: nil) }

    /// Returns the intent of the action for a selected row.
    func intent(at row: String?) -> Intent {
        let event = row.flatMap { eventAtRow?($0) } ?? event
        return confirmation.map { .ask($0, event) } ?? .send(event)
    }
}
