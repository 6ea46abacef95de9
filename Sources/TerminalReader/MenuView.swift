import FlowCoordinators
import Terminal
import Text

/// A menu: a text, and the actions as items.
struct MenuView: ContentView {
    private let text: [String]
    private let actions: [Action]
    private let rows: Range<Int>
    private let width: Int

    init(text: String, actions: [Action], rows: Range<Int>, width: Int) {
        self.text = text.sanitized(keeping: .newline).wrapped(to: max(2, width - 2))
        self.actions = actions
        self.rows = rows
        self.width = width
    }

    /// The number of lines before the first item.
    private var itemsStart: Int { text.isEmpty ? 0 : text.count + 1 }

    func bindings(_ state: ViewState) -> [KeyBinding] {
        [
            KeyBinding(.down, "down"), KeyBinding(.up, "up"), KeyBinding(.first), KeyBinding(.last),
            KeyBinding(.choose, "choose", isInBar: true),
        ]
    }

    func draw(_ state: ViewState, into frame: inout Frame, theme: Theme) {
        for row in rows {
            let line = state.top + row - rows.lowerBound
            if line < text.count {
                frame.draw(text[line], theme.text, row: row, columns: 1..<width)
            } else if actions.indices.contains(line - itemsStart) {
                let isSelected = line - itemsStart == state.selection
                let style = isSelected ? theme.selection : theme.text
                let label = (isSelected ? "› " : "  ") + actions[line - itemsStart].label.sanitized() + " "
                frame.draw(label, style, row: row, columns: 1..<width)
            }
        }
    }

    func perform(_ command: KeyCommand, _ state: inout ViewState) -> Intent? {
        switch command {
        case .down: state.selection += 1
        case .up: state.selection -= 1
        case .first: state.selection = 0
        case .last: state.selection = actions.count - 1
        case .choose:
            return actions.indices.contains(state.selection) ? actions[state.selection].intent : nil
        default: break
        }
        fit(&state, from: nil)
        return nil
    }

    func click(row: Int, column: Int, _ state: inout ViewState) -> Intent? {
        let item = state.top + row - rows.lowerBound - itemsStart
        guard actions.indices.contains(item) else { return nil }
        state.selection = item
        return actions[item].intent
    }

    func fit(_ state: inout ViewState, from previous: (any ContentView)?) {
        state.selection = max(0, min(state.selection, actions.count - 1))
        let count = itemsStart + actions.count
        let top = state.selection == 0 && count <= rows.count ? 0 : state.top
        state.top = windowTop(top, showing: itemsStart + state.selection, height: rows.count, count: count)
    }

    func saved(_ state: ViewState) -> SavedView? { SavedView(selection: state.selection, top: state.top) }

    func restore(_ saved: SavedView, _ state: inout ViewState) {
        state.selection = saved.selection
        state.top = saved.top
    }
}
