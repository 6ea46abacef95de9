import ArticleStore
package import FlowCoordinators
import Markup
package import Terminal
import Text

/// A document that the user can scroll and search, and whose links can be followed by number.
struct DocumentView: ContentView {
    private let layout: MarkupLayout
    private let title: String
    private let document: Document
    private let rows: Range<Int>
    private let width: Int
    private let textWidth: TextWidth
    /// The first column of the text, which centers running text. Wider content extends to the right edge.
    private let left: Int
    /// The actions that the user chooses by number.
    private let numbered: [Action]
    /// Whether only the beginning of the text is laid out.
    let isPartial: Bool

    /// A longer text, in bytes, is first laid out only as far as a screen needs.
    private static let longText = 1 << 18
    /// The approximate length of that beginning, in bytes.
    private static let beginning = 1 << 15

    /// Creates a view, and reuses the valid parts of an earlier one: the text of a document does not depend on the
    /// width.
    ///
    /// - Parameter isWhole: whether even a long text is laid out to its end.
    init(
        title: String, _ document: Document, isColored: Bool, rows: Range<Int>, width: Int,
        textWidth: TextWidth = .default, numbered: [Action] = [], isWhole: Bool = true,
        after previous: DocumentView? = nil
    ) {
        self.title = title
        self.document = document
        self.rows = rows
        self.width = width
        self.textWidth = textWidth
        self.numbered = numbered
        let prose = min(width - 2, textWidth.columns)
        left = 1 + (width - 2 - prose) / 2
        let isSame = previous.map {
            $0.title == title && $0.document == document && $0.layout.text.isColored == isColored
        }
        if let previous, isSame == true, previous.width == width, previous.textWidth == textWidth {
            layout = previous.layout
            isPartial = previous.isPartial
        } else {
            let before = isSame == true ? previous : nil
            isPartial = before?.isPartial ?? (!isWhole && document.body.utf8.count > Self.longText)
            let shown = isPartial ? document.beginning(of: Self.beginning) : document
            // Hide the title if the title bar shows it completely.
            layout = MarkupLayout(
                before?.layout.text ?? MarkupText(shown, title: title, isColored: isColored), width: width - 1 - left,
                proseWidth: prose, showsTitle: title.sanitized().displayWidth > width - 10)
        }
    }

    func bindings(_ state: ViewState) -> [KeyBinding] {
        if state.search != nil { return .typing("find in the text") }
        if state.heading != nil {
            return [
                KeyBinding(.choose, "go to the heading", isInBar: true),
                KeyBinding(.cancel, "close the contents", isInBar: true), KeyBinding(.contents, "close the contents"),
            ] + .scrolling
        }
        var bindings: [KeyBinding] = []
        let isNote = state.number.hasPrefix(Self.noteSign)
        if !state.number.isEmpty {
            bindings = [
                KeyBinding(.choose, isNote ? "to the footnote" : "open the number", isInBar: true),
                KeyBinding(.erase), KeyBinding(.cancel, "cancel the number", isInBar: true, isTyping: true),
            ]
        }
        bindings += .scrolling
        bindings += [
            KeyBinding(.find, "find", isInBar: layout.lineCount > rows.count), KeyBinding(.next), KeyBinding(.previous),
        ]
        if layout.text.outline.count > 1 { bindings.append(KeyBinding(.contents, "contents", isInBar: true)) }
        if document.address != nil { bindings.append(KeyBinding(.copy)) }
        bindings += [KeyBinding(.wider), KeyBinding(.narrower)]
        if state.number.isEmpty, !state.query.isEmpty {
            bindings.append(KeyBinding(.cancel, "end the search", isInBar: true, isTyping: true))
        }
        if hasNumbers || isNote {
            let help = isNote ? "footnote by number" : layout.text.links.isEmpty ? "action by number" : "link by number"
            bindings.append(KeyBinding(.digit, help, isInBar: state.number.isEmpty && !layout.text.links.isEmpty))
            if state.number.isEmpty { bindings.append(KeyBinding(.choose)) }
        }
        if layout.text.noteCount > 0 { bindings.append(KeyBinding(.footnote, "footnote by number")) }
        return bindings
    }

