import Text
import Platform

/// Rewrites Markdown before md4c reads it, to support syntax that md4c does not.
///
/// - A footnote's text (`[^name]: …`) and a definition (`: …` below its term) become list items with a marker at the
///   start, so that md4c finds their ends. ``MarkdownExtensions`` converts them back in the tree.
/// - Tables: the header gets as many cells as the longest row, delimiters get three dashes, and empty cells get a
///   space, because md4c 0.4.8 drops them otherwise. An empty line separates a table from the paragraph before it.
/// - Elements whose names begin with `pre`, `script`, `style`, or `textarea` (`<Preview>`) are renamed temporarily.
///   md4c 0.4.8 compares only these letters, and would take all following text for the content of the element.
/// - Tabs after the line under a heading are removed, because md4c 0.4.8 takes them for text.
/// - Lines of attributes (`{: .class}`, kramdown) are removed.
/// - `_` and `~` in bare addresses are replaced temporarily, so that they cannot begin emphasis.
struct MarkdownSource {
    /// The text for md4c.
    private(set) var text: [UInt8]
    /// Whether ``MarkdownExtensions`` must convert markers.
    private(set) var hasExtensions = false
    /// The names of the footnotes with a text, in lower case.
    private(set) var noteNames: Set<[UInt8]> = []
    /// Whether `_` and `~` were replaced, or elements renamed.
    private(set) var hasReplacements = false

    /// Private-use characters that serve as markers. A text that already contains them is not rewritten.
    enum Mark {
        static let noteStart: Unicode.Scalar = "\u{10FFF0}"
        static let noteEnd: Unicode.Scalar = "\u{10FFF1}"
        static let term: Unicode.Scalar = "\u{10FFF2}"
        static let definition: Unicode.Scalar = "\u{10FFF3}"
        static let underscore: Unicode.Scalar = "\u{10FFF4}"
        static let tilde: Unicode.Scalar = "\u{10FFF5}"
        /// The first bytes in UTF-8 of all markers. Only characters up to U+10FFFF begin with them.
        static let start: [UInt8] = [0xF4, 0x8F, 0xBF]
        /// The prefix of a renamed element. With it, the name is an element name for md4c too.
        static let component: StaticString = "zq-component-"
    }

    /// Rewrites a text; nil if nothing must be rewritten, as in most texts.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let signs = Signs(bytes)
        guard signs.any, !signs.containsReservedCharacters else { return nil }
        var rewriter = Rewriter(bytes, signs)
        rewriter.rewrite()
        guard rewriter.isChanged else { return nil }
        text = rewriter.output
        hasExtensions = rewriter.hasExtensions
        noteNames = rewriter.noteNames
        hasReplacements = rewriter.hasReplacements
    }
}

extension MarkdownSource {
    /// Returns the lower-case name in `[^name]` at an index, and its end.
    static func noteName(
        in bytes: UnsafeBufferPointer<UInt8>, at index: Int, before end: Int
    ) -> (name: [UInt8], end: Int)? {
        guard index + 3 < end, bytes[index] == UInt8(ascii: "["), bytes[index + 1] == UInt8(ascii: "^") else {
            return nil
        }
        var last = index + 2
        while last < min(end, index + 200), bytes[last] != UInt8(ascii: "]") {
            if bytes[last].isHTMLSpace || bytes[last] == UInt8(ascii: "[") { return nil }
            last += 1
        }
        guard last > index + 2, last < end, bytes[last] == UInt8(ascii: "]") else { return nil }
        return (bytes[(index + 2)..<last].map { $0.isASCIILetter ? $0 | 0x20 : $0 }, last + 1)
    }
}

