import FlowCoordinators
import Terminal
import Text

/// A document: scrolled, searched, its links followed by their numbers.
struct DocumentView: ContentView {
    private let layout: MarkupLayout
    private let title: String
    private let document: Document
    private let rows: Range<Int>
    private let width: Int

    /// What of an earlier view still holds is taken over: the text of a document is the same at any width.
    init(
        title: String, _ document: Document, isColored: Bool, rows: Range<Int>, width: Int,
        after previous: DocumentView? = nil
    ) {
        self.title = title
        self.document = document
        self.rows = rows
        self.width = width
        let isSame = previous.map {
            $0.title == title && $0.document == document && $0.layout.text.isColored == isColored
        }
        if let previous, isSame == true, previous.width == width {
            layout = previous.layout
        } else {
            let before = isSame == true ? previous?.layout.text : nil
            // The title of the screen is heading enough where it is not cut.
            layout = MarkupLayout(
                before ?? MarkupText(document, title: title, isColored: isColored), width: width - 2,
                showsTitle: title.sanitized().displayWidth > width - 10)
        }
    }

    func bindings(_ state: ViewState) -> [KeyBinding] {
        if state.search != nil { return .typing("find in the text") }
        var bindings: [KeyBinding] = []
        if !state.number.isEmpty {
            bindings = [
                KeyBinding(
                    [KeyPress(.enter)], state.number.hasPrefix(Self.noteSign) ? "to the footnote" : "follow the link",
                    .choose, isInBar: true),
                KeyBinding([KeyPress(.backspace)], "take the last digit back", .erase),
                KeyBinding([KeyPress(.escape)], "forget the number", .cancel, isInBar: true),
            ]
        }
        bindings += .scrolling
        if state.number.isEmpty {
            bindings.append(KeyBinding([KeyPress(.enter)], "a line down", .down))
        }
        bindings.append(KeyBinding([.letter("/")], "find", .find, isInBar: layout.lineCount > rows.count))
        bindings.append(KeyBinding([.letter("n")], "the next place found", .next))
        bindings.append(KeyBinding([.letter("N")], "the place found before", .previous))
        if state.number.isEmpty, !state.query.isEmpty {
            bindings.append(KeyBinding([KeyPress(.escape)], "end the search", .cancel, isInBar: true))
        }
        let isNote = state.number.hasPrefix(Self.noteSign)
        if !layout.text.links.isEmpty || isNote {
            let digits = "1234567890".unicodeScalars.map { KeyPress.letter($0) }
            let help = isNote ? "footnote by number" : "link by number"
            bindings.append(KeyBinding(digits, help, .digit, isInBar: state.number.isEmpty))
        }
        if layout.text.noteCount > 0 {
            bindings.append(KeyBinding([.letter("^")], "footnote by number", .digit))
        }
        return bindings
    }

    /// What leads to another article, asked for again, would begin anew.
    func waits(for command: KeyCommand, _ state: ViewState) -> Bool {
        if case .action = command { true } else { command == .choose && !state.number.isEmpty }
    }

    func draw(_ state: ViewState, into frame: inout Frame, theme: Theme) {
        let query = MarkupQuery(state.query)
        let current = state.selection
        for row in rows {
            let line = state.top + row - rows.lowerBound
            guard line < layout.lineCount else { break }
            frame.draw(layout[line], row: row, columns: 1..<width, look: theme.look)
            for match in layout.matches(of: query, inLine: line) {
                frame.restyle(row: row, columns: match.lowerBound + 1..<match.upperBound + 1) { _ in
                    line == current ? theme.currentMatch : theme.match
                }
            }
        }
    }

    func perform(_ command: KeyCommand, _ state: inout ViewState) -> Intent? {
        let page = max(1, rows.count - 1)
        switch command {
        case .down: scroll(to: state.top + 1, &state)
        case .up: scroll(to: state.top - 1, &state)
        case .pageDown: scroll(to: state.top + page, &state)
        case .pageUp: scroll(to: state.top - page, &state)
        case .halfPageDown: scroll(to: state.top + max(1, rows.count / 2), &state)
        case .halfPageUp: scroll(to: state.top - max(1, rows.count / 2), &state)
        case .first: scroll(to: 0, &state)
        case .last: scroll(to: layout.lineCount, &state)
        case .find:
            state.queryBefore = state.query
            state.query = ""
            state.search = LineEditor()
        case .next: find(from: state.selection + 1, &state)
        case .previous: find(from: state.selection - 1, backwards: true, &state)
        case .cancel:
            if !state.number.isEmpty {
                state.number = ""
                return nil
            }
            state.query = state.search == nil ? "" : state.queryBefore
            state.search = nil
        case .choose:
            if state.search != nil {
                // Nothing typed: look for the same again.
                if state.query.isEmpty { state.query = state.queryBefore }
                state.search = nil
                find(from: state.selection, &state)
                return nil
            }
            defer { state.number = "" }
            if state.number.hasPrefix(Self.noteSign) {
                if let line = Int(state.number.dropFirst()).flatMap({ layout.line(ofNote: $0) }) {
                    scroll(to: line, &state)
                } else {
                    state.message = "There is no footnote \(state.number.dropFirst())."
                }
                return nil
            }
            guard let number = Int(state.number), layout.text.links.indices.contains(number - 1) else {
                state.message = "There is no link \(state.number)."
                return nil
            }
            return follow(layout.text.links[number - 1], &state)
        case .erase: state.number = String(state.number.dropLast())
        default: break
        }
        return nil
    }