    /// Whether the text has links or the screen has actions that the user chooses by number.
    private var hasNumbers: Bool { !layout.text.links.isEmpty || !numbered.isEmpty }

    /// The number of links, whose numbers come before those of actions.
    var linkCount: Int? { layout.text.links.count }

    /// Following a link again would restart the work, so the key waits.
    func waits(for command: KeyCommand, _ state: ViewState) -> Bool {
        if isPartial {
            switch command {
            case .last, .find, .next, .previous, .choose, .digit, .contents: return true
            case .down, .pageDown, .halfPageDown: if state.top + 2 * rows.count >= layout.lineCount { return true }
            default: break
            }
        }
        return if case .action = command { true } else { command == .choose && !state.number.isEmpty }
    }

    func draw(_ state: ViewState, into frame: inout Frame, theme: Theme) {
        if let chosen = state.heading { return drawContents(chosen, into: &frame, theme: theme) }
        let query = MarkupQuery(state.query)
        let current = state.selection
        for row in rows {
            let line = state.top + row - rows.lowerBound
            guard line < layout.lineCount else { break }
            frame.draw(layout[line], row: row, columns: left..<width, look: theme.look, link: hyperlink)
            for match in layout.matches(of: query, inLine: line) {
                frame.restyle(row: row, columns: match.lowerBound + left..<match.upperBound + left) { _ in
                    line == current ? theme.currentMatch : theme.match
                }
            }
        }
    }

    /// Returns the hyperlink of a span to a place outside of the library.
    private func hyperlink(of span: Span) -> Hyperlink? {
        span.link.flatMap { Hyperlink(layout.text.links[$0].address, number: $0 + 1) }
    }

    /// Returns the first visible heading of the table of contents.
    private func firstHeading(_ chosen: Int) -> Int {
        windowTop(
            max(0, chosen - rows.count / 2), showing: chosen, height: rows.count, count: layout.text.outline.count)
    }

    private func drawContents(_ chosen: Int, into frame: inout Frame, theme: Theme) {
        let outline = layout.text.outline
        let level = outline.map(\.level).min() ?? 1
        for (row, index) in zip(rows, firstHeading(chosen)..<outline.count) {
            let style = index == chosen ? theme.selection : theme.text
            if index == chosen { frame.fill(row: row, columns: 0..<width, style) }
            let title = String(repeating: "  ", count: outline[index].level - level) + outline[index].title
            frame.draw(title.truncated(to: width - left - 1), style, row: row, columns: left..<width)
        }
    }

    private func choose(_ command: KeyCommand, from chosen: Int, _ state: inout ViewState) {
        let outline = layout.text.outline
        let page = max(1, rows.count - 1)
        switch command {
        case .down: state.heading = chosen + 1
        case .up: state.heading = chosen - 1
        case .pageDown: state.heading = chosen + page
        case .pageUp: state.heading = chosen - page
        case .halfPageDown: state.heading = chosen + max(1, page / 2)
        case .halfPageUp: state.heading = chosen - max(1, page / 2)
        case .first: state.heading = 0
        case .last: state.heading = outline.count - 1
        case .choose:
            scroll(to: layout.line(of: outline[chosen]), &state)
            state.heading = nil
        case .cancel, .contents: state.heading = nil
        default: break
        }
        state.heading = state.heading.map { max(0, min($0, outline.count - 1)) }
    }