/// The syntax in a text that may have to be rewritten, found by a quick scan. Each character is searched for
/// separately, because most texts do not contain any.
private struct Signs {
    /// Whether the text contains `[^` and `]:`.
    private(set) var hasNotes = false
    /// Whether a line begins with a colon.
    private(set) var hasDefinitions = false
    /// Whether there is a line of bars and dashes.
    private(set) var hasTables = false
    /// Whether the text contains `{:`.
    private(set) var hasAttributes = false
    /// Whether a possible address contains `_` or `~`.
    private(set) var hasAddresses = false
    /// Whether there is an element whose name md4c confuses with another.
    private(set) var hasComponents = false
    /// Whether a tab follows a line under a heading.
    private(set) var hasTabbedUnderlines = false
    /// Whether the text already contains a character of `MarkdownSource.Mark`. Such a text is not rewritten.
    private(set) var containsReservedCharacters = false
    /// The end of the last possible address that was checked.
    private var endOfAddress = 0

    var any: Bool {
        hasNotes || hasDefinitions || hasTables || hasAttributes || hasAddresses || hasComponents || hasTabbedUnderlines
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var hasNoteStart = false
        bytes.forEach(UInt8(ascii: "^")) { index in
            hasNoteStart = index > 0 && bytes[index - 1] == UInt8(ascii: "[")
            return !hasNoteStart
        }
        bytes.forEach(UInt8(ascii: ":")) { index in
            if index > 0, bytes[index - 1] == UInt8(ascii: "]") { hasNotes = hasNoteStart }
            if index > 0, bytes[index - 1] == UInt8(ascii: "{") { hasAttributes = true }
            if index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "/"), bytes[index + 2] == UInt8(ascii: "/") {
                noteAddress(in: bytes, from: index + 3)
            }
            if !hasDefinitions { hasDefinitions = Self.beginsLine(index, in: bytes) }
            return true
        }
        if !hasAddresses {
            endOfAddress = 0
            bytes.forEach(UInt8(ascii: "w")) { index in
                if index + 3 < bytes.count, bytes[index + 1] == UInt8(ascii: "w"), bytes[index + 2] == UInt8(ascii: "w")
                {
                    noteAddress(in: bytes, from: index + 3)
                }
                return !hasAddresses
            }
        }
        var endOfLine = 0
        bytes.forEach(UInt8(ascii: "|")) { index in
            // The first bar of a line decides.
            if index >= endOfLine {
                endOfLine = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
                hasTables = Self.isDelimiter(index, before: endOfLine, in: bytes)
            }
            return !hasTables
        }
        bytes.forEach(UInt8(ascii: "<")) { index in
            if case .another = TextElement(bytes[(index + 1)...]) { hasComponents = true }
            return !hasComponents
        }
        if hasComponents { containsReservedCharacters = bytes.contains(MarkdownSource.Mark.component) }
        bytes.forEach(0x09) { index in
            hasTabbedUnderlines = index > 0 && "-= ".utf8.contains(bytes[index - 1])
            return !hasTabbedUnderlines
        }
        bytes.forEach(0xF4) { _ in
            containsReservedCharacters = true
            return false
        }
    }

    private mutating func noteAddress(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        var index = max(start, endOfAddress)
        while !hasAddresses, index < bytes.count, bytes[index] > 0x20 {
            if bytes[index] == UInt8(ascii: "_") || bytes[index] == UInt8(ascii: "~") { hasAddresses = true }
            index += 1
        }
        endOfAddress = index
    }

    private static func beginsLine(_ colon: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = colon
        while index > 0, colon - index < 4, bytes[index - 1] == 0x20 { index -= 1 }
        return index == 0 || bytes[index - 1] == 0x0A
    }

    /// Whether the line around a bar contains only characters of a table's delimiter line.
    private static func isDelimiter(_ bar: Int, before end: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        func isPart(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "|"), UInt8(ascii: "-"), UInt8(ascii: ":"), 0x20, 0x09, 0x0D: true
            default: false
            }
        }
        guard bytes[bar..<end].allSatisfy(isPart) else { return false }
        var start = bar
        while start > 0, isPart(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: ">") { start -= 1 }
        return (start == 0 || bytes[start - 1] == 0x0A) && bytes[start..<end].contains(UInt8(ascii: "-"))
    }
}

