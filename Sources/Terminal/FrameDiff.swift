/// The bytes that change a terminal from one frame to another.
package struct FrameDiff {
    private var output: [UInt8] = []
    /// The position of the terminal's cursor; nil if it is uncertain because terminals differ.
    private var cursor: Position?
    private var style = Style.plain
    private let frame: Frame
    /// The link of the text being written.
    private var link: Hyperlink?
    private let showsLinks: Bool

    /// The maximum number of unchanged columns that are written again, because moving the cursor would take more bytes.
    private static let shortGap = 4

    /// Returns the bytes that change `old` to `new`; empty if nothing changed. Without an old frame, or if the sizes
    /// differ, the screen is cleared first.
    ///
    /// The terminal shows the change at once (synchronized output, mode 2026), and has the plain style afterwards.
    ///
    /// Links are included if the terminal follows them itself; see ``Hyperlink/areShown(environment:)``.
    package static func bytes(from old: Frame?, to new: Frame, showsLinks: Bool = false) -> [UInt8] {
        let known = old.flatMap { $0.size == new.size ? $0 : nil }
        if known == new || new.size.columns == 0 || new.size.rows == 0 { return [] }
        var diff = FrameDiff(new, showsLinks: showsLinks)
        diff.write("\u{1B}[?2026h")
        if old?.cursor != nil || old == nil { diff.write("\u{1B}[?25l") }
        if known == nil { diff.write("\u{1B}[m\u{1B}[2J") }
        diff.draw(over: known ?? Frame(size: new.size))
        diff.select(.plain)
        diff.lead(to: nil)
        if let cursor = new.cursor {
            diff.move(to: cursor)
            diff.write("\u{1B}[?25h")
        }
        diff.write("\u{1B}[?2026l")
        return diff.output
    }

    private init(_ frame: Frame, showsLinks: Bool) {
        self.showsLinks = showsLinks
        self.frame = frame
    }

    private mutating func draw(over old: Frame) {
        var old = old
        var changed = changedRows(from: old)
        if let scroll = Scroll(from: old, to: frame, changed: changed) {
            write("\u{1B}[\(scroll.rows.lowerBound + 1);\(scroll.rows.upperBound)r")
            write("\u{1B}[\(abs(scroll.distance))\(scroll.distance > 0 ? "S" : "T")\u{1B}[r")
            cursor = nil
            old.scroll(rows: scroll.rows, by: scroll.distance)
            changed = changedRows(from: old)
        }
        for row in changed { draw(row, over: old[row]) }
    }

    private func changedRows(from old: Frame) -> [Int] {
        (0..<frame.size.rows).filter { !frame[$0].elementsEqual(old[$0], by: Self.looksAlike) }
    }

    private static func looksAlike(_ one: Cell, _ other: Cell) -> Bool {
        one == other || (one.isBlank && other.isBlank)
    }

    private mutating func draw(_ row: Int, over oldSlice: ArraySlice<Cell>) {
        let cells = Array(frame[row])
        let old = Array(oldSlice)
        // The rest of the row is blank and can be erased.
        let end = (cells.lastIndex { !$0.isBlank } ?? -1) + 1
        // Terminals disagree about the width of some clusters, which may overwrite their neighbors. After one of them,
        // write the rest of the row again.
        var isUnsure = false
        var column = 0
        while column < end {
            let cell = cells[column]
            let width = max(1, Int(cell.width))
            let isChanged =
                isUnsure || !Self.looksAlike(cell, old[column])
                || (width == 2 && !Self.looksAlike(cells[column + 1], old[column + 1]))
            guard isChanged else {
                column += width
                continue
            }
            if !cell.isSteady || !old[column].isSteady { isUnsure = true }
            if width == 2, !old[column + 1].isSteady { isUnsure = true }
            approach(Position(row: row, column: column), cells)
            select(cell.style)
            lead(to: cell.link)
            output.append(contentsOf: cell.cluster.utf8)
            column += width
            cursor = cell.isSteady && column < cells.count ? Position(row: row, column: column) : nil
        }
        guard isUnsure || (end..<cells.count).contains(where: { !old[$0].isBlank }) else { return }
        erase(row, from: end, cells: cells.count)
    }

    private mutating func erase(_ row: Int, from column: Int, cells: Int) {
        guard column < cells else { return }
        move(to: Position(row: row, column: column))
        // Some terminals erase with the background color of the current style, so reset it.
        select(.plain)
        lead(to: nil)
        write("\u{1B}[K")
    }

    /// Moves to a position. A short gap is crossed by writing it again.
    private mutating func approach(_ position: Position, _ cells: [Cell]) {
        if let cursor, cursor.row == position.row, cursor.column < position.column,
            position.column - cursor.column <= Self.shortGap,
            cells[cursor.column..<position.column].allSatisfy({
                $0.width == 1 && $0.cluster.isASCII && $0.style == style && $0.link == link
            })
        {
            for cell in cells[cursor.column..<position.column] { output.append(contentsOf: cell.cluster.utf8) }
            self.cursor = position
        } else {
            move(to: position)
        }
    }

    private mutating func move(to position: Position) {
        if cursor == position { return }
        if let cursor, cursor.row == position.row, cursor.column < position.column {
            let distance = position.column - cursor.column
            write(distance == 1 ? "\u{1B}[C" : "\u{1B}[\(distance)C")
        } else if position.column == 0 {
            write(position.row == 0 ? "\u{1B}[H" : "\u{1B}[\(position.row + 1)H")
        } else {
            write("\u{1B}[\(position.row + 1);\(position.column + 1)H")
        }
        cursor = position
    }

    private mutating func select(_ next: Style) {
        guard next != style else { return }
        write(next.selection(after: style))
        style = next
    }

    private mutating func lead(to next: Hyperlink?) {
        guard next != link else { return }
        link = next
        if showsLinks { write(next?.start ?? Hyperlink.end) }
    }

    private mutating func write(_ text: String) {
        output.append(contentsOf: text.utf8)
    }
}

