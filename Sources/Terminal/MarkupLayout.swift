import Markup

/// A document broken into lines of a width.
///
/// The layout stores only the start and the end of each line, and builds a line when it is requested.
package struct MarkupLayout: Sendable {
    /// The text that is laid out.
    package let text: MarkupText
    /// The maximum width of a line: the requested width, at least 20.
    package let width: Int
    /// The maximum width of running text.
    package let proseWidth: Int
    private var lines: [Line] = []
    /// The first line of each passage.
    private var firstLines: [UInt32] = []
    /// For each line of a table, one range of the text for each column. A line’s first range has the index `Line.start`.
    private var pieces: [Range<Int>] = []
    private var forms: [MarkupTable.Form] = []
    /// The widths of the margins, including all margins to the left of them.
    private var indents: [UInt16] = []
    /// The margins that do not fit. Their marks are on separate lines.
    private var droppedMargins: Set<Int32> = []

    /// The default maximum width of running text. Longer lines are hard to read.
    package static let widestProse = 120
    /// Margins do not make text narrower than this.
    private static let narrowest = 10
    private static let narrowestLine = 20
    /// Marks a cell without text on a line.
    private static let nothing = -1 ..< -1
    /// The mark at the start of a continued line of code.
    private static let continuationMark = "↪ "

    private struct Line {
        enum Kind: UInt8 {
            /// The text from `start` to `end`.
            case text
            /// The text from `start` to `end`, indented by `indent` columns with a mark.
            case continuation
            /// The text from `start` to `end`, indented without a mark.
            case hanging
            /// The ``MarkupLayout/pieces`` of the columns of a table, beginning at `start`.
            case cells
            /// A rule of `end` columns.
            case rule, doubleRule, tableRule
            /// The marks of margins that do not fit.
            case marks
            /// An empty line with a margin.
            case gap
        }

        var kind: Kind
        /// Whether the line shows the marks of the margins.
        var isFirst = false
        var indent: UInt16 = 0
        var passage: UInt32
        var start: UInt32 = 0
        var end: UInt32 = 0
    }

    /// Lays out a document.
    ///
    /// - Parameters:
    ///   - text: the document.
    ///   - width: the maximum width of a line, at least 20.
    ///   - proseWidth: the maximum width of running text. Code and tables may be wider.
    ///   - showsTitle: whether the title is shown above the document.
    package init(_ text: MarkupText, width: Int, proseWidth: Int = Self.widestProse, showsTitle: Bool = true) {
        self.text = text
        self.width = max(Self.narrowestLine, width)
        self.proseWidth = min(self.width, max(Self.narrowestLine, proseWidth))
        lines.reserveCapacity(text.bytes.count / 50)
        firstLines.reserveCapacity(text.passages.count)
        layOutMargins()
        for index in text.passages.indices {
            firstLines.append(UInt32(clamping: lines.count))
            if text.passages[index].kind != .title || showsTitle { layOut(index) }
        }
    }
}

// MARK: - Breaking

extension MarkupLayout {
    private mutating func layOutMargins() {
        indents.reserveCapacity(text.margins.count)
        for (index, margin) in text.margins.enumerated() {
            let parent = margin.parent < 0 ? 0 : indents[Int(margin.parent)]
            let own = columns(of: margin)
            if width - Int(parent) - own >= Self.narrowest {
                indents.append(parent + UInt16(clamping: own))
            } else {
                indents.append(parent)
                droppedMargins.insert(Int32(clamping: index))
            }
        }
    }

    private func columns(of margin: MarkupText.Margin) -> Int {
        switch margin.kind {
        case .bar, .mark: Int(margin.width)
        case .indent: width < 60 ? 2 : 4
        }
    }

    private func indent(of passage: MarkupText.Passage) -> Int {
        passage.margin < 0 ? 0 : Int(indents[Int(passage.margin)])
    }