/// The kind of an element's content, judged by the start of its name.
private enum TextElement {
    /// The content is text up to this end tag.
    case text(end: String)
    /// The name has the same beginning as that of an element with text content.
    case another

    /// Returns nil for another element.
    init?(_ name: Slice<UnsafeBufferPointer<UInt8>>) {
        for word in ["pre", "script", "style", "textarea"] where name.startsInEitherCase(with: word) {
            let next = name.dropFirst(word.utf8.count).first
            self = next.map { $0.isHTMLSpace || $0 == UInt8(ascii: ">") } ?? true ? .text(end: "</\(word)>") : .another
            return
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Calls `body` for each index of a byte until it returns false.
    func forEach(_ byte: UInt8, _ body: (Int) -> Bool) {
        guard let start = baseAddress else { return }
        var index = 0
        while index < count, let found = memchr(start + index, Int32(byte), count - index) {
            index = found - UnsafeMutableRawPointer(mutating: start)
            if !body(index) { return }
            index += 1
        }
    }
}

private struct Rewriter {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let signs: Signs
    private var lines: [Line] = []
    private(set) var output: [UInt8] = []
    private(set) var hasExtensions = false
    private(set) var noteNames: Set<[UInt8]> = []
    private(set) var hasReplacements = false
    private(set) var isChanged = false

    private struct Line {
        /// The range without the line feed.
        var range: Range<Int>
        /// The start of the text after spaces and quotation markers.
        var start: Int
        var isQuoted = false
        /// Whether it is in a fence, indented as code, or in an HTML element with code.
        var isCode = false
        var role = Role.text
        var isBlank: Bool { start == range.upperBound }
        var indent: Int { start - range.lowerBound }
    }

    private enum Role {
        case text
        case attributes
        case note
        /// It looks like a footnote's text, but is not referenced.
        case unusedNote
        case term
        case definition
        case header(missing: Int, followsText: Bool)
        case delimiters(missing: Int)
        case row(columns: Int)
        /// It begins with an element whose name md4c confuses with another.
        case component
        /// The line under a heading, with tabs at its end.
        case underline
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ signs: Signs) {
        self.bytes = bytes
        self.signs = signs
    }

    mutating func rewrite() {
        findLines()
        findCode()
        if signs.hasNotes { findNotes() }
        if signs.hasDefinitions { findDefinitions() }
        if signs.hasAttributes { findAttributes() }
        if signs.hasTables { findTables() }
        if signs.hasTabbedUnderlines { findUnderlines() }
        output.reserveCapacity(bytes.count + bytes.count / 16)
        for index in lines.indices { write(index) }
        // The last line does not end with a line feed.
        output.removeLast()
    }

    private func text(_ line: Line) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[line.start..<line.range.upperBound])
    }
}

// MARK: - Lines

