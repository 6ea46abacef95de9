import Text

/// A text of several lines that the user types, with a cursor between its clusters.
package struct TextEditor: Hashable, Sendable {
    /// The maximum length of the text in bytes; longer insertions are ignored.
    package static let limit = 1 << 23

    private var lines: [String]
    /// The line with the cursor.
    private var row: Int
    /// The number of clusters before the cursor in its line.
    private var column: Int
    /// The screen column that Up and Down try to keep.
    private var goal: Int?
    private var length: Int
    /// The original text with its line breaks, until it is changed.
    private var original: String?

    /// Creates an editor with the cursor at the start of the text.
    package init(_ text: String = "") {
        lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        (row, column) = (0, 0)
        length = text.utf8.count
        original = text
    }

    /// The whole text.
    package var text: String { original ?? lines.joined(separator: "\n") }

    /// Edits the text or moves the cursor.
    ///
    /// - Parameters:
    ///   - event: a key or pasted text.
    ///   - width: the width of the text on the screen, which Up and Down depend on.
    ///   - page: the number of rows that Page Down moves by.
    /// - Returns: false if the event changes nothing, such as Up in the first row.
    package mutating func handle(_ event: InputEvent, width: Int, page: Int) -> Bool {
        if case .key(let press) = event {
            switch press.key {
            case .up: return move(by: -1, width: width)
            case .down: return move(by: 1, width: width)
            case .pageUp: return move(by: -page, width: width)
            case .pageDown: return move(by: page, width: width)
            default: goal = nil
            }
            switch press.key {
            case .enter:
                insert("\n")
                return true
            case .home where press.modifiers == .control: (row, column) = (0, 0)
            case .end where press.modifiers == .control: (row, column) = (lines.count - 1, lines[lines.count - 1].count)
            case .left where column == 0 && row > 0: (row, column) = (row - 1, lines[row - 1].count)
            case .right where column == lines[row].count && row + 1 < lines.count: (row, column) = (row + 1, 0)
            case .backspace where column == 0 && row > 0:
                column = lines[row - 1].count
                row -= 1
                joinNextLine()
            case .delete where column == lines[row].count && row + 1 < lines.count: joinNextLine()
            default: return edit(event)
            }
            return true
        }
        guard case .paste(let pasted) = event else { return false }
        goal = nil
        insert(pasted)
        return true
    }

    /// Handles an event that edits a single line.
    private mutating func edit(_ event: InputEvent) -> Bool {
        var line = LineEditor(lines[row], cursor: column, limit: lines[row].utf8.count + Self.limit - length)
        guard line.handle(event) else { return false }
        if line.text != lines[row] { original = nil }
        length += line.text.utf8.count - lines[row].utf8.count
        (lines[row], column) = (line.text, line.cursor)
        return true
    }

    private mutating func insert(_ added: String) {
        guard length + added.utf8.count <= Self.limit else { return }
        length += added.utf8.count
        original = nil
        let index = lines[row].index(lines[row].startIndex, offsetBy: column)
        let (before, after) = (lines[row][..<index], lines[row][index...])
        var pieces = added.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        pieces[0] = before + pieces[0]
        column = pieces[pieces.count - 1].count
        pieces[pieces.count - 1] += after
        lines.replaceSubrange(row...row, with: pieces)
        row += pieces.count - 1
    }

    private mutating func joinNextLine() {
        lines[row] += lines.remove(at: row + 1)
        original = nil
        length -= 1
    }

    // MARK: Rows of the screen

    /// A screen row: a part of a line.
    private struct Row {
        let clusters: Range<Int>
        let text: String
        /// The screen column of each cluster, and of the end.
        let columns: [Int]
    }

    /// Breaks a line into rows, after spaces if possible.
    private func rows(of line: Int, width: Int) -> [Row] {
        let clusters = lines[line].map { $0 == "\t" ? "    " : String($0).sanitized() }
        let widths = clusters.map(\.displayWidth)
        var rows: [Row] = []
        var start = 0
        repeat {
            var (end, used) = (start, 0)
            while end < clusters.count, used + widths[end] <= width {
                used += widths[end]
                end += 1
            }
            if end < clusters.count {
                let space = clusters[start..<end].lastIndex(of: " ")
                end = max(space.map { $0 + 1 } ?? end, start + 1)
            }
            var columns = [0]
            for width in widths[start..<end] { columns.append(columns[columns.count - 1] + width) }
            rows.append(Row(clusters: start..<end, text: clusters[start..<end].joined(), columns: columns))
            start = end
        } while start < clusters.count
        return rows
    }

    /// Returns the index of the row of a line that contains a column.
    private func index(of column: Int, in rows: [Row]) -> Int {
        rows.firstIndex { column < $0.clusters.upperBound } ?? rows.count - 1
    }

    /// - Returns: false if the cursor is already in the last row in that direction.
    private mutating func move(by distance: Int, width: Int) -> Bool {
        var line = row
        var laidOut = rows(of: line, width: width)
        var index = index(of: column, in: laidOut)
        let goal = goal ?? laidOut[index].columns[column - laidOut[index].clusters.lowerBound]
        var moved = 0
        while moved < abs(distance) {
            let next = index + (distance > 0 ? 1 : -1)
            if laidOut.indices.contains(next) {
                index = next
            } else {
                guard lines.indices.contains(line + (distance > 0 ? 1 : -1)) else { break }
                line += distance > 0 ? 1 : -1
                laidOut = rows(of: line, width: width)
                index = distance > 0 ? 0 : laidOut.count - 1
            }
            moved += 1
        }
        guard moved > 0 else { return false }
        self.goal = goal
        let target = laidOut[index]
        let isLast = index == laidOut.count - 1
        // The end of a row that continues is the start of the next row.
        let last = isLast ? target.clusters.count : max(0, target.clusters.count - 1)
        let offset = (0...last).last { target.columns[$0] <= goal } ?? 0
        (row, column) = (line, target.clusters.lowerBound + offset)
        return true
    }

    /// Returns the screen rows around the cursor, up to the height.
    ///
    /// - Returns: the rows, and the position of the cursor in them.
    package func shown(width: Int, height: Int) -> (rows: [String], cursor: Position) {
        let laidOut = rows(of: row, width: width)
        let current = index(of: column, in: laidOut)
        var shown = laidOut.map(\.text)
        var cursor = current
        var (first, last) = (row, row)
        // Collect as many rows as could be needed on either side.
        while first > 0, cursor < height {
            first -= 1
            let before = rows(of: first, width: width).map(\.text)
            shown = before + shown
            cursor += before.count
        }
        while last + 1 < lines.count, shown.count - cursor <= height {
            last += 1
            shown += rows(of: last, width: width).map(\.text)
        }
        let top = max(0, min(cursor - height / 2, shown.count - height))
        return (
            Array(shown.dropFirst(top).prefix(height)),
            Position(
                row: cursor - top, column: laidOut[current].columns[column - laidOut[current].clusters.lowerBound])
        )
    }
}