    private mutating func layOut(_ index: Int) {
        let passage = text.passages[index]
        let number = UInt32(clamping: index)
        if passage.gap != nil, !lines.isEmpty { lines.append(Line(kind: .gap, passage: number)) }
        let hasMarksLine = !droppedMargins.isEmpty && hasMark(index) { droppedMargins.contains($0) }
        if hasMarksLine { lines.append(Line(kind: .marks, isFirst: true, passage: number)) }
        let room = width - indent(of: passage)
        let prose = proseWidth - indent(of: passage)
        let first = lines.count
        switch passage.kind {
        case .title, .prose: addProse(passage, number, width: max(Self.narrowest, prose))
        case .majorHeading, .minorHeading:
            addProse(passage, number, width: max(Self.narrowest, prose))
            addRule(beneath: first, passage, number)
        case .code: addVerbatim(passage, number, width: room, mark: Self.continuationMark.count)
        case .lines: addVerbatim(passage, number, width: room, mark: 0)
        case .thematicBreak:
            lines.append(Line(kind: .rule, passage: number, end: UInt32(clamping: max(1, prose))))
        case .divider: lines.append(Line(kind: .rule, passage: number, end: UInt32(clamping: min(12, room))))
        case .tableRow: addRow(index, passage, width: room)
        }
        // An empty passage needs a line for its mark.
        if lines.count == first, !hasMarksLine, hasMark(index) { lines.append(Line(kind: .text, passage: number)) }
        if !hasMarksLine, first < lines.count { lines[first].isFirst = true }
    }

    /// Whether a passage has the mark of a margin that satisfies a condition.
    private func hasMark(_ passage: Int, where holds: (Int32) -> Bool = { _ in true }) -> Bool {
        var margin = text.passages[passage].margin
        while margin >= 0 {
            let node = text.margins[Int(margin)]
            if node.kind == .mark, node.firstPassage == passage, holds(margin) { return true }
            margin = node.parent
        }
        return false
    }

    private mutating func addProse(_ passage: MarkupText.Passage, _ number: UInt32, width: Int) {
        text.withBreaker(for: passage.range) { breaker in
            breaker.breakProse(passage.range, width: width) {
                lines.append(
                    Line(
                        kind: .text, passage: number, start: UInt32(clamping: $0.lowerBound),
                        end: UInt32(clamping: $0.upperBound)))
            }
        }
    }

    private mutating func addVerbatim(_ passage: MarkupText.Passage, _ number: UInt32, width: Int, mark: Int) {
        text.withBreaker(for: passage.range) { breaker in
            breaker.breakVerbatim(passage.range, width: width, mark: mark) { piece, hang in
                lines.append(
                    Line(
                        kind: hang == nil ? .text : mark > 0 ? .continuation : .hanging,
                        indent: UInt16(clamping: hang ?? 0),
                        passage: number, start: UInt32(clamping: piece.lowerBound),
                        end: UInt32(clamping: piece.upperBound)))
            }
        }
    }

    private mutating func addRule(beneath first: Int, _ passage: MarkupText.Passage, _ number: UInt32) {
        let length = lines[first...].reduce(0) { widest, line in
            max(widest, text.spans(Int(line.start)..<Int(line.end)).displayWidth)
        }
        lines.append(
            Line(
                kind: passage.kind == .majorHeading ? .doubleRule : .rule, passage: number,
                end: UInt32(clamping: length)))
    }

    private mutating func addRow(_ index: Int, _ passage: MarkupText.Passage, width: Int) {
        let table = text.tables[Int(passage.table)]
        let row = index - table.firstPassage
        let number = UInt32(clamping: index)
        let isHeader = table.hasHeader && row == 0
        if row == 0 { forms.append(table.form(width: width)) }
        let form = forms[Int(passage.table)]
        let cells = text.cells[table.cells(ofRow: row)]
        switch form.kind {
        case .columns(let widths):
            // Separate rows with wrapped cells, which would otherwise run together.
            if form.wraps, row > (table.hasHeader ? 1 : 0) { lines.append(Line(kind: .gap, passage: number)) }
            addCells(cells, widths, number)
            if isHeader { lines.append(Line(kind: .tableRule, passage: number)) }
        case .stacked(let titleWidth):
            if isHeader, table.rowCount > 1 { return }
            if row > (table.hasHeader ? 1 : 0) { lines.append(Line(kind: .gap, passage: number)) }
            let widths = [titleWidth, width - titleWidth - (titleWidth > 0 ? MarkupTable.gap : 0)]
            let titles = table.hasHeader ? text.cells[table.cells(ofRow: 0)] : []
            for (column, cell) in cells.enumerated() where !cell.isEmpty {
                let title =
                    isHeader || titles.isEmpty ? cell.lowerBound..<cell.lowerBound : titles[titles.startIndex + column]
                addCells([title, cell], widths, number)
            }
        }
    }