    private func label(ofLink number: Int) -> String {
        let links = layout.text.links
        return links.indices.contains(number - 1) ? "[\(number)] \(links[number - 1].address)" : "[\(number)]"
    }

    /// What leads to a heading goes there, everything else is asked for.
    private func follow(_ link: MarkupText.Link, _ state: inout ViewState) -> Intent? {
        guard link.destination.hasPrefix("#") else { return .follow(link.destination) }
        open(at: String(link.destination.dropFirst()), &state)
        return nil
    }

    func open(at heading: String, _ state: inout ViewState) {
        if let line = layout.line(ofHeading: heading) {
            scroll(to: line, &state)
        } else {
            state.message = "There is no heading “\(heading)” here."
        }
    }

    func type(_ event: InputEvent, _ state: inout ViewState) -> Intent? {
        if case .key(let press) = event, state.search == nil, case .character(let sign) = press.key,
            takesNumber(sign, state)
        {
            let isNote = String(sign) == Self.noteSign || state.number.hasPrefix(Self.noteSign)
            // Nine digits are more than there can be links.
            let digits = String((state.number + String(sign)).filter { String($0) != Self.noteSign }.suffix(9))
            state.number = (isNote ? Self.noteSign : "") + digits
            state.message = isNote ? "[\(state.number)]" : Int(digits).map(label)
            return nil
        }
        guard var line = state.search, line.handle(event) else { return nil }
        state.search = line
        guard line.text != state.query else { return nil }
        state.query = line.text
        find(from: state.top, &state)
        return nil
    }

    /// What is typed before the number of a footnote, as in its mark.
    private static let noteSign = "^"

    /// Whether a character is of the number of a link or a footnote.
    private func takesNumber(_ sign: Unicode.Scalar, _ state: ViewState) -> Bool {
        if ("0"..."9").contains(sign) { return !layout.text.links.isEmpty || state.number.hasPrefix(Self.noteSign) }
        return String(sign) == Self.noteSign && layout.text.noteCount > 0
    }

    private func find(from start: Int, backwards: Bool = false, _ state: inout ViewState) {
        guard !state.query.isEmpty else { return }
        let line = layout.line(
            with: MarkupQuery(state.query), from: (start + layout.lineCount) % max(1, layout.lineCount),
            backwards: backwards)
        guard let line else {
            state.message = "“\(state.query)” is not in the text."
            return
        }
        if state.search == nil, backwards ? line > start : line < start {
            state.message = backwards ? "Found from the end." : "Found from the start."
        }
        state.selection = line
        if !(state.top..<state.top + rows.count).contains(line) { scroll(to: line - rows.count / 3, &state) }
        state.selection = line
    }

    private func scroll(to line: Int, _ state: inout ViewState) {
        state.top = max(0, min(line, layout.lineCount - rows.count))
        // A search goes on from what is seen.
        state.selection = state.top
    }

    func position(_ state: ViewState) -> String {
        let seen = state.top + rows.count
        guard layout.lineCount > rows.count else { return "" }
        return seen >= layout.lineCount ? "100%" : "\(seen * 100 / layout.lineCount)%"
    }

    func fit(_ state: inout ViewState, from previous: (any ContentView)?) {
        if state.offset == nil, let before = (previous as? DocumentView), before.width != width {
            state.offset = before.layout.offset(ofLine: state.top)
        }
        if let offset = state.offset {
            state.top = layout.line(at: offset)
            state.selection = state.top
            state.offset = nil
        }
        state.top = max(0, min(state.top, layout.lineCount - rows.count))
    }

    func saved(_ state: ViewState) -> SavedView? {
        SavedView(top: state.offset ?? layout.offset(ofLine: state.top))
    }

    func restore(_ saved: SavedView, _ state: inout ViewState) { state.offset = saved.top }
}