    func perform(_ command: KeyCommand, _ state: inout ViewState) -> Intent? {
        if let chosen = state.heading {
            choose(command, from: chosen, &state)
            return nil
        }
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
        case .next where state.query.isEmpty, .previous where state.query.isEmpty:
            state.message = .nothingSearched
        case .contents:
            // Select the heading above the visible text.
            let above = layout.text.outline.count { layout.line(of: $0) <= state.top }
            state.heading = max(0, above - 1)
        case .copy: return document.address.map { .perform(.copy($0)) }
        case .wider, .narrower: return resize(by: command == .wider ? Self.step : -Self.step, &state)
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
                // If nothing was typed, repeat the previous search.
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
                    state.message = .failure("There is no footnote \(state.number.dropFirst()).")
                }
                return nil
            }
            guard let number = Int(state.number) else {
                let hasLinks = linkCount.map { $0 > 0 } ?? false
                state.message = .failure(hasLinks ? "Type the number of a link first." : "There are no links here.")
                return nil
            }
            let links = layout.text.links
            if links.indices.contains(number - 1) { return follow(links[number - 1], &state) }
            let action = number - 1 - links.count
            if numbered.indices.contains(action) { return numbered[action].intent }
            state.message = .failure("There is no link \(number).")
            return nil
        case .erase: state.number = String(state.number.dropLast())
        default: break
        }
        return nil
    }

    /// The number of columns by which a key changes the text width.
    private static let step = 4

    /// Requests another text width. It is relative to the visible width, because a width beyond the screen has no
    /// effect.
    private func resize(by step: Int, _ state: inout ViewState) -> Intent? {
        let seen = min(width - 2, textWidth.columns)
        let wanted = TextWidth(columns: seen + step)
        guard wanted.columns != seen, wanted.columns <= width - 2 else {
            state.message = .failure(
                step > 0 ? "The terminal is too narrow for wider text." : "The text already has the minimum width.")
            return nil
        }
        state.message = .news("\(wanted.columns) columns")
        return .perform(.setTextWidth(wanted))
    }

    private func label(ofLink number: Int) -> String {
        let links = layout.text.links
        if numbered.indices.contains(number - 1 - links.count) {
            return "[\(number)] \(numbered[number - 1 - links.count].label)"
        }
        return links.indices.contains(number - 1) ? "[\(number)] \(links[number - 1].address)" : "[\(number)]"
    }

    /// A link to a heading moves there; other links become requests.
    private func follow(_ link: MarkupText.Link, _ state: inout ViewState) -> Intent? {
        guard link.destination.hasPrefix("#") else { return .follow(link.destination) }
        open(at: String(link.destination.dropFirst()), &state)
        return nil
    }

    func open(at heading: String, _ state: inout ViewState) {
        if let line = layout.line(ofHeading: heading) {
            scroll(to: line, &state)
        } else {
            state.message = .failure("There is no heading “\(heading)” here.")
        }
    }

    func type(_ event: InputEvent, _ state: inout ViewState) -> Intent? {
        if case .key(let press) = event, state.search == nil, case .character(let sign) = press.key,
            takesNumber(sign, state)
        {
            let isNote = String(sign) == Self.noteSign || state.number.hasPrefix(Self.noteSign)
            // Keep nine digits, more than any number of links has.
            let digits = String((state.number + String(sign)).filter { String($0) != Self.noteSign }.suffix(9))
            state.number = (isNote ? Self.noteSign : "") + digits
            state.message = .news(isNote ? "[\(state.number)]" : Int(digits).map(label) ?? "")
            return nil
        }
        guard var line = state.search, line.handle(event) else { return nil }
        state.search = line
        guard line.text != state.query else { return nil }
        state.query = line.text
        find(from: state.top, &state)
        return nil
    }

    func click(row: Int, column: Int, _ state: inout ViewState) -> Intent? {
        if let chosen = state.heading {
            let clicked = firstHeading(chosen) + row - rows.lowerBound
            guard layout.text.outline.indices.contains(clicked) else { return nil }
            choose(.choose, from: clicked, &state)
            return nil
        }
        let line = state.top + row - rows.lowerBound
        guard line < layout.lineCount else { return nil }
        var end = left
        let span = layout[line].first { span in
            end += span.text.displayWidth
            return column < end
        }
        guard column >= left else { return nil }
        if let mark = span?.mark, document.lists.indices.contains(mark) {
            return .send(.open(.articles(ArticleList(query: document.lists[mark]))))
        }
        guard let link = span?.link else { return nil }
        state.number = ""
        return follow(layout.text.links[link], &state)
    }

    /// The character before the number of a footnote, both when typing and in the text.
    private static let noteSign = "^"

    /// Whether a character belongs to the number of a link or footnote.
    private func takesNumber(_ sign: Unicode.Scalar, _ state: ViewState) -> Bool {
        if ("0"..."9").contains(sign) { return hasNumbers || state.number.hasPrefix(Self.noteSign) }
        return String(sign) == Self.noteSign && layout.text.noteCount > 0
    }

    private func find(from start: Int, backwards: Bool = false, _ state: inout ViewState) {
        guard !state.query.isEmpty else { return }
        let line = layout.line(
            with: MarkupQuery(state.query), from: (start + layout.lineCount) % max(1, layout.lineCount),
            backwards: backwards)
        guard let line else {
            state.message = .failure("“\(state.query)” is not in the text.")
            return
        }
        if state.search == nil, backwards ? line > start : line < start {
            state.message = .news(backwards ? "Search continued from the end." : "Search continued from the start.")
        }
        state.selection = line
        if !(state.top..<state.top + rows.count).contains(line) { scroll(to: line - rows.count / 3, &state) }
        state.selection = line
    }

    private func scroll(to line: Int, _ state: inout ViewState) {
        state.top = max(0, min(line, layout.lineCount - rows.count))
        // A search continues from the visible text.
        state.selection = state.top
    }

    func position(_ state: ViewState) -> String {
        guard !isPartial else { return "" }
        let seen = state.top + rows.count
        guard layout.lineCount > rows.count else { return "" }
        return seen >= layout.lineCount ? "100%" : "\(seen * 100 / layout.lineCount)%"
    }

    func fit(_ state: inout ViewState, from previous: (any ContentView)?) {
        if state.offset == nil, let before = previous as? DocumentView,
            before.width != width || before.textWidth != textWidth || before.isPartial != isPartial
        {
            state.offset = before.layout.offset(ofLine: state.top)
        }
        if let offset = state.offset {
            state.top = layout.line(at: offset)
            state.selection = state.top
            state.offset = nil
        }
        state.top = max(0, min(state.top, layout.lineCount - rows.count))
        // The text may have changed.
        if let chosen = state.heading, !layout.text.outline.indices.contains(chosen) { state.heading = nil }
    }

    func saved(_ state: ViewState) -> SavedView? {
        SavedView(top: state.offset ?? layout.offset(ofLine: state.top))
    }

    func restore(_ saved: SavedView, _ state: inout ViewState) { state.offset = saved.top }

    /// Count text instead of lines, so that the position does not depend on the width. It is rounded up, so that it is
    /// on the line that was visible.
    func readingPosition(_ state: ViewState) -> Int? {
        guard !isPartial, state.offset == nil, length > 0 else { return nil }
        return min(1000, (layout.offset(ofLine: state.top) * 1000 + length - 1) / length)
    }

    func begin(at place: Int, _ state: inout ViewState) {
        scroll(to: layout.line(at: length * place / 1000), &state)
    }

    /// The length of the text in the units of positions.
    private var length: Int { layout.offset(ofLine: layout.lineCount - 1) }
}

