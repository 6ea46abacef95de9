import FlowCoordinators

/// A list: rows in columns that are fitted to the width, one of them selected.
struct ListView: ContentView {
    private let list: List
    private let rows: Range<Int>
    private let width: Int
    /// Whether the model filters: then its rows are those that match.
    private let isFilteredByModel: Bool
    private let columns: [(place: Int, width: Int)]
    private let folded: [FoldedText]

    private static let gap = 2
    /// A column is not made narrower than this while another can be left out.
    private static let narrowest = 10

    init(_ list: List, rows: Range<Int>, width: Int, isFilteredByModel: Bool) {
        self.list = list
        self.rows = rows
        self.width = width
        self.isFilteredByModel = isFilteredByModel
        columns = Self.columns(of: list, width: width - 2)
        folded = isFilteredByModel ? [] : list.rows.map { FoldedText($0.cells.joined(separator: "\n")) }
    }

    /// Which columns are shown, and how wide: those for details only where all fit; where the others do not fit, the last ones give way, but
    /// never the one with the longest texts.
    private static func columns(of list: List, width: Int) -> [(place: Int, width: Int)] {
        let natural = list.columns.indices.map { column in
            list.rows.reduce(list.columns[column].title.displayWidth) { widest, row in
                // No column needs to be wider than the screen.
                column < row.cells.count ? max(widest, min(width, row.cells[column].sanitized().displayWidth)) : widest
            }
        }
        func fits(_ places: [Int], _ widths: (Int) -> Int) -> Bool {
            places.reduce(gap * (places.count - 1)) { $0 + widths($1) } <= width
        }
        var places = Array(list.columns.indices)
        if !fits(places, { natural[$0] }) { places.removeAll { list.columns[$0].use == .detail } }
        let main = places.max { natural[$0] < natural[$1] }
        while places.count > 1, !fits(places, { min(natural[$0], narrowest) }),
            let last = places.lastIndex(where: { $0 != main })
        {
            places.remove(at: last)
        }
        let widths = columnWidths(
            natural: places.map { natural[$0] }, available: width - gap * (places.count - 1), minimum: 1)
        return zip(places, widths).map { (place: $0, width: $1) }
    }

    /// The rows that the filter leaves, by their places.
    private func shown(_ state: ViewState) -> [Int] {
        guard !isFilteredByModel, !state.query.isEmpty else { return Array(list.rows.indices) }
        let query = FoldedText(state.query)
        return list.rows.indices.filter { folded[$0].contains(query) }
    }

    /// The rows beneath the titles of the columns.
    private var body: Range<Int> { min(rows.lowerBound + 1, rows.upperBound)..<rows.upperBound }

    func bindings(_ state: ViewState) -> [KeyBinding] {
        if state.search != nil {
            return .typing("filter the rows") + [
                KeyBinding([KeyPress(.down)], "down", .down), KeyBinding([KeyPress(.up)], "up", .up),
                KeyBinding([KeyPress(.pageDown)], "a page down", .pageDown),
                KeyBinding([KeyPress(.pageUp)], "a page up", .pageUp),
            ]
        }
        var bindings: [KeyBinding] = [KeyBinding([KeyPress(.enter), KeyPress(.right)], "open", .choose, isInBar: true)]
        bindings += .scrolling
        bindings.append(KeyBinding([.letter("/")], "filter", .find, isInBar: true))
        if !state.query.isEmpty {
            bindings.append(KeyBinding([KeyPress(.escape)], "show all rows", .cancel, isInBar: true))
        }
        bindings.append(KeyBinding([.letter("n")], "the next match", .next))
        bindings.append(KeyBinding([.letter("N")], "the match before", .previous))
        return bindings
    }

