package import Terminal

/// A minimal terminal that understands only the output of `FrameDiff`.
package struct EmulatedTerminal {
    /// The content of one column of one row.
    package struct Glyph: Hashable {
        /// The text.
        package var text = " "
        /// Its width in columns; 0 for the right half of a wide character.
        package var width = 1
        /// The style.
        package var style = Style.plain
        /// The link (OSC 8) as it was written, with its parameters and its address, or an empty text.
        package var link = ""
    }

    /// The size.
    package let size: Size
    /// Draws clusters of several scalars scalar by scalar, like terminals without support for ZWJ.
    package var drawsScalars = false
    /// The cells, row by row.
    package private(set) var rows: [[Glyph]]
    /// The position of the cursor.
    package private(set) var position = Position(row: 0, column: 0)
    /// Whether the cursor is visible.
    package private(set) var isCursorShown = true
    /// Whether output is held back.
    package private(set) var isSynchronized = false
    /// The style of the next text.
    package private(set) var style = Style.plain
    /// Output that a terminal should never receive.
    package private(set) var mistakes: [String] = []
    /// The encoded content of the clipboard (OSC 52).
    package private(set) var clipboard = ""
    /// The link of the next text.
    private var link = ""
    private var region: Range<Int>

    /// A blank terminal.
    package init(size: Size, drawsScalars: Bool = false) {
        self.size = size
        self.drawsScalars = drawsScalars
        rows = Array(repeating: Array(repeating: Glyph(), count: size.columns), count: size.rows)
        region = 0..<size.rows
    }

    /// Receives output of a program.
    package mutating func write(_ bytes: [UInt8]) {
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        var place = 0
        var text = String.UnicodeScalarView()
        while place < scalars.count {
            let scalar = scalars[place]
            guard scalar == "\u{1B}" else {
                if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
                    mistakes.append("control \(scalar.value)")
                }
                text.append(scalar)
                place += 1
                continue
            }
            put(String(text))
            text = String.UnicodeScalarView()
            if scalars[place...].starts(with: "\u{1B}]52;c;".unicodeScalars),
                let end = scalars[place...].firstIndex(of: "\u{7}")
            {
                clipboard = String(String.UnicodeScalarView(scalars[(place + 7)..<end]))
                place = end + 1
                continue
            }
            if scalars[place...].starts(with: "\u{1B}]8;".unicodeScalars),
                let end = scalars[(place + 1)...].firstIndex(of: "\u{1B}"),
                scalars[end...].starts(with: "\u{1B}\\".unicodeScalars)
            {
                link = String(String.UnicodeScalarView(scalars[(place + 4)..<end]))
                if link == ";" { link = "" }
                place = end + 2
                continue
            }
            guard place + 1 < scalars.count, scalars[place + 1] == "[",
                let end = scalars[(place + 2)...].firstIndex(where: { (0x40...0x7E).contains($0.value) })
            else {
                mistakes.append("sequence at \(place)")
                return
            }
            control(
                String(String.UnicodeScalarView(scalars[(place + 2)..<end])), final: Character(scalars[end]))
            place = end + 1
        }
        put(String(text))
    }

    private mutating func control(_ parameters: String, final: Character) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = max(1, numbers.first ?? 1)
        switch (final, parameters) {
        case ("h", "?2026"): isSynchronized = true
        case ("l", "?2026"): isSynchronized = false
        case ("h", "?25"): isCursorShown = true
        case ("l", "?25"): isCursorShown = false
        case ("H", _):
            position = Position(row: first - 1, column: max(1, numbers.count > 1 ? numbers[1] : 1) - 1)
        case ("C", _): position.column += first
        case ("J", "2"):
            rows = Array(repeating: Array(repeating: Glyph(style: style), count: size.columns), count: size.rows)
        case ("K", ""):
            for column in position.column..<size.columns { set(position.row, column, Glyph(style: style)) }
        case ("r", ""):
            region = 0..<size.rows
            position = Position(row: 0, column: 0)
        case ("r", _):
            region = first - 1..<numbers[1]
            position = Position(row: 0, column: 0)
        case ("S", _): scroll(first)
        case ("T", _): scroll(-first)
        case ("m", _): select(numbers)
        default: mistakes.append("ESC [ \(parameters) \(final)")
        }
        if !(0..<size.rows).contains(position.row) || !(0..<size.columns).contains(position.column) {
            mistakes.append("cursor at \(position)")
        }
    }

    private mutating func scroll(_ distance: Int) {
        let before = rows
        for row in region {
            rows[row] =
                region.contains(row + distance)
                ? before[row + distance] : Array(repeating: Glyph(style: style), count: size.columns)
        }
    }

    private mutating func select(_ numbers: [Int]) {
        for number in numbers {
            switch number {
            case 0: style = .plain
            case 22: style.attributes.subtract([.bold, .dim])
            case 23: style.attributes.remove(.italic)
            case 24: style.attributes.remove(.underline)
            case 27: style.attributes.remove(.reverse)
            case 29: style.attributes.remove(.strikethrough)
            case 39: style.color = nil
            case 49: style.background = nil
            case 1...9: style.attributes.insert(.init(rawValue: 1 << UInt16(number)))
            default:
                if let color = Style.Color(rawValue: number) {
                    style.color = color
                } else if let color = Style.Color(rawValue: number - 10) {
                    style.background = color
                } else {
                    mistakes.append("style \(number)")
                }
            }
        }
    }

    private mutating func put(_ text: String) {
        for cluster in text {
            if drawsScalars {
                for scalar in cluster.unicodeScalars where scalar.displayWidth > 0 {
                    put(String(scalar), width: scalar.displayWidth)
                }
            } else {
                put(String(cluster), width: cluster.displayWidth)
            }
        }
    }

    /// Without autowrap, text beyond the last column is drawn in that column again and again.
    private mutating func put(_ text: String, width: Int) {
        let column = min(position.column, size.columns - width)
        set(position.row, column, Glyph(text: text, width: width, style: style, link: link))
        if width == 2 { set(position.row, column + 1, Glyph(text: " ", width: 0, style: style)) }
        position.column = min(column + width, size.columns - 1)
    }

    private mutating func set(_ row: Int, _ column: Int, _ cell: Glyph) {
        if cell.width > 0, rows[row][column].width == 0, column > 0 { rows[row][column - 1] = Glyph(style: style) }
        if rows[row][column].width == 2, column + 1 < size.columns { rows[row][column + 1] = Glyph(style: style) }
        rows[row][column] = cell
    }

    /// Describes the first difference between the screen and the frame; nil if they agree. Columns of `ignored` do not count.
    package func difference(from frame: Frame, except ignored: (Cell) -> Bool = { _ in false }) -> String? {
        if let mistake = mistakes.first { return mistake }
        if size.columns == 0 || size.rows == 0 { return nil }
        if isSynchronized || style != .plain || !link.isEmpty { return "left in mode 2026, in a style or in a link" }
        if isCursorShown != (frame.cursor != nil) { return "cursor shown: \(isCursorShown)" }
        if let cursor = frame.cursor, cursor != position { return "cursor at \(position), not \(cursor)" }
        for row in 0..<size.rows {
            var skips = false
            for (column, (wanted, shown)) in zip(frame[row], rows[row]).enumerated() {
                // The right half of an ignored character is ignored as well.
                skips = wanted.width == 0 ? skips : ignored(wanted)
                let isBlank =
                    shown.text == " " && shown.width == 1 && shown.style.background == nil
                    && shown.style.attributes.isDisjoint(with: [.reverse, .underline, .strikethrough])
                if skips || (wanted.isBlank && isBlank) { continue }
                // Canonically equivalent clusters look alike.
                if String(wanted.cluster) == shown.text, Int(wanted.width) == shown.width, wanted.style == shown.style {
                    continue
                }
                return "row \(row), column \(column): \(wanted.cluster.unicodeScalars.map(\.value)) \(wanted.width)"
                    + " \(wanted.style), shown \(shown.text.unicodeScalars.map(\.value)) \(shown.width) \(shown.style)"
            }
        }
        return nil
    }
}