/// A part of the screen that moved up or down as a whole.
private struct Scroll {
    let rows: Range<Int>
    /// The number of rows that it moved up; negative for down.
    let distance: Int

    /// The minimum number of rows for which scrolling pays off.
    private static let smallest = 3

    init?(from old: Frame, to new: Frame, changed: [Int]) {
        guard changed.count > Self.smallest, let first = changed.first, let last = changed.last else { return nil }
        // Equal fingerprints of different rows cost only some bytes: rows that are wrong after scrolling are written
        // again.
        let before = (0..<old.size.rows).map { old[$0].fingerprint }
        let after = (0..<new.size.rows).map { new[$0].fingerprint }
        var best: (rows: Range<Int>, distance: Int, gain: Int)?
        for size in 1...max(1, (last - first + 1) / 2) {
            for distance in [size, -size] {
                var start: Int?
                var gain = 0
                for row in first...last + 1 {
                    let source = row + distance
                    if row <= last, source >= first, source <= last, before[source] == after[row] {
                        if start == nil { start = row }
                        if after[row] != before[row] { gain += 1 }
                    } else if let begin = start {
                        if gain > (best?.gain ?? Self.smallest - 1) {
                            best = (min(begin, begin + distance)..<max(row, row + distance), distance, gain)
                        }
                        start = nil
                        gain = 0
                    }
                }
            }
        }
        // Rows that scroll in must be written, whether they changed or not.
        guard let best, best.gain > abs(best.distance) else { return nil }
        rows = best.rows
        distance = best.distance
    }
}

extension ArraySlice<Cell> {
    /// A hash of the row (FNV-1a).
    fileprivate var fingerprint: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { fingerprint, cell in
            var fingerprint = fingerprint
            func add(_ value: UInt64) { fingerprint = (fingerprint ^ value) &* 0x100_0000_01B3 }
            for byte in cell.cluster.utf8 { add(UInt64(byte)) }
            add(
                UInt64(cell.style.attributes.rawValue) << 16 | UInt64(cell.style.color?.rawValue ?? 0) << 8
                    | UInt64(cell.style.background?.rawValue ?? 0))
            return fingerprint
        }
    }
}

extension Style {
    /// Returns the shortest control sequence from another style to this one (SGR, ECMA-48).
    func selection(after other: Style) -> String {
        if self == other { return "" }
        if self == .plain { return "\u{1B}[m" }
        var changes: [Int] = []
        var kept = other.attributes
        let dropped = other.attributes.subtracting(attributes)
        // The same parameter turns off both bold and dim.
        if !dropped.isDisjoint(with: [.bold, .dim]) {
            changes.append(22)
            kept.subtract([.bold, .dim])
        }
        for (attribute, end) in [(Attributes.italic, 23), (.underline, 24), (.reverse, 27), (.strikethrough, 29)]
        where dropped.contains(attribute) {
            changes.append(end)
            kept.remove(attribute)
        }
        let added = attributes.subtracting(kept)
        changes += (1...9).filter { added.rawValue & (1 << $0) != 0 }
        if color != other.color { changes.append(color?.rawValue ?? 39) }
        if background != other.background { changes.append(background.map { $0.rawValue + 10 } ?? 49) }
        let relative = "\u{1B}[" + changes.map(String.init).joined(separator: ";") + "m"
        let absolute = "\u{1B}[0;" + selectGraphicRendition.dropFirst(2)
        return relative.utf8.count <= absolute.utf8.count ? relative : absolute
    }
}