    func draw(_ state: ViewState, into frame: inout Frame, theme: Theme) {
        let shown = shown(state)
        drawRow(list.columns.map(\.title), at: rows.lowerBound, theme.secondary, into: &frame)
        if shown.isEmpty {
            let text = list.rows.isEmpty ? list.placeholder : "No row matches “\(state.query)”."
            for (place, line) in text.sanitized().wrapped(to: width - 2).prefix(body.count).enumerated() {
                frame.draw(line, theme.secondary, row: body.lowerBound + place, columns: 1..<width)
            }
        }
        for row in body {
            let place = state.top + row - body.lowerBound
            guard shown.indices.contains(place) else { break }
            let isSelected = shown[place] == state.selection
            let style = isSelected ? theme.selection : theme.text
            if isSelected { frame.fill(row: row, columns: 0..<width, style) }
            drawRow(list.rows[shown[place]].cells, at: row, style, into: &frame)
        }
    }

    private func drawRow(_ cells: [String], at row: Int, _ style: Style, into frame: inout Frame) {
        var column = 1
        for (place, width) in columns {
            if place < cells.count {
                frame.draw(
                    cells[place].sanitized().truncated(to: width), style, row: row, columns: column..<column + width)
            }
            column += width + Self.gap
        }
    }

    func perform(_ command: KeyCommand, _ state: inout ViewState) -> Intent? {
        let page = max(1, body.count - 1)
        switch command {
        case .down: return move(&state) { $0 + 1 }
        case .up: return move(&state) { $0 - 1 }
        case .pageDown: return move(&state) { $0 + page }
        case .pageUp: return move(&state) { $0 - page }
        case .halfPageDown: return move(&state) { $0 + max(1, page / 2) }
        case .halfPageUp: return move(&state) { $0 - max(1, page / 2) }
        case .first: return move(&state) { _ in 0 }
        case .last: return move(&state) { _ in .max }
        case .next: return move(&state, wraps: true) { $0 + 1 }
        case .previous: return move(&state, wraps: true) { $0 - 1 }
        case .find:
            state.queryBefore = state.query
            state.search = LineEditor(state.query)
        case .choose:
            if state.search != nil {
                state.search = nil
            } else if shown(state).contains(state.selection), let event = list.rows[state.selection].event {
                return .send(event)
            }
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
        state.rowsWhenAsked = nil
        fit(&state)
        return .filtered(query)
    }

    func click(row: Int, column: Int, _ state: inout ViewState) -> Intent? {
        let shown = shown(state)
        let place = state.top + row - body.lowerBound
        guard row >= body.lowerBound, shown.indices.contains(place) else { return nil }
        // The first click selects, one on the selection opens.
        if state.selection == shown[place] { return list.rows[shown[place]].event.map { .send($0) } }
        return move(&state) { _ in place }
    }

    private func move(_ state: inout ViewState, wraps: Bool = false, _ change: (Int) -> Int) -> Intent? {
        let shown = shown(state)
        guard !shown.isEmpty else { return nil }
        var place = change(shown.firstIndex { $0 >= state.selection } ?? shown.count - 1)
        if wraps { place = (place + shown.count) % shown.count }
        place = max(0, min(place, shown.count - 1))
        state.selection = shown[place]
        state.top = windowTop(state.top, showing: place, height: body.count, count: shown.count)
        guard place + body.count >= shown.count, state.rowsWhenAsked != list.rows.count else { return nil }
        state.rowsWhenAsked = list.rows.count
        return .needMoreRows
    }

    func position(_ state: ViewState) -> String {
        let shown = shown(state)
        var parts: [String] = []
        if let place = shown.firstIndex(of: state.selection) { parts.append("\(place + 1)/\(shown.count)") }
        if let footer = list.footer { parts.append(footer.sanitized()) }
        return parts.joined(separator: " · ")
    }

    func fit(_ state: inout ViewState) {
        let shown = shown(state)
        let place = shown.firstIndex { $0 >= state.selection } ?? max(0, shown.count - 1)
        if shown.indices.contains(place) { state.selection = shown[place] }
        state.top = windowTop(state.top, showing: place, height: body.count, count: shown.count)
    }

    func saved(_ state: ViewState) -> SavedView? {
        SavedView(selection: state.selection, top: state.top, query: state.query)
    }
}