extension Rewriter {
    private mutating func findLines() {
        var start = 0
        while start <= bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            var line = Line(range: start..<end, start: start)
            while line.start < end {
                let byte = bytes[line.start]
                if byte == UInt8(ascii: ">") {
                    line.isQuoted = true
                } else if byte != 0x20, byte != 0x09, byte != 0x0D {
                    break
                }
                line.start += 1
            }
            lines.append(line)
            start = end + 1
        }
    }

    private mutating func findCode() {
        var fence: (mark: UInt8, count: Int)?
        var element: String?
        var isInList = false
        var followsBlank = true
        for index in lines.indices {
            let line = lines[index]
            let text = text(line)
            if let open = fence {
                lines[index].isCode = true
                let count = text.prefix { $0 == open.mark }.count
                if count >= open.count, text.dropFirst(count).allSatisfy(\.isHTMLSpace) { fence = nil }
                continue
            }
            if let name = element {
                lines[index].isCode = true
                if text.containsInEitherCase(name) { element = nil }
                continue
            }
            if line.isBlank {
                followsBlank = true
                continue
            }
            let afterMarks = text.dropFirst(Self.listMarks(text))
            if afterMarks.startIndex > 0 {
                isInList = true
            } else if line.indent == 0, followsBlank {
                isInList = false
            }
            let isIndented = line.indent >= (isInList ? 10 : 4) || bytes[line.range.lowerBound] == 0x09 && !isInList
            if isIndented, !line.isQuoted, followsBlank || index > 0 && lines[index - 1].isCode {
                lines[index].isCode = true
                continue
            }
            followsBlank = false
            if let mark = afterMarks.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") {
                let count = afterMarks.prefix { $0 == mark }.count
                if count >= 3, mark == UInt8(ascii: "~") || !afterMarks.dropFirst(count).contains(mark) {
                    fence = (mark, count)
                    lines[index].isCode = true
                }
            } else if afterMarks.first == UInt8(ascii: "<") {
                let name = afterMarks.dropFirst()
                var end: String?
                switch TextElement(bytes[(line.start + name.startIndex)..<line.range.upperBound]) {
                case .text(let tag): end = tag
                case .another: lines[index].role = .component
                case nil: if name.starts(with: "!--".utf8) { end = "-->" }
                }
                guard let end else { continue }
                if !text.containsInEitherCase(end) { element = end }
                lines[index].isCode = true
            }
        }
    }

    /// Returns the length of the list markers at the start of the text, with the spaces after them.
    private static func listMarks(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var index = 0
        while index < text.count {
            var end = index
            if "-+*".utf8.contains(text[index]) {
                end += 1
            } else {
                while end < text.count, text[end].isASCIIDigit, end - index < 9 { end += 1 }
                guard end > index, end < text.count, text[end] == UInt8(ascii: ".") || text[end] == UInt8(ascii: ")")
                else {
                    return index
                }
                end += 1
            }
            guard end < text.count, text[end] == 0x20 || text[end] == 0x09 else { return index }
            while end < text.count, text[end] == 0x20 || text[end] == 0x09 { end += 1 }
            index = end
        }
        return index
    }
}

// MARK: - Footnotes, definitions, attributes

extension Rewriter {
    private func noteName(at index: Int, before end: Int) -> (name: [UInt8], end: Int)? {
        MarkdownSource.noteName(in: bytes, at: index, before: end)
    }

    private mutating func findNotes() {
        var names: [(line: Int, name: [UInt8])] = []
        var references: Set<[UInt8]> = []
        for index in lines.indices where !lines[index].isCode {
            let line = lines[index]
            var at = line.start
            if !line.isQuoted, line.indent < 4, let found = noteName(at: at, before: line.range.upperBound),
                found.end < line.range.upperBound, bytes[found.end] == UInt8(ascii: ":")
            {
                names.append((index, found.name))
                at = found.end
            }
            while at < line.range.upperBound,
                let next = bytes[at..<line.range.upperBound].firstIndex(of: UInt8(ascii: "["))
            {
                if let found = noteName(at: next, before: line.range.upperBound) { references.insert(found.name) }
                at = next + 1
            }
        }
        for (line, name) in names {
            guard references.contains(name) else {
                lines[line].role = .unusedNote
                continue
            }
            lines[line].role = .note
            // If a name occurs twice, the first footnote counts.
            references.remove(name)
            noteNames.insert(name)
        }
    }

    private mutating func findDefinitions() {
        var isOpen = false
        for index in lines.indices where !lines[index].isCode && !lines[index].isBlank {
            let line = lines[index]
            let followsBlank = index == 0 || lines[index - 1].isBlank
            guard isDefinition(line) else {
                if line.indent < 2, followsBlank { isOpen = false }
                continue
            }
            var last = index - 1
            if last >= 0, lines[last].isBlank { last -= 1 }
            if isOpen {
                lines[index].role = .definition
                continue
            }
            var first = last
            while first >= 0, last - first < 4, isTerm(lines[first]) { first -= 1 }
            guard first < last, first < 0 || lines[first].isBlank else { continue }
            for term in (first + 1)...last { lines[term].role = .term }
            lines[index].role = .definition
            isOpen = true
        }
    }

