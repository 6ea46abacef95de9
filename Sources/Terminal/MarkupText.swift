package import Markup
import Text

/// A document as styled text. It contains everything that does not depend on the width, so that it can be laid out
/// again quickly.
///
/// It does not contain control characters, even if the document did. Links are numbered in the text and listed below
/// it.
package struct MarkupText: Sendable {
    /// A link of the document.
    package struct Link: Hashable, Sendable {
        /// The destination as in the document.
        package var destination: String
        /// The address to show: absolute, if the base is known.
        package var address: String
    }

    /// A fact about a document, shown above it.
    package struct Fact: Hashable, Sendable {
        /// The name of the fact.
        package var label: String
        /// The values of the fact.
        package var parts: [Part]

        /// A value of a fact.
        package struct Part: Hashable, Sendable {
            /// The text of the value.
            package var text: String
            /// The number that marks its spans, from 0, if it is marked.
            package var mark: Int?

            /// Creates a part of a fact.
            package init(_ text: String, mark: Int? = nil) {
                self.text = text
                self.mark = mark
            }
        }

        /// Creates a fact with one value.
        package init(_ label: String, _ value: String) { self.init(label, [Part(value)]) }

        /// Creates a fact with several values, which are separated by commas.
        package init(_ label: String, _ parts: [Part]) {
            self.label = label
            self.parts = parts
        }
    }

    /// The links of the document in the order of first use. The link at index n is shown as `[n + 1]`.
    package internal(set) var links: [Link] = []
    /// Whether code is highlighted with colors.
    package let isColored: Bool
    /// The text of all passages in UTF-8, concatenated.
    var bytes: [UInt8] = []
    /// The styles of the text from start to end.
    var runs: [Run] = []
    /// The passages from top to bottom.
    var passages: [Passage] = []
    /// The margins to the left of passages.
    var margins: [Margin] = []
    var tables: [MarkupTable] = []
    /// The texts of the cells of all tables, as ranges of ``bytes``.
    var cells: [Range<Int>] = []
    /// The headings in document order.
    package internal(set) var outline: [Heading] = []
    /// The passages of headings and other link targets, by name.
    var headings: [String: Int] = [:]
    /// The first passage of each footnote, in the order of their numbers.
    var notes: [Int] = []
    /// The number of footnotes.
    package var noteCount: Int { notes.count }

    /// A heading of a document.
    package struct Heading: Hashable, Sendable {
        /// The level, from 1.
        package let level: Int
        /// The text in one line.
        package let title: String
        /// The passage of the heading.
        let passage: Int
    }

    /// Text in one style, from the end of the previous run.
    struct Run {
        var end: UInt32
        /// An index in ``links``, or -1; -2 and below stand for the marks of facts.
        var link: Int32
        var style: Style

        /// Returns the number that stands for a mark.
        static func link(ofMark mark: Int) -> Int32 { Int32(clamping: -2 - mark) }
        /// The mark of the text, if any.
        var mark: Int? { link < -1 ? -2 - Int(link) : nil }
    }

    /// A part of a document that is laid out separately.
    struct Passage {
        enum Kind: UInt8 {
            case title
            case prose
            /// A heading of level 1 or 2, with a rule below.
            case majorHeading, minorHeading
            /// Code. Long lines are broken with a mark.
            case code
            /// Plain lines. Long lines are broken.
            case lines
            /// A rule between sections.
            case thematicBreak
            /// A rule between the text and its notes.
            case divider
            case tableRow
        }

        var kind: Kind
        /// The range of its text in ``MarkupText/bytes``.
        var start: UInt32
        var end: UInt32
        /// An index in ``MarkupText/margins``; -1 without a margin.
        var margin: Int32
        /// The margin of the empty line before it; nil if there is none.
        var gap: Int32?
        /// The number of scalars before it, without white space.
        var ink: UInt32
        /// An index in ``MarkupText/tables``.
        var table: UInt32 = 0

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    /// The margin of the passages in a quotation or a list item.
    struct Margin {
        enum Kind: UInt8 {
            /// A bar on every line.
            case bar
            /// A mark on the first line, and space on the others.
            case mark
            /// Space, which shrinks if the width is small.
            case indent
        }

        var kind: Kind
        /// The margin to the left of it, or -1.
        var parent: Int32
        var width: UInt16
        var text: String
        /// The passage with the mark.
        var firstPassage: UInt32
    }
}

extension MarkupText {
    init(isColored: Bool) { self.isColored = isColored }

    /// Converts a document to text.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - title: the title above the document.
    ///   - facts: the facts between the title and the document.
    ///   - base: the base of links without a scheme.
    ///   - isColored: whether code is highlighted with colors. Otherwise characters mark it.
    package init(
        _ document: MarkupDocument, title: String = "", facts: [Fact] = [], base: String? = nil, isColored: Bool = true
    ) {
        var builder = MarkupTextBuilder(isColored: isColored, base: base)
        builder.add(title: title)
        builder.add(facts)
        builder.add(document)
        self = builder.text
    }

    /// Creates running text from spans.
    init(running spans: [Span]) {
        var builder = MarkupTextBuilder(isColored: true)
        builder.add(spans)
        self = builder.text
    }

    /// Returns the passage that contains an offset of ``bytes``.
    func passage(at offset: Int) -> Int { max(0, passages.prefixCount { $0.start <= offset } - 1) }

    /// Returns the passage of the heading with a name, which may be percent-encoded. If no name matches exactly, the
    /// case is ignored.
    func passage(ofHeading name: Substring) -> Int? {
        let name = name.percentDecoded
        let passage = headings[name] ?? headings.first { $0.key.lowercased() == name.lowercased() }?.value
        // A link target at the end of the document is not before any passage.
        return passage.map { min($0, passages.count - 1) }
    }

    /// Calls `body` with a line breaker for a range of the text.
    func withBreaker<Result>(for range: Range<Int>, _ body: (LineBreaker) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            if UnsafeBufferPointer(rebasing: bytes[range]).isScalarByScalar { return body(LineBreaker(bytes)) }
            return body(LineBreaker(bytes, clusters: ClusterCells(bytes, spans: runs(range).map(\.range))))
        }
    }

    /// Returns the parts of a range that have a single style.
    private func runs(_ range: Range<Int>) -> [(run: Run, range: Range<Int>)] {
        var pieces: [(Run, Range<Int>)] = []
        var offset = range.lowerBound
        var index = runs.prefixCount { $0.end <= offset }
        while offset < range.upperBound, index < runs.count {
            let end = min(Int(runs[index].end), range.upperBound)
            pieces.append((runs[index], offset..<end))
            offset = end
            index += 1
        }
        return pieces
    }

    /// Returns a range of the text as spans.
    func spans(_ range: Range<Int>) -> [Span] {
        runs(range).map { run, range in
            Span(
                String(decoding: bytes[range], as: UTF8.self), run.style, link: run.link < 0 ? nil : Int(run.link),
                mark: run.mark)
        }
    }
}