    /// Adds the lines of cells next to each other.
    private mutating func addCells(_ cells: some Collection<Range<Int>>, _ widths: [Int], _ number: UInt32) {
        var columns: [[Range<Int>]] = []
        for (cell, width) in zip(cells, widths) {
            var lines: [Range<Int>] = []
            text.withBreaker(for: cell) { $0.breakProse(cell, width: max(2, width)) { lines.append($0) } }
            columns.append(lines)
        }
        for line in 0..<max(1, columns.map(\.count).max() ?? 1) {
            lines.append(Line(kind: .cells, passage: number, start: UInt32(clamping: pieces.count)))
            for column in columns { pieces.append(line < column.count ? column[line] : Self.nothing) }
        }
    }
}

// MARK: - Lines

extension MarkupLayout {
    /// The number of lines.
    package var lineCount: Int { lines.count }

    /// Returns the spans of a line from left to right.
    package subscript(index: Int) -> [Span] {
        let line = lines[index]
        let passage = text.passages[Int(line.passage)]
        if line.kind == .gap { return margin(passage.gap ?? passage.margin, of: line).trimmed }
        var spans = margin(passage.margin, of: line)
        switch line.kind {
        case .gap: break
        case .text: spans += self.spans(line)
        case .hanging: spans += [Span(String(repeating: " ", count: Int(line.indent)))] + self.spans(line)
        case .continuation:
            spans.add(Span(String(repeating: " ", count: Int(line.indent))))
            spans += [Span(Self.continuationMark, .dim)] + self.spans(line)
        case .cells: addCells(line, passage, to: &spans)
        case .rule:
            let style: Style = passage.kind == .minorHeading ? .bold : .dim
            spans.add(Span(String(repeating: "─", count: Int(line.end)), style))
        case .doubleRule: spans.add(Span(String(repeating: "═", count: Int(line.end)), .bold))
        case .tableRule:
            guard case .columns(let widths) = forms[Int(passage.table)].kind else { break }
            let rules = widths.map { String(repeating: "─", count: $0) }
            spans.add(Span(rules.joined(separator: String(repeating: " ", count: MarkupTable.gap)), .dim))
        case .marks: spans.add(Span(marks(of: line).truncated(to: width - indent(of: passage)), .dim))
        }
        return spans.trimmed
    }

    private func spans(_ line: Line) -> [Span] { text.spans(Int(line.start)..<Int(line.end)) }

    /// Returns the margin to the left of a line.
    private func margin(_ index: Int32, of line: Line) -> [Span] {
        var margins: [MarkupText.Margin] = []
        var index = index
        while index >= 0 {
            let margin = text.margins[Int(index)]
            if !droppedMargins.contains(index) { margins.append(margin) }
            index = margin.parent
        }
        var spans: [Span] = []
        for margin in margins.reversed() {
            let hasMark = margin.kind == .bar || (line.isFirst && margin.firstPassage == line.passage)
            let mark = hasMark ? margin.text : ""
            if !mark.isEmpty { spans.add(Span(mark, .dim)) }
            spans.add(Span(String(repeating: " ", count: max(0, columns(of: margin) - mark.displayWidth))))
        }
        return spans
    }

    private func marks(of line: Line) -> String {
        var marks: [String] = []
        var index = text.passages[Int(line.passage)].margin
        while index >= 0 {
            let margin = text.margins[Int(index)]
            if margin.kind == .mark, margin.firstPassage == line.passage, droppedMargins.contains(index) {
                marks.append(margin.text)
            }
            index = margin.parent
        }
        return marks.reversed().joined(separator: " ")
    }

    /// Returns the part of each cell on a line, and its column.
    private func cells(of line: Line, _ passage: MarkupText.Passage) -> [(piece: Range<Int>, column: Int)] {
        let table = text.tables[Int(passage.table)]
        let (widths, alignments) =
            switch forms[Int(passage.table)].kind {
            case .columns(let widths): (widths, table.alignments)
            case .stacked(let titleWidth): ([titleWidth, 0], [.left, .left])
            }
        var cells: [(Range<Int>, Int)] = []
        var start = 0
        for ((width, alignment), piece) in zip(zip(widths, alignments), pieces(of: line)) {
            if !piece.isEmpty {
                let free = max(0, width - text.spans(piece).displayWidth)
                let before =
                    switch alignment {
                    case .left: 0
                    case .center: free / 2
                    case .right: free
                    }
                cells.append((piece, start + before))
            }
            start += width > 0 ? width + MarkupTable.gap : 0
        }
        return cells
    }