    private func isDefinition(_ line: Line) -> Bool {
        let text = text(line)
        return !line.isQuoted && line.indent < 4 && text.count > 2 && text[0] == UInt8(ascii: ":")
            && (text[1] == 0x20 || text[1] == 0x09) && text[2...].contains { !$0.isHTMLSpace }
    }

    private func isTerm(_ line: Line) -> Bool {
        guard !line.isBlank, !line.isCode, !line.isQuoted, line.indent < 4, case .text = line.role else { return false }
        let text = text(line)
        return !"#>|:=<{".utf8.contains(text[0]) && Self.listMarks(text) == 0 && !text.starts(with: "---".utf8)
    }

    private mutating func findAttributes() {
        for index in lines.indices where !lines[index].isCode {
            let text = text(lines[index])
            guard text.starts(with: "{:".utf8), let end = text.firstIndex(of: UInt8(ascii: "}")) else { continue }
            if text[(end + 1)...].allSatisfy(\.isHTMLSpace) { lines[index].role = .attributes }
        }
    }
}

// MARK: - Tables

extension Rewriter {
    private mutating func findTables() {
        var index = 1
        // The first line of this paragraph: no blank line is between it and the current one.
        var first = 0
        while index < lines.count {
            defer { index += 1 }
            if lines[index - 1].isBlank { first = index }
            guard isDelimiters(lines[index]), !lines[index - 1].isBlank, !lines[index - 1].isCode,
                case .text = lines[index - 1].role
            else { continue }
            let columns = cellCount(lines[index])
            let titles = cellCount(lines[index - 1])
            var widest = max(columns, titles)
            var end = index + 1
            while end < lines.count, !lines[end].isBlank, !lines[end].isCode,
                lines[end].isQuoted == lines[index].isQuoted, case .text = lines[end].role
            {
                widest = max(widest, cellCount(lines[end]))
                end += 1
            }
            // Limit the columns to the supported number. Further cells stay in the last column.
            widest = max(columns, min(widest, TreeBuilder.columnLimit))
            for row in (index + 1)..<end { lines[row].role = .row(columns: widest) }
            lines[index - 1].role = .header(
                missing: widest - titles, followsText: isText(before: index - 1, from: first))
            lines[index].role = .delimiters(missing: widest - columns)
            index = end - 1
            first = end
        }
    }

    /// Whether the line before another is text of the paragraph that begins at `first`, and not in an HTML element.
    private func isText(before index: Int, from first: Int) -> Bool {
        guard first < index, !lines[index - 1].isCode, lines[index - 1].isQuoted == lines[index].isQuoted,
            case .text = lines[index - 1].role
        else { return false }
        return bytes[lines[first].start] != UInt8(ascii: "<")
    }

    private mutating func findUnderlines() {
        for index in lines.indices.dropFirst() where !lines[index].isCode && !lines[index - 1].isBlank {
            guard case .text = lines[index].role, let sign = text(lines[index]).first, "-=".utf8.contains(sign) else {
                continue
            }
            let rest = text(lines[index]).drop { $0 == sign }
            if rest.contains(0x09), rest.allSatisfy(\.isHTMLSpace) { lines[index].role = .underline }
        }
    }

    private func isDelimiters(_ line: Line) -> Bool {
        guard !line.isCode, !line.isBlank, case .text = line.role else { return false }
        var hasBar = false
        var dashes = 0
        var isAfterEnd = false
        for byte in text(line) {
            switch byte {
            case UInt8(ascii: "|"):
                // Only the first bar may lack a dash before it.
                if dashes == 0, hasBar { return false }
                hasBar = true
                dashes = 0
                isAfterEnd = false
            case UInt8(ascii: "-"):
                if isAfterEnd { return false }
                dashes += 1
            case UInt8(ascii: ":"):
                if isAfterEnd { return false }
                isAfterEnd = dashes > 0
            case 0x20, 0x09, 0x0D: isAfterEnd = dashes > 0
            default: return false
            }
        }
        return hasBar
    }

