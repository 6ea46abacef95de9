import FlowCoordinators
import Terminal
import Text

/// The sidebar: groups of places to go to, each with a number.
struct SidebarView: ContentView {
    /// A row: the title of a group, a place, or a blank row between groups.
    private enum Line {
        case heading(String)
        case place(Int)
        case blank
    }

    private let entries: [Sidebar.Entry]
    private let lines: [Line]
    private let rows: Range<Int>
    private let width: Int

    init(_ sidebar: Sidebar, rows: Range<Int>, width: Int) {
        var (entries, lines): ([Sidebar.Entry], [Line]) = ([], [])
        for group in sidebar.groups where !group.entries.isEmpty {
            if !lines.isEmpty { lines.append(.blank) }
            if let title = group.title { lines.append(.heading(title)) }
            lines += (entries.count..<entries.count + group.entries.count).map { .place($0) }
            entries += group.entries
        }
        self.entries = entries
        self.lines = lines
        self.rows = rows
        self.width = width
    }

    /// Returns the line of a place.
    private func line(of place: Int) -> Int {
        lines.firstIndex { if case .place(place) = $0 { true } else { false } } ?? 0
    }

    func bindings(_ state: ViewState) -> [KeyBinding] {
        [KeyBinding(.choose, "open", isInBar: true)] + .scrolling
    }

    func draw(_ state: ViewState, into frame: inout Frame, theme: Theme) {
        for (row, line) in zip(rows, lines.dropFirst(state.top)) {
            switch line {
            case .blank: break
            case .heading(let title):
                frame.draw(
                    title.uppercased().sanitized().truncated(to: width - 2), theme.secondary, row: row,
                    columns: 1..<width)
            case .place(let index): draw(entries[index], isSelected: index == state.selection, theme, at: row, &frame)
            }
        }
    }

    private func draw(
        _ entry: Sidebar.Entry, isSelected: Bool, _ theme: Theme, at row: Int, _ frame: inout Frame
    ) {
        let style = isSelected ? theme.selection : theme.text
        if isSelected { frame.fill(row: row, columns: 0..<width, style) }
        let count = entry.count.map { $0 == 0 ? "" : "\($0)" } ?? ""
        let end = width - 1 - count.displayWidth
        let mark = entry.isSelected ? "› " : "  "
        frame.draw(
            mark + entry.title.sanitized().truncated(to: max(1, end - 4)), style, row: row, columns: 1..<max(2, end))
        frame.draw(count, isSelected ? style : theme.secondary, row: row, columns: max(1, end)..<width)
    }

    func perform(_ command: KeyCommand, _ state: inout ViewState) -> Intent? {
        let page = max(1, rows.count - 1)
        switch command {
        case .down: state.selection += 1
        case .up: state.selection -= 1
        case .pageDown: state.selection += page
        case .pageUp: state.selection -= page
        case .halfPageDown: state.selection += max(1, page / 2)
        case .halfPageUp: state.selection -= max(1, page / 2)
        case .first: state.selection = 0
        case .last: state.selection = entries.count - 1
        case .choose:
            return entries.indices.contains(state.selection) ? .perform(.go(entries[state.selection].place)) : nil
        default: break
        }
        fit(&state, from: self)
        return nil
    }

    func click(row: Int, column: Int, _ state: inout ViewState) -> Intent? {
        let line = state.top + row - rows.lowerBound
        guard lines.indices.contains(line), case .place(let place) = lines[line] else { return nil }
        state.selection = place
        return perform(.choose, &state)
    }

    func comeBack(_ state: inout ViewState) {
        // A source or a saved search is more specific than its section.
        guard let present = entries.lastIndex(where: \.isSelected) else { return }
        state.selection = present
        fit(&state, from: self)
    }

    func position(_ state: ViewState) -> String { "" }

    func fit(_ state: inout ViewState, from previous: (any ContentView)?) {
        // Keep the selected place if places were added or removed.
        if let previous = previous as? SidebarView, previous.entries.indices.contains(state.selection) {
            let before = previous.entries[state.selection]
            let place = entries.firstIndex { $0.id == before.id && $0.title == before.title }
            if let place { state.selection = place }
        }
        state.selection = max(0, min(state.selection, entries.count - 1))
        let line = line(of: state.selection)
        // Show the heading of the first group too.
        let top = state.selection == 0 ? 0 : state.top
        state.top = windowTop(top, showing: line, height: rows.count, count: lines.count)
    }
}