/// A line of text that the user types, with a cursor between its clusters.
package struct LineEditor: Hashable, Sendable {
    /// The maximum length of a line in bytes. Further text is ignored.
    package static let limit = 4096

    /// The text of the line.
    package private(set) var text = ""
    /// The number of clusters before the cursor.
    package private(set) var cursor = 0

    /// Whether the whole line is selected, so that typed text replaces it.
    package private(set) var isSelected = false

    private let limit: Int

    /// Creates the editor for a line of a longer text.
    init(_ text: String, cursor: Int, limit: Int) {
        (self.text, self.cursor, self.limit) = (text, cursor, limit)
    }

    /// Creates a line with the cursor at its end.
    ///
    /// - Parameters:
    ///   - text: the text of the line.
    ///   - isSelected: whether the first typed text replaces it.
    package init(_ text: String = "", isSelected: Bool = false) {
        self.text = text
        self.isSelected = isSelected && !text.isEmpty
        cursor = text.count
        limit = Self.limit
    }

    /// Handles an event that edits the line. Returns false for other events.
    package mutating func handle(_ event: InputEvent) -> Bool {
        defer { isSelected = false }
        switch event {
        case .paste(let text): insert(text.split(separator: "\n").joined(separator: " "))
        case .key(let press):
            switch (press.key, press.modifiers) {
            case (.character(let scalar), let modifiers) where modifiers.isSubset(of: .shift): insert(String(scalar))
            case (.backspace, _): remove(cursor - 1..<cursor)
            case (.delete, _), (.character("d"), .control): remove(cursor..<cursor + 1)
            case (.left, _), (.character("b"), .control): cursor = max(0, cursor - 1)
            case (.right, _), (.character("f"), .control): cursor = min(text.count, cursor + 1)
            case (.home, _), (.character("a"), .control): cursor = 0
            case (.end, _), (.character("e"), .control): cursor = text.count
            case (.character("u"), .control): remove(0..<cursor)
            case (.character("k"), .control): remove(cursor..<text.count)
            case (.character("w"), .control): remove(startOfWord..<cursor)
            default: return false
            }
        default: return false
        }
        return true
    }

    private var startOfWord: Int {
        let before = text.prefix(cursor)
        let word = before.reversed().drop { $0 == " " }.drop { $0 != " " }
        return word.count
    }

    private mutating func insert(_ added: String) {
        if isSelected { remove(0..<text.count) }
        guard text.utf8.count + added.utf8.count <= limit else { return }
        let index = text.index(text.startIndex, offsetBy: cursor)
        let after = text[index...]
        let before = text[..<index] + added
        // Typed text may combine with the text before or after it.
        text = String(before) + after
        cursor = min(before.count, text.count)
    }

    private mutating func remove(_ clusters: Range<Int>) {
        let clusters = (isSelected ? 0..<text.count : clusters).clamped(to: 0..<text.count)
        guard !clusters.isEmpty else { return }
        let start = text.index(text.startIndex, offsetBy: clusters.lowerBound)
        text.removeSubrange(start..<text.index(start, offsetBy: clusters.count))
        cursor = min(clusters.lowerBound, text.count)
    }

    /// Returns the visible part of the line in `width` columns, and the column of the cursor in it. A secret appears as
    /// a dot per cluster.
    package func shown(width: Int, isSecret: Bool) -> (text: String, cursor: Int) {
        // Measure each cluster after it is sanitized: a control character has the width 0, its replacement 1.
        let clusters = isSecret ? Array(repeating: "•", count: text.count) : text.map { String($0).sanitized() }
        let widths = clusters.map(\.displayWidth)
        var start = cursor
        var column = 0
        // The cursor needs a column after the text before it.
        while start > 0, column + widths[start - 1] < width {
            start -= 1
            column += widths[start]
        }
        return (clusters[start...].joined(), min(column, max(0, width - 1)))
    }
}