    /// Returns the bars that separate cells, without those in code or after a backslash.
    private func bars(_ line: Line) -> [Int] {
        var bars: [Int] = []
        var index = line.start
        let end = line.range.upperBound
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "|"): bars.append(index)
            case UInt8(ascii: "`"):
                let count = bytes[index..<end].prefix { $0 == UInt8(ascii: "`") }.count
                if let close = closingTicks(count, in: (index + count)..<end) {
                    index = close - 1
                } else {
                    index += count - 1
                }
            default: break
            }
            index += 1
        }
        return bars
    }

    private func closingTicks(_ count: Int, in range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while let next = bytes[index..<range.upperBound].firstIndex(of: UInt8(ascii: "`")) {
            let found = bytes[next..<range.upperBound].prefix { $0 == UInt8(ascii: "`") }.count
            index = next + found
            if found == count { return index }
        }
        return nil
    }

    private func cellCount(_ line: Line) -> Int {
        let bars = bars(line)
        guard let first = bars.first, let last = bars.last else { return 1 }
        let isFirst = first == line.start
        let isLast = bytes[(last + 1)..<line.range.upperBound].allSatisfy(\.isHTMLSpace)
        return max(1, bars.count + 1 - (isFirst ? 1 : 0) - (isLast && bars.count > (isFirst ? 1 : 0) ? 1 : 0))
    }
}

// MARK: - Writing

extension Rewriter {
    private mutating func put(_ text: String) { output.append(contentsOf: text.utf8) }
    private mutating func put(_ mark: Unicode.Scalar) { output.append(contentsOf: String(mark).utf8) }

    private mutating func write(_ index: Int) {
        let line = lines[index]
        let end = line.range.upperBound
        if case .text = line.role {} else { isChanged = true }
        switch line.role {
        case .text: copy(line.range)
        case .attributes:
            // The attributes end their block.
            if index + 1 == lines.count || lines[index + 1].isBlank { return }
        case .note:
            guard let found = noteName(at: line.start, before: end) else { return }
            hasExtensions = true
            put("+   ")
            put(MarkdownSource.Mark.noteStart)
            output.append(contentsOf: found.name)
            put(MarkdownSource.Mark.noteEnd)
            let rest = (found.end + 1)..<end
            put("\n")
            if bytes[rest].contains(where: { !$0.isHTMLSpace }) {
                put("\n    ")
                copy(rest.lowerBound + bytes[rest].prefix(while: \.isHTMLSpace).count..<end)
            }
        case .unusedNote:
            // It is text, but ends the paragraph before it, as a footnote does.
            put("\n\\")
            copy(line.start..<end)
        case .term:
            hasExtensions = true
            put(MarkdownSource.Mark.term)
            put(" ")
            copy(line.start..<end)
            put("\n")
        case .definition:
            hasExtensions = true
            let spaces = bytes[(line.start + 1)..<end].prefix { $0 == 0x20 }.count
            let width = (1...4).contains(spaces) ? spaces : 3
            let indent = String(repeating: " ", count: width)
            put("+" + indent)
            put(MarkdownSource.Mark.definition)
            put("\n\n " + indent)
            copy(line.start + 1 + bytes[(line.start + 1)..<end].prefix(while: \.isHTMLSpace).count..<end)
        case .header(let missing, let followsText):
            if followsText {
                output.append(contentsOf: bytes[line.range.lowerBound..<line.start])
                output.append(0x0A)
            }
            copyRow(line, columns: missing >= 0 ? .max : TreeBuilder.columnLimit)
            guard missing > 0 else { break }
            let isClosed = bars(line).last.map { bytes[($0 + 1)..<end].allSatisfy(\.isHTMLSpace) } ?? false
            if !isClosed { put(" |") }
            put(String(repeating: " |", count: missing))
        case .delimiters(let missing):
            copy(line.range.lowerBound..<line.start)
            put("|")
            for cell in text(line).split(separator: UInt8(ascii: "|")) {
                let cell = cell.filter { !$0.isHTMLSpace }
                guard !cell.isEmpty else { continue }
                put((cell.first == UInt8(ascii: ":") ? ":---" : "---") + (cell.last == UInt8(ascii: ":") ? ":|" : "|"))
            }
            put(String(repeating: "---|", count: missing))
        case .row(let columns): copyRow(line, columns: columns)
        case .component:
            let name = line.start + Self.listMarks(text(line)) + 1
            copy(line.range.lowerBound..<name)
            output.append(MarkdownSource.Mark.component)
            hasReplacements = true
            copy(name..<end)
        case .underline:
            let rest = bytes[line.range].reversed().drop(while: \.isHTMLSpace)
            output.append(contentsOf: rest.reversed())
        }
        output.append(0x0A)
    }