    private func addCells(_ line: Line, _ passage: MarkupText.Passage, to spans: inout [Span]) {
        let margin = spans.displayWidth
        for (piece, column) in cells(of: line, passage) {
            spans.add(Span(String(repeating: " ", count: max(0, margin + column - spans.displayWidth))))
            for span in text.spans(piece) { spans.add(span) }
        }
    }
}

extension [Span] {
    /// The line without trailing spaces.
    fileprivate var trimmed: [Span] {
        var spans = self
        while let last = spans.last, last.text.hasSuffix(" ") {
            let text = last.text.reversed().drop { $0 == " " }.reversed()
            spans.removeLast()
            if !text.isEmpty { spans.append(Span(String(text), last.style, link: last.link, mark: last.mark)) }
        }
        return spans
    }
}

// MARK: - Places

extension MarkupLayout {
    /// Returns the number of scalars before a line, without white space. This position in the document does not depend
    /// on the width.
    ///
    /// A line without text has the position of the end of the text before it.
    package func offset(ofLine index: Int) -> Int {
        guard !lines.isEmpty else { return 0 }
        let line = lines[min(max(0, index), lines.count - 1)]
        let passage = text.passages[Int(line.passage)]
        if passage.kind == .title { return 0 }
        if let start = start(of: line) { return Int(passage.ink) + text.bytes.ink(in: Int(passage.start)..<start) }
        switch line.kind {
        case .gap, .marks: return max(0, Int(passage.ink) - 1)
        default: return max(0, Int(passage.ink) + text.bytes.ink(in: passage.range) - 1)
        }
    }

    /// Returns the line that contains a position. If the position is the end of the text, it is the last line with this
    /// position.
    package func line(at offset: Int) -> Int {
        guard offset > 0 else { return 0 }
        let index = text.passages.prefixCount { $0.kind == .title || $0.ink <= offset } - 1
        guard index >= 0 else { return 0 }
        let passage = text.passages[index]
        let place = text.bytes.place(ofInk: offset - Int(passage.ink), in: passage.range)
        let line = line(ofPassage: index, at: place)
        let isEnd = text.bytes.ink(in: place..<Int(passage.end)) == 1
        guard isEnd, line + 1 < lines.count, self.offset(ofLine: line) != offset else { return line }
        return start(of: lines[line + 1]) == nil ? line + 1 : line
    }

    /// Returns the line of a passage that contains a byte of its text.
    func line(ofPassage passage: Int, at place: Int) -> Int {
        let candidates = lines(ofPassage: passage)
        if text.passages[passage].kind == .tableRow {
            // Cells are next to each other, so check each of them.
            let line = candidates.first { line in
                lines[line].kind == .cells
                    && pieces(of: lines[line]).contains { $0.lowerBound <= place && place <= $0.upperBound }
            }
            return line ?? min(candidates.lowerBound, max(0, lines.count - 1))
        }
        // Only the first and the last lines can lack text.
        let texts = candidates.drop { start(of: lines[$0]) == nil }
        let count = texts.prefixCount { start(of: lines[$0]).map { $0 <= place } ?? false }
        return max(0, texts.startIndex + count - 1)
    }

    /// Returns the start of the text of a line, if it has text.
    private func start(of line: Line) -> Int? {
        switch line.kind {
        case .text, .continuation, .hanging: Int(line.start)
        case .cells:
            // Skip the column titles in stacked rows, because their text is elsewhere.
            pieces(of: line).lazy.map(\.lowerBound).filter { $0 >= text.passages[Int(line.passage)].start }.min()
        case .gap, .marks, .rule, .doubleRule, .tableRule: nil
        }
    }

    private func pieces(of line: Line) -> ArraySlice<Range<Int>> {
        switch forms[Int(text.passages[Int(line.passage)].table)].kind {
        case .columns(let widths): pieces[Int(line.start)...].prefix(widths.count)
        case .stacked: pieces[Int(line.start)...].prefix(2)
        }
    }

