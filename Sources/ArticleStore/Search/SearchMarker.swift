import Text

/// Marks the matches of a search in a text.
package struct SearchMarker {
    private struct Term {
        let field: SearchQuery.Term.Field?
        let words: [[UInt8]]
        let stems: [[UInt8]]
        let isPrefix: Bool

        func isLooked(for title: Bool) -> Bool {
            field == nil || (field == .title) == title
        }
    }

    private let terms: [Term]
    private let beginnings: SearchWords.Beginnings

    /// Creates a marker for the words that articles must contain.
    package init(_ query: SearchQuery) {
        terms = query.terms.filter { !$0.isExcluded && $0.field != .tag && $0.field != .author }.map { term in
            Term(
                field: term.field, words: term.words.map { Array($0.utf8) }, stems: term.stems.map { Array($0.utf8) },
                isPrefix: term.isBeginning)
        }
        beginnings = SearchWords.Beginnings(terms.flatMap { $0.words + $0.stems })
    }

    /// Returns the title of an article with the matches marked, and an excerpt of its text.
    package func hit(
        _ summary: ArticleSummary, body: String, format: Article.Format, score: Double? = nil
    ) -> SearchHit {
        let plain = IndexedText.plain(body, format)
        let shortText = IndexedText.plain(summary.summary)
        // Stemming takes time, so skip it if the search looks only for exact words.
        let hasForms = terms.contains { !$0.stems.isEmpty }
        let mark =
            hasForms
            ? WordStem.mark(language: summary.language, texts: [IndexedText.plain(summary.title), shortText, plain])
            : ""
        // The body mostly repeats the summary at more length.
        let text = format == .markdown ? plain.withoutTableSigns : plain
        let excerpt = excerpt(of: text, mark) ?? excerpt(of: shortText, mark)
        return SearchHit(score: score, excerpt: excerpt, title: marked(summary.title, mark))
    }

    /// The maximum number of bytes of a text that are examined.
    private static let reach = 256 << 10
    /// The approximate length of an excerpt in bytes, and the length of its part before the first match. Many lists have
    /// room for 40 characters in a line, and must show the match.
    private static let (length, before) = (200, 20)

    /// Returns the title with the matches marked.
    /// - Parameter mark: the sign of the language (``WordStem/mark(language:texts:)``).
    private func marked(_ title: String, _ mark: String) -> MarkedText {
        var text = mark + title
        return text.withUTF8 { utf8 in
            let found = matches(in: utf8, title: true)
            return MarkedText(pieces(of: utf8, mark.utf8.count..<utf8.count, found.map(\.range)))
        }
    }

    /// Returns the part of a text with matches of the most terms; nil without a match.
    private func excerpt(of text: String, _ mark: String) -> MarkedText? {
        guard terms.contains(where: { $0.isLooked(for: false) }) else { return nil }
        let first = mark.utf8.count
        var text = mark + text
        return text.withUTF8 { utf8 in
            let text = UnsafeBufferPointer(rebasing: utf8.prefix(Self.reach))
            let found = matches(in: text, title: false)
            guard let start = best(found) else { return nil }
            let excerptRange = excerptRange(of: text, from: first, around: found[start].range.lowerBound)
            var pieces = pieces(of: text, excerptRange, found[start...].map(\.range))
            if excerptRange.lowerBound > first { pieces.insert(MarkedText.Piece("…"), at: 0) }
            if excerptRange.upperBound < utf8.count { pieces.append(MarkedText.Piece("…")) }
            return MarkedText(pieces)
        }
    }

    // MARK: Finding

    private struct Match {
        let term: Int
        let range: Range<Int>
    }

    /// A phrase whose first words were found, and the position at which its next word must be.
    private struct Open {
        let term: Int
        let count: Int
        let position: Int
        let start: Int
    }

    /// Returns the positions of the terms in the order of the text. In a title, they are all matches. Otherwise the
    /// search stops at the end of the first part that contains all terms.
    private func matches(in text: UnsafeBufferPointer<UInt8>, title: Bool) -> [Match] {
        var found: [Match] = []
        var open: [Open] = []
        var end = Int.max
        SearchWords.forEach(in: text, beginningWith: beginnings) { word in
            if !open.isEmpty { open.removeAll { $0.position < word.position } }
            for index in terms.indices where terms[index].isLooked(for: title) {
                take(Open(term: index, count: 0, position: word.position, start: word.range.lowerBound))
            }
            // A phrase that begins with this word continues with the next word.
            var index = 0
            while index < open.count {
                if open[index].position == word.position { take(open[index]) }
                index += 1
            }
            return found.count < 1000 && word.range.lowerBound < end

            func take(_ candidate: Open) {
                let term = terms[candidate.term]
                let isLast = candidate.count + 1 == term.words.count
                guard
                    word.text.isWord(term.words[candidate.count], isBeginning: isLast && term.isPrefix)
                        || word.isBeside && term.stems.contains(where: { word.text.isWord($0, isBeginning: false) })
                else { return }
                if isLast {
                    found.append(Match(term: candidate.term, range: candidate.start..<word.range.upperBound))
                    if !title, end == .max, let start = firstCompleteRange(found) { end = start + Self.length }
                } else {
                    open.append(
                        Open(
                            term: candidate.term, count: candidate.count + 1, position: word.position + 1,
                            start: candidate.start))
                }
            }
        }
        return found
    }

    /// Returns the beginning of a part that ends with the last match and contains all terms; nil if there is none.
    private func firstCompleteRange(_ found: [Match]) -> Int? {
        guard let last = found.last else { return nil }
        let near = found.suffix(16).drop { $0.range.lowerBound < last.range.upperBound - Self.length + Self.before }
        return Set(near.map(\.term)).count == terms.count(where: { $0.isLooked(for: false) })
            ? near.first?.range.lowerBound : nil
    }

    /// Returns the index of the match from which the most different terms are near each other.
    private func best(_ found: [Match]) -> Int? {
        var best: (start: Int, terms: Int)?
        for start in found.indices {
            let end = found[start].range.lowerBound + Self.length - Self.before
            let terms = Set(found[start...].prefix { $0.range.upperBound <= end }.prefix(16).map(\.term)).count
            if terms > best?.terms ?? 0 { best = (start, terms) }
            if terms == self.terms.count { break }
        }
        return best?.start ?? (found.isEmpty ? nil : 0)
    }

    // MARK: Cutting

    private func excerptRange(of text: UnsafeBufferPointer<UInt8>, from first: Int, around place: Int) -> Range<Int> {
        func isSpace(_ index: Int) -> Bool { text[index] <= 0x20 }
        func isInside(_ index: Int) -> Bool { index < text.count && text[index] & 0xC0 == 0x80 }
        var start = max(first, place - Self.before)
        if start > first {
            // Start at the beginning of a word if possible, and never inside a character.
            let word = (start..<place).first { isSpace($0) }.map { $0 + 1 }
            start = word ?? start
            while start < place, isInside(start) || isSpace(start) { start += 1 }
        }
        var end = min(text.count, start + Self.length)
        if end < text.count {
            end = (max(place, end - 30)..<end).last { isSpace($0) } ?? end
            while isInside(end) { end += 1 }
        }
        return start..<max(start, end)
    }

    /// Returns a part of a text on one line, with the ranges marked.
    private func pieces(
        of text: UnsafeBufferPointer<UInt8>, _ excerptRange: Range<Int>, _ ranges: [Range<Int>]
    ) -> [MarkedText.Piece] {
        var pieces: [MarkedText.Piece] = []
        func add(_ range: Range<Int>, isMarked: Bool) {
            guard !range.isEmpty else { return }
            let words = UnsafeBufferPointer(rebasing: text[range]).onOneLine
            pieces.append(MarkedText.Piece(words, isMarked: isMarked))
        }
        var end = excerptRange.lowerBound
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let (lower, upper) = (max(range.lowerBound, end), min(range.upperBound, excerptRange.upperBound))
            guard lower < upper else { continue }
            add(end..<lower, isMarked: false)
            add(lower..<upper, isMarked: true)
            end = upper
        }
        add(end..<max(end, excerptRange.upperBound), isMarked: false)
        return pieces
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a word of a text is a word of the search, or begins with it.
    fileprivate func isWord(_ word: [UInt8], isBeginning: Bool) -> Bool {
        guard isBeginning ? count >= word.count : count == word.count else { return false }
        return first == word.first && starts(with: word)
    }
}