    /// Copies a row with a space in each empty cell, up to a number of cells.
    private mutating func copyRow(_ line: Line, columns: Int) {
        var done = line.range.lowerBound
        var end = line.range.upperBound
        while end > line.start, bytes[end - 1].isHTMLSpace { end -= 1 }
        var cells = 1
        for bar in bars(line) {
            copy(done..<bar)
            if bar > line.start, bytes[bar - 1] == UInt8(ascii: "|") { output.append(0x20) }
            if bar > line.start { cells += 1 }
            if cells > columns, bar < end - 1 { output.append(UInt8(ascii: "\\")) }
            output.append(UInt8(ascii: "|"))
            done = bar + 1
        }
        copy(done..<max(done, end))
    }

    /// Copies text with `_` and `~` in bare addresses replaced.
    private mutating func copy(_ range: Range<Int>) {
        guard signs.hasAddresses else {
            output.append(contentsOf: bytes[range])
            return
        }
        var index = range.lowerBound
        var copied = index
        while index < range.upperBound {
            guard let end = endOfAddress(at: index, in: range) else {
                index += 1
                continue
            }
            output.append(contentsOf: bytes[copied..<index])
            copied = end
            for byte in bytes[index..<end] {
                switch byte {
                case UInt8(ascii: "_"): put(MarkdownSource.Mark.underscore)
                case UInt8(ascii: "~"): put(MarkdownSource.Mark.tilde)
                default:
                    output.append(byte)
                    continue
                }
                hasReplacements = true
                isChanged = true
            }
            index = end
        }
        output.append(contentsOf: bytes[copied..<range.upperBound])
    }

    private func endOfAddress(at start: Int, in range: Range<Int>) -> Int? {
        guard bytes[start] == UInt8(ascii: "h") || bytes[start] == UInt8(ascii: "w"),
            start == range.lowerBound || !bytes[start - 1].isASCIILetterOrDigit
        else { return nil }
        let rest = bytes[start..<range.upperBound]
        guard ["https://", "http://", "www."].contains(where: { rest.starts(with: $0.utf8) }) else { return nil }
        var end = start
        var parentheses = 0
        scan: while end < range.upperBound {
            switch bytes[end] {
            case 0...0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "]"), UInt8(ascii: "\""),
                UInt8(ascii: "`"),
                UInt8(ascii: "|"), UInt8(ascii: "*"):
                break scan
            case UInt8(ascii: "("): parentheses += 1
            case UInt8(ascii: ")"):
                parentheses -= 1
                if parentheses < 0 { break scan }
            default: break
            }
            end += 1
        }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
        return start + Autolinks.withoutPunctuation(text, 0..<text.count)
    }
}

extension Collection<UInt8> {
    /// Whether it begins with a lower-case text, ignoring case.
    fileprivate func startsInEitherCase(with text: String) -> Bool {
        count >= text.utf8.count && zip(self, text.utf8).allSatisfy { $0 == $1 || $1.isASCIILetter && $0 | 0x20 == $1 }
    }

    /// Whether it contains a lower-case text, ignoring case.
    fileprivate func containsInEitherCase(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.startsInEitherCase(with: text) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
