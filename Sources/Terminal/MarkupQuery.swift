import Text

/// A text to search for in a document, ignoring case and accents.
public struct MarkupQuery: Sendable {
    /// The folded text in UTF-8.
    private let bytes: [UInt8]

    /// Creates a query from the text that the user typed.
    public init(_ text: String) { bytes = Array(SearchText.fold(text).utf8) }

    /// Whether the query is empty.
    public var isEmpty: Bool { bytes.isEmpty }

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
    public func matches(of query: MarkupQuery, inLine index: Int) -> [Range<Int>] {
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
    public func line(with query: MarkupQuery, from start: Int, backwards: Bool = false) -> Int? {
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
