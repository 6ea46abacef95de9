/// Breaks text into lines of a width.
struct LineBreaker {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The cells of the text; nil if each scalar is a cell.
    private let clusters: ClusterCells?

    init(_ bytes: UnsafeBufferPointer<UInt8>, clusters: ClusterCells? = nil) {
        self.bytes = bytes
        self.clusters = clusters
    }

    /// Returns the end and the width of the cell at an offset.
    @inline(__always)
    private func cell(at offset: Int) -> (end: Int, width: Int) {
        if let clusters { return clusters.cell(at: offset) }
        if bytes[offset] < 0x80 { return (offset + 1, 1) }
        let (scalar, end) = bytes.scalar(at: offset)
        return (end, scalar.value < 0x1100 ? 1 : scalar.displayWidth)
    }

    private static var space: UInt8 { UInt8(ascii: " ") }
    private static var newline: UInt8 { UInt8(ascii: "\n") }

    /// Breaks running text, in which white space consists of single spaces and newlines.
    ///
    /// A line breaks at a space, which is dropped, or between wide characters as far as Japanese rules permit. A word
    /// that is longer than a line begins a new line and is broken where the line is full.
    @inline(__always)
    func breakProse(_ range: Range<Int>, width: Int, _ emit: (Range<Int>) -> Void) {
        // Fast path: a cell has at least as many bytes as columns.
        if range.count <= width, !bytes[range].contains(Self.newline) {
            if !range.isEmpty { emit(range) }
            return
        }
        var start = range.lowerBound
        var column = 0
        var offset = start
        // The last possible end of the line, the start of the next line, and the width up to the end.
        var possible: (end: Int, next: Int, column: Int)?
        var isAfterWide = false
        while offset < range.upperBound {
            let byte = bytes[offset]
            if byte == Self.space {
                column += 1
                possible = (offset, offset + 1, column)
                offset += 1
                isAfterWide = false
                continue
            }
            if byte == Self.newline {
                emit(start..<offset)
                offset += 1
                start = offset
                column = 0
                possible = nil
                isAfterWide = false
                continue
            }
            let cell = cell(at: offset)
            if cell.width == 2 || isAfterWide, offset > start, mayDivide(at: offset, after: start) {
                possible = (offset, offset, column)
            }
            if column + cell.width > width, offset > start {
                if let place = possible, place.end > start {
                    emit(start..<place.end)
                    start = place.next
                    column -= place.column
                } else {
                    emit(start..<offset)
                    start = offset
                    column = 0
                }
                possible = nil
                continue
            }
            column += cell.width
            offset = cell.end
            isAfterWide = cell.width == 2
        }
        if start < range.upperBound { emit(start..<range.upperBound) }
    }