extension Document {
    /// Returns the document with about this many bytes of its body, ending where a block may end.
    func beginning(of count: Int) -> Document {
        let bytes = body.utf8.prefix(count)
        let isBreak = { (byte: UInt8) in byte == UInt8(ascii: "\n") }
        let lines = bytes.lastIndex(where: isBreak).map { bytes[..<$0] } ?? bytes
        return Document(
            facts: facts, body: String(decoding: lines, as: UTF8.self), format: format, base: base, address: address)
    }
}

extension Document {
    /// The lists that facts link to, by the marks of their text.
    var lists: [ArticleQuery] { facts.flatMap { $0.parts.compactMap(\.list) } }
}

extension MarkupText {
    /// Creates text from a document: title, facts, and body. A body that cannot be parsed is shown as plain text.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - title: the title above the document.
    ///   - isColored: whether code is highlighted with colors.
    package init(_ document: Document, title: String, isColored: Bool) {
        var count = 0
        let facts = document.facts.map { fact in
            Fact(
                fact.label,
                fact.parts.map { part in
                    defer { if part.list != nil { count += 1 } }
                    return Fact.Part(part.text, mark: part.list.map { _ in count })
                })
        }
        self.init(
            document.format.document(of: document.body), title: title,
            facts: facts, base: document.base,
            isColored: isColored)
    }
}