extension ArraySlice<UInt8> {
    /// Whether it is the row of dashes below the titles of a Markdown table.
    fileprivate var isTableRule: Bool {
        var hasDash = false
        for byte in self {
            switch Unicode.Scalar(byte) {
            case "-": hasDash = true
            case "|", ":", " ", "\t", "\r": break
            default: return false
            }
        }
        return hasDash
    }
}

extension String {
    /// The text with spaces instead of the signs of Markdown tables: the bars between cells, and the row of dashes below
    /// the titles. The search index keeps these signs, because they do not belong to words.
    fileprivate var withoutTableSigns: String {
        guard contains(bytesOf: "|") else { return self }
        let bar = UInt8(ascii: "|")
        var bytes = Array(utf8)
        func clear(_ line: Range<Int>, where isSign: (UInt8) -> Bool) {
            for index in line where isSign(bytes[index]) { bytes[index] = UInt8(ascii: " ") }
        }
        var isInTable = false
        var (last, start) = (0..<0, 0)
        while start < bytes.count {
            let line = start..<(bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)
            let isRow = bytes[line].contains(bar)
            if isRow, !isInTable, bytes[last].contains(bar), bytes[line].isTableRule {
                isInTable = true
                clear(last) { $0 == bar }
                clear(line) { _ in true }
            } else if isInTable {
                isInTable = isRow
                clear(line) { $0 == bar }
            }
            (last, start) = (line, line.upperBound + 1)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The text with each run of white space replaced by a single space.
    fileprivate var onOneLine: String {
        String(unsafeUninitializedCapacity: count) { line in
            var (index, length, isAfterSpace) = (0, 0, false)
            while index < count {
                let size = spaceSize(at: index)
                if size == 0 {
                    line[length] = self[index]
                    length += 1
                } else if !isAfterSpace {
                    line[length] = UInt8(ascii: " ")
                    length += 1
                }
                isAfterSpace = size > 0
                index += Swift.max(size, 1)
            }
            return length
        }
    }

    /// The number of bytes of the white space at an index; 0 if it has none.
    private func spaceSize(at index: Int) -> Int {
        switch self[index] {
        case 0x20, 0x09...0x0D: return 1
        // All white space beyond ASCII begins with one of these bytes.
        case 0xC2, 0xE1, 0xE2, 0xE3:
            let size = self[index] == 0xC2 ? 2 : 3
            guard index + size <= count else { return 0 }
            let scalar = String(decoding: self[index..<index + size], as: UTF8.self).unicodeScalars.first
            return scalar?.properties.isWhitespace == true ? size : 0
        default: return 0
        }
    }
}