extension [UInt8] {
    /// Returns the number of scalars in a range, without white space.
    func ink(in range: Range<Int>) -> Int {
        withUnsafeBufferPointer { bytes in
            bytes[range].reduce(0) { $0 + ($1.isInk ? 1 : 0) }
        }
    }

    /// Returns the start of the scalar that has `ink` scalars other than white space before it, or the end of the
    /// range.
    func place(ofInk ink: Int, in range: Range<Int>) -> Int {
        withUnsafeBufferPointer { bytes in
            var rest = ink
            for place in range where bytes[place].isInk {
                if rest == 0 { return place }
                rest -= 1
            }
            return range.upperBound
        }
    }
}

extension RandomAccessCollection {
    /// Returns the number of elements at the start that satisfy a condition, which all later elements must not satisfy.
    func prefixCount(where holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[index(startIndex, offsetBy: middle)]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension UInt8 {
    /// Whether it is the first byte of a scalar other than white space.
    fileprivate var isInk: Bool { self > 0x20 && self & 0xC0 != 0x80 }
}

/// A text to search for in a document, ignoring case and accents.
package struct MarkupQuery: Sendable {
    /// The folded text in UTF-8.
    private let bytes: [UInt8]

    /// Creates a query from the text that the user typed.
    package init(_ text: String) { bytes = Array(SearchText.fold(text).utf8) }

    /// Whether the query is empty.
    package var isEmpty: Bool { bytes.isEmpty }

    /// The maximum length of a match in bytes, for usual letters.
    var reach: Int { bytes.count * 4 + 16 }

    /// Returns the first match that begins in a range. The text may continue after the range.
    func first(in range: Range<Int>, of text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard let first = bytes.first else { return nil }
        var offset = range.lowerBound
        while offset < range.upperBound {
            let byte = text[offset]
            if byte < 0x80 {
                if byte.lowercased == first, let end = end(of: offset, in: text) { return offset..<end }
                offset += 1
            } else if byte & 0xC0 == 0x80 {
                offset += 1
            } else {
                let (scalar, next) = text.scalar(at: offset)
                if SearchText.folded(scalar) & 0xFF == UInt64(first), let end = end(of: offset, in: text) {
                    return offset..<end
                }
                offset = next
            }
        }
        return nil
    }

    /// Returns the end of the match that begins at an offset, if there is one.
    private func end(of start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var offset = start
        var matched = 0
        while offset < text.count {
            let (scalar, next) = text.scalar(at: offset)
            var folded = SearchText.folded(scalar)
            // Include combining accents after the match.
            if matched == bytes.count, folded != 0 { return offset }
            while folded != 0, matched < bytes.count {
                guard UInt8(truncatingIfNeeded: folded) == bytes[matched] else { return nil }
                matched += 1
                folded >>= 8
            }
            offset = next
        }
        return matched == bytes.count ? offset : nil
    }
}

extension MarkupLayout {
    /// Returns the columns of a line that match a query, including the part on this line of a match that spans two
    /// lines.
    package func matches(of query: MarkupQuery, inLine index: Int) -> [Range<Int>] {
        var columns: [Range<Int>] = []
        text.bytes.withUnsafeBufferPointer { bytes in
            for (piece, column) in texts(ofLine: index) {
                // A match may have begun on the line before.
                var start = max(0, piece.lowerBound - query.reach)
                while start < piece.upperBound, let match = query.first(in: start..<piece.upperBound, of: bytes) {
                    start = match.upperBound
                    let seen = match.clamped(to: piece)
                    guard !seen.isEmpty else { continue }
                    let before = text.spans(piece.lowerBound..<seen.lowerBound).displayWidth
                    let width = text.spans(seen).displayWidth
                    columns.append(column + before..<column + before + max(1, width))
                }
            }
        }
        return columns
    }

    /// Returns the first matching line at or after `start` (or at or before it if `backwards`). The search wraps
    /// around.
    package func line(with query: MarkupQuery, from start: Int, backwards: Bool = false) -> Int? {
        guard !query.isEmpty, lineCount > 0 else { return nil }
        let start = min(max(0, start), lineCount - 1)
        return text.bytes.withUnsafeBufferPointer { bytes in
            if backwards {
                return lastLine(with: query, in: 0...start, of: bytes)
                    ?? lastLine(with: query, in: start...lineCount - 1, of: bytes)
            }
            return firstLine(with: query, in: start...lineCount - 1, of: bytes)
                ?? firstLine(with: query, in: 0...start, of: bytes)
        }
    }

    private func firstLine(
        with query: MarkupQuery, in lines: ClosedRange<Int>, of bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        var place = place(ofLine: lines.lowerBound)
        let end = Int(text.passages[text.passage(at: self.place(ofLine: lines.upperBound))].end)
        while place < end, let match = query.first(in: place..<end, of: bytes) {
            // In a table, text that is adjacent on a line is not adjacent in the document.
            if let line = line(at: match), lines.contains(line) { return line }
            place = match.upperBound
        }
        return nil
    }

    /// Returns the line on which a range of the text begins; nil if it is hidden.
    private func line(at match: Range<Int>) -> Int? {
        let passage = text.passage(at: match.lowerBound)
        return isShown(passage) ? line(ofPassage: passage, at: match.lowerBound) : nil
    }

    private func lastLine(
        with query: MarkupQuery, in lines: ClosedRange<Int>, of bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        let first = text.passage(at: place(ofLine: lines.lowerBound))
        var passage = text.passage(at: place(ofLine: lines.upperBound))
        while passage >= first {
            var place = Int(text.passages[passage].start)
            var found: Int?
            while let match = query.first(in: place..<Int(text.passages[passage].end), of: bytes) {
                if let line = line(at: match), lines.contains(line) { found = max(found ?? 0, line) }
                place = match.upperBound
            }
            if let found { return found }
            passage -= 1
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