    /// Returns the parts of the text on a line, each with its column.
    func texts(ofLine index: Int) -> [(piece: Range<Int>, column: Int)] {
        let line = lines[index]
        let passage = text.passages[Int(line.passage)]
        let margin = self.margin(passage.margin, of: line).displayWidth
        switch line.kind {
        case .text: return [(Int(line.start)..<Int(line.end), margin)]
        case .hanging: return [(Int(line.start)..<Int(line.end), margin + Int(line.indent))]
        case .continuation:
            let mark = Int(line.indent) + Self.continuationMark.displayWidth
            return [(Int(line.start)..<Int(line.end), margin + mark)]
        case .cells: return cells(of: line, passage).map { ($0.piece, margin + $0.column) }
        case .gap, .marks, .rule, .doubleRule, .tableRule: return []
        }
    }

    /// Returns a byte offset that is not after the content of a line.
    func place(ofLine index: Int) -> Int {
        let line = lines[index]
        return start(of: line) ?? Int(text.passages[Int(line.passage)].start)
    }

    /// Returns the line of the heading with this name; nil if the document does not have it.
    package func line(ofHeading name: some StringProtocol) -> Int? {
        text.passage(ofHeading: Substring(name)).map(firstLine)
    }

    /// Returns the line of a heading.
    package func line(of heading: MarkupText.Heading) -> Int { firstLine(ofPassage: heading.passage) }

    /// Returns the first line of a footnote; nil if it does not exist.
    package func line(ofNote number: Int) -> Int? {
        text.notes.indices.contains(number - 1) ? firstLine(ofPassage: text.notes[number - 1]) : nil
    }

    private func firstLine(ofPassage passage: Int) -> Int {
        let lines = self.lines(ofPassage: passage)
        return lines.first { self.lines[$0].kind != .gap } ?? lines.lowerBound
    }

    /// Whether a passage has lines. The title may be hidden.
    func isShown(_ passage: Int) -> Bool {
        text.passages[passage].kind != .title || !lines(ofPassage: passage).isEmpty
    }

    private func lines(ofPassage passage: Int) -> Range<Int> {
        let end = passage + 1 < firstLines.count ? Int(firstLines[passage + 1]) : lines.count
        return Int(firstLines[passage])..<end
    }
}

/// The cells of a table and their preferred widths, before the width of the table is known.
struct MarkupTable {
    let alignments: [MarkupBlock.Alignment]
    /// The passage of the first row. Each row is a passage, including the header.
    let firstPassage: Int
    /// The index of the first cell among the cells of all tables, row by row.
    let firstCell: Int
    let hasHeader: Bool
    var rowCount = 0
    /// For each column, the widths of the widest line, the longest word, and the title.
    private var widest: [Int]
    private var longest: [Int]
    private var titles: [Int]

    /// The number of columns between two cells.
    static let gap = 2

    init(alignments: [MarkupBlock.Alignment], firstPassage: Int, firstCell: Int, hasHeader: Bool) {
        self.alignments = alignments
        self.firstPassage = firstPassage
        self.firstCell = firstCell
        self.hasHeader = hasHeader
        widest = Array(repeating: 0, count: alignments.count)
        longest = widest
        titles = widest
    }

    var columnCount: Int { alignments.count }

    /// Returns the cells of a row.
    func cells(ofRow row: Int) -> Range<Int> {
        firstCell + row * columnCount..<firstCell + (row + 1) * columnCount
    }

    /// Records the widths of a cell. The header must come first.
    mutating func measure(column: Int, line: Int, word: Int) {
        if hasHeader, rowCount == 0 { titles[column] = line }
        widest[column] = max(widest[column], line)
        longest[column] = max(longest[column], word)
    }

    /// The arrangement of a table in a width.
    struct Form {
        enum Kind {
            /// Columns next to each other, with these widths.
            case columns([Int])
            /// The cells of a row below each other, with titles of this width on the left.
            case stacked(titleWidth: Int)
        }

        var kind: Kind
        /// Whether some cells have several lines.
        var wraps: Bool
    }

    /// Returns the arrangement for a width.
    ///
    /// Columns shrink to their longest words, and further if words are very long. If that is not enough, the cells are
    /// stacked.
    func form(width: Int) -> Form {
        let available = width - Self.gap * (columnCount - 1)
        if widest.reduce(0, +) <= available { return Form(kind: .columns(widest), wraps: false) }
        for limit in [Int.max, 20, 10] {
            let least = longest.map { min($0, limit) }
            guard least.reduce(0, +) <= available else { continue }
            let widths = columnWidths(natural: widest, available: available, minimum: least)
            return Form(kind: .columns(widths), wraps: true)
        }
        return Form(kind: .stacked(titleWidth: min(titles.max() ?? 0, width * 2 / 5)), wraps: true)
    }
}