    /// Breaks text with significant white space. Lines that are too long are broken into pieces. Continuation pieces
    /// are indented by `hang` columns like their line, and are `mark` columns narrower.
    ///
    /// A line breaks at a space, or where it is full if a word does not fit into the next line.
    @inline(__always)
    func breakVerbatim(_ range: Range<Int>, width: Int, mark: Int, _ emit: (_ piece: Range<Int>, _ hang: Int?) -> Void)
    {
        var start = range.lowerBound
        while start <= range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: Self.newline) ?? range.upperBound
            let textEnd = bytes[start..<end].lastIndex { $0 != Self.space }.map { $0 + 1 } ?? start
            if textEnd - start <= width {
                emit(start..<textEnd, nil)
            } else {
                breakLine(start..<textEnd, width, mark, emit)
            }
            start = end + 1
        }
    }

    @inline(__always)
    private func breakLine(
        _ line: Range<Int>, _ width: Int, _ mark: Int, _ emit: (_ piece: Range<Int>, _ hang: Int?) -> Void
    ) {
        let text = bytes[line].firstIndex { $0 != Self.space } ?? line.upperBound
        let hang = max(0, min(text - line.lowerBound, width / 2, width - mark - 8))
        let rest = width - hang - mark
        // If the indentation leaves no space for text, keep only a part of it.
        var start = text - line.lowerBound > width * 3 / 4 ? text - hang : line.lowerBound
        var isFirst = true
        var column = 0
        var offset = start
        var possible: (end: Int, next: Int, column: Int)?
        var isAfterWide = false
        // The best place to break a word that is longer than a line.
        var cut: (offset: Int, column: Int)?
        while offset < line.upperBound {
            if bytes[offset] == Self.space {
                column += 1
                if offset > text {
                    let end = possible?.next == offset ? possible?.end ?? offset : offset
                    possible = (end, offset + 1, column)
                }
                offset += 1
                isAfterWide = false
                cut = nil
                continue
            }
            let cell = cell(at: offset)
            if cell.width == 2 || isAfterWide, offset > max(start, text), mayDivide(at: offset, after: start) {
                possible = (offset, offset, column)
            }
            if offset > text, bytes[offset - 1].endsPart { cut = (offset, column) }
            let limit = isFirst ? width : rest
            if column + cell.width > limit, offset > start {
                let place = possible.flatMap { place in
                    place.end > start
                        && (place.column > limit / 2 || columns(ofWordAt: place.next, in: line, limit: rest) <= rest)
                        ? place : nil
                }
                if let place {
                    emit(start..<place.end, isFirst ? nil : hang)
                    start = place.next
                    column -= place.column
                } else if let place = cut, place.offset > start, place.column > limit / 2 {
                    emit(start..<place.offset, isFirst ? nil : hang)
                    start = place.offset
                    column -= place.column
                } else {
                    emit(start..<offset, isFirst ? nil : hang)
                    start = offset
                    column = 0
                }
                isFirst = false
                possible = nil
                cut = nil
                continue
            }
            column += cell.width
            offset = cell.end
            isAfterWide = cell.width == 2
        }
        emit(start..<line.upperBound, isFirst ? nil : hang)
    }

    /// Returns the width of the text up to the next space, up to `limit`.
    private func columns(ofWordAt start: Int, in line: Range<Int>, limit: Int) -> Int {
        var offset = start
        var column = 0
        while offset < line.upperBound, bytes[offset] != Self.space, column <= limit {
            let cell = cell(at: offset)
            // A line may break next to wide characters.
            if cell.width == 2, column > 0 { break }
            column += cell.width
            offset = cell.end
        }
        return column
    }

    /// Returns the width of the longest line and of the longest word.
    func columns(of range: Range<Int>) -> (line: Int, word: Int) {
        var widest = (line: 0, word: 0)
        var line = 0
        var word = 0
        var offset = range.lowerBound
        while offset < range.upperBound {
            let byte = bytes[offset]
            if byte == Self.newline || byte == Self.space {
                line = byte == Self.newline ? 0 : line + 1
                word = 0
                offset += 1
                continue
            }
            let cell = cell(at: offset)
            line += cell.width
            word = cell.width == 2 ? 2 : word + cell.width
            widest = (max(widest.line, line), max(widest.word, word))
            offset = cell.end
        }
        return widest
    }

    /// Whether a line may break next to a wide character at an offset.
    private func mayDivide(at offset: Int, after start: Int) -> Bool {
        guard bytes[offset - 1] != Self.space, !bytes.scalar(at: offset).scalar.endsLine else { return false }
        var before = offset - 1
        while before > start, bytes[before] & 0xC0 == 0x80 { before -= 1 }
        return !bytes.scalar(at: before).scalar.beginsLine
    }
}

extension UInt8 {
    /// Whether it ends a part of a long word, such as an address.
    fileprivate var endsPart: Bool {
        switch self {
        case UInt8(ascii: "/"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "?"),
            UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: "|"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }
}

extension String {
    /// Returns the text in lines of at most `width` columns, broken at spaces. See `[Span].wrapped`.
    package func wrapped(to width: Int) -> [String] {
        [Span(self)].wrapped(to: width).map(\.text)
    }
}

extension [Span] {
    /// Returns the spans in lines of at most `width` columns (at least two).
    ///
    /// Runs of spaces and tabs become one space and are dropped at a break. A newline always breaks. A word that is
    /// longer than a line is broken where the line is full. Next to wide characters (CJK, emoji), a line may break
    /// anywhere except before closing or after opening punctuation. Only white space and soft hyphens are dropped.
    package func wrapped(to width: Int) -> [[Span]] {
        let text = MarkupText(running: self)
        let range = text.bytes.indices
        var lines: [[Span]] = []
        text.withBreaker(for: range) { breaker in
            breaker.breakProse(range, width: Swift.max(2, width)) { lines.append(text.spans($0)) }
        }
        return lines
    }
}

/// Replaces tabs with spaces.
///
/// A tab moves to the next multiple of eight columns, as on every terminal. In an indentation, tabs are half as wide,
/// because less space is available than the author had.
struct TabStops {
    private var isIndentation = true
    /// The column in the original text, and the displayed column.
    private var written = 0
    private var shown = 0

    /// Returns the text with tabs replaced. It continues where the previous text ended.
    mutating func expand(_ text: String) -> String {
        var result = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.startIndex != text.startIndex {
                result += "\n"
                self = TabStops()
            }
            for (index, piece) in line.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
                if index > 0 {
                    let spaces = isIndentation ? 4 - shown % 4 : 8 - written % 8
                    written += 8 - written % 8
                    shown += spaces
                    result += String(repeating: " ", count: spaces)
                }
                result += piece
                let width = piece.displayWidth
                written += width
                shown += width
                if piece.contains(where: { $0 != " " }) { isIndentation = false }
            }
        }
        return result
    }
}
