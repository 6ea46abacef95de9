import Markup
import Text

/// Converts a document to text, passage by passage.
struct MarkupTextBuilder {
    private(set) var text: MarkupText
    private var numbers: [String: Int] = [:]

    /// The margin of the next passages.
    private var margin: Int32 = -1
    /// The margin of the empty line before the next passage; nil if there is none.
    private var gap: Int32?
    private var names = HeadingNames()
    private var isInNotes = false
    /// The nesting depth of bulleted lists.
    private var bulletDepth = 0
    /// The number of scalars before the next passage, without white space.
    private var ink: UInt32 = 0
    /// The start of the current passage.
    private var start = 0
    /// White space that is written only if text follows.
    private var space: (style: Style, link: Int32)?
    /// Line breaks that are written only if text follows.
    private var breaks = 0

    /// Separates two texts, so that a search does not match across them.
    private static let separator = UInt8(ascii: "\n")
    /// The maximum number of bytes. Further text is dropped.
    private static let limit = 1 << 31

    /// The base of relative links.
    private let base: URLReference?

    init(isColored: Bool, base: String? = nil) {
        text = MarkupText(isColored: isColored)
        self.base = base.map { URLReference($0.sanitized()) }
    }
}

// MARK: - Blocks

extension MarkupTextBuilder {
    /// Adds spans as running text with their links. A newline is a line break.
    mutating func add(_ spans: [Span]) {
        for span in spans {
            for (index, line) in span.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { (space, breaks) = (nil, breaks + 1) }
                append(String(line), span.style, link: Int32(clamping: span.link ?? -1))
            }
        }
    }

    mutating func add(title: String) {
        guard !title.isEmpty else { return }
        append(title, .bold)
        endPassage(.title)
        // Positions do not count the title, because it may be hidden.
        ink = 0
    }

    mutating func add(_ facts: [MarkupText.Fact]) {
        let width = (facts.map { $0.label.sanitized().displayWidth }.max() ?? 0) + 2
        for fact in facts {
            within(.mark, fact.label.sanitized() + ":", width: width) { builder in
                for (index, part) in fact.parts.enumerated() {
                    builder.append(part.text, link: part.mark.map { MarkupText.Run.link(ofMark: $0) } ?? -1)
                    if index < fact.parts.count - 1 { builder.append(", ") }
                }
                builder.endPassage(.prose)
            }
        }
    }

    mutating func add(_ document: MarkupDocument) {
        gap = text.passages.isEmpty ? nil : -1
        add(document.blocks)
        isInNotes = true
        if !document.footnotes.isEmpty { add(footnotes: document.footnotes) }
        addLinks()
    }

    /// Adds blocks below each other, with empty lines between them except in a tight list.
    private mutating func add(_ blocks: [MarkupBlock], isTight: Bool = false) {
        for (index, block) in blocks.enumerated() {
            if index > 0, !isTight, !text.passages.isEmpty { gap = margin }
            add(block)
        }
    }

    private mutating func add(_ block: MarkupBlock) {
        switch block {
        case .paragraph(let inlines):
            add(inlines, .plain)
            endPassage(.prose)
        case .heading(let level, let id, let inlines): addHeading(level: level, id: id, inlines)
        case .code(let language, let code):
            within(.indent) { builder in
                builder.append(code: code, language.flatMap { CodeLanguage(named: $0) })
                builder.endPassage(.code, isKept: true)
            }
        case .preformatted(let inlines):
            within(.indent) { builder in
                builder.addVerbatim(inlines, .plain)
                builder.endPassage(.code)
            }
        case .lines(let lines):
            appendVerbatim(lines, .plain)
            endPassage(.lines)
        case .quote(let blocks):
            within(.bar, "│", width: 2) { $0.add(blocks) }
        case .list(let start, let style, let isTight, let items): addList(start: start, style, isTight: isTight, items)
        case .definitionList(let definitions): add(definitions)
        case .table(let alignments, let header, let rows): addTable(alignments, header, rows)
        case .thematicBreak: endPassage(.thematicBreak, isKept: true)
        }
    }

    private mutating func addHeading(level: Int, id: String?, _ inlines: [MarkupInline]) {
        let passage = text.passages.count
        if level <= 2 {
            add(inlines, .bold)
            endPassage(level == 1 ? .majorHeading : .minorHeading)
        } else {
            let mark = String(repeating: "#", count: min(level, 6))
            within(.mark, mark, width: mark.count + 1) { builder in
                builder.add(inlines, .bold)
                builder.endPassage(.prose)
            }
        }
        // Headings in footnotes do not get names.
        guard !isInNotes, passage < text.passages.count else { return }
        text.headings[names.name(of: inlines, id: id)] = passage
        let title = String(decoding: text.bytes[text.passages[passage].range], as: UTF8.self)
        text.outline.append(
            MarkupText.Heading(
                level: level, title: title.split(separator: "\n").joined(separator: " "), passage: passage))
    }

    private mutating func addList(
        start: Int?, _ style: MarkupBlock.NumberStyle, isTight: Bool, _ items: [MarkupBlock.Item]
    ) {
        let bullets = ["•", "◦", "▪"]
        let bullet = bullets[min(bulletDepth, bullets.count - 1)]
        let numbers = start.map { start in
            MarkupBlock.Item.numbers(from: start, of: items).map { style.text(of: $0) + "." }
        }
        let numberWidth = numbers?.map(\.utf8.count).max() ?? 0
        if start == nil { bulletDepth += 1 }
        for (index, item) in items.enumerated() {
            if index > 0, !isTight { gap = margin }
            var mark = numbers.map { $0[index].padded(to: numberWidth, isRight: true) } ?? ""
            if let isDone = item.isDone {
                mark += (mark.isEmpty ? "" : " ") + (isDone ? "☑" : "☐")
            } else if start == nil {
                mark = bullet
            }
            within(.mark, mark, width: mark.displayWidth + 1) { builder in
                let passages = builder.text.passages.count
                builder.add(item.blocks, isTight: isTight)
                // Show the mark of an empty item too.
                if builder.text.passages.count == passages { builder.endPassage(.prose, isKept: true) }
            }
        }
        if start == nil { bulletDepth -= 1 }
    }

    private mutating func add(_ definitions: [MarkupBlock.Definition]) {
        let isTight = definitions.allSatisfy { $0.definitions.allSatisfy { $0.count <= 1 } }
        for (index, definition) in definitions.enumerated() {
            if index > 0, !isTight { gap = margin }
            for term in definition.terms {
                add(term, .bold)
                endPassage(.prose)
            }
            for blocks in definition.definitions {
                within(.indent) { $0.add(blocks) }
            }
        }
    }

    private mutating func addTable(
        _ alignments: [MarkupBlock.Alignment], _ header: [[MarkupInline]], _ rows: [[[MarkupInline]]]
    ) {
        let columns = max(alignments.count, header.count, rows.map(\.count).max() ?? 0)
        guard columns > 0 else { return }
        let hasHeader = header.contains { !$0.isEmpty }
        var table = MarkupTable(
            alignments: alignments + Array(repeating: .left, count: columns - alignments.count),
            firstPassage: text.passages.count, firstCell: text.cells.count, hasHeader: hasHeader)
        for (index, row) in (hasHeader ? [header] + rows : rows).enumerated() {
            let isHeader = hasHeader && index == 0
            let rowStart = start
            for column in 0..<columns {
                if column < row.count { add(row[column], isHeader ? .bold : .plain) }
                let cell = endText()
                text.withBreaker(for: cell) {
                    let (line, word) = $0.columns(of: cell)
                    table.measure(column: column, line: line, word: word)
                }
                text.cells.append(cell)
            }
            start = rowStart
            endPassage(.tableRow, isKept: true)
            table.rowCount += 1
        }
        if table.rowCount > 0 { text.tables.append(table) }
    }

    private mutating func add(footnotes: [[MarkupBlock]]) {
        gap = -1
        endPassage(.divider, isKept: true)
        let isTight = footnotes.allSatisfy { $0.count <= 1 }
        let width = Self.footnoteMark(footnotes.count).count + 1
        for (index, blocks) in footnotes.enumerated() {
            if index > 0, !isTight { gap = -1 }
            within(.mark, Self.footnoteMark(index + 1), width: width) { builder in
                let passages = builder.text.passages.count
                builder.text.notes.append(passages)
                builder.add(blocks)
                if builder.text.passages.count == passages { builder.endPassage(.prose, isKept: true) }
            }
        }
    }

    /// Adds the list of links, in the order of their numbers.
    private mutating func addLinks() {
        guard !text.links.isEmpty else { return }
        gap = -1
        endPassage(.divider, isKept: true)
        let width = Self.linkMark(text.links.count - 1).count + 1
        for (index, link) in text.links.enumerated() {
            within(.mark, Self.linkMark(index), width: width) { builder in
                builder.append(link.shownAddress, link: Int32(index))
                builder.endPassage(.prose, isKept: true)
            }
        }
    }

    /// Adds passages with a further margin.
    private mutating func within(
        _ kind: MarkupText.Margin.Kind, _ mark: String = "", width: Int = 0, _ add: (inout MarkupTextBuilder) -> Void
    ) {
        let outer = margin
        text.margins.append(
            MarkupText.Margin(
                kind: kind, parent: outer, width: UInt16(clamping: width), text: mark,
                firstPassage: UInt32(clamping: text.passages.count)))
        margin = Int32(clamping: text.margins.count - 1)
        add(&self)
        margin = outer
    }

    /// Ends the current passage. An empty passage is dropped unless `isKept` is true.
    private mutating func endPassage(_ kind: MarkupText.Passage.Kind, isKept: Bool = false) {
        let range = kind == .tableRow ? start..<max(start, text.bytes.count - 1) : endText()
        guard isKept || !range.isEmpty else { return }
        let inkCount = text.bytes.ink(in: range)
        text.passages.append(
            MarkupText.Passage(
                kind: kind, start: UInt32(clamping: range.lowerBound), end: UInt32(clamping: range.upperBound),
                margin: margin, gap: gap, ink: ink, table: UInt32(clamping: text.tables.count)))
        ink += UInt32(clamping: inkCount)
        gap = nil
        start = text.bytes.count
    }

    /// Ends the current text and returns its range.
    private mutating func endText() -> Range<Int> {
        (space, breaks) = (nil, 0)
        let range = start..<text.bytes.count
        text.bytes.append(Self.separator)
        start = text.bytes.count
        return range
    }
}

// MARK: - Inlines

extension MarkupTextBuilder {
    /// The style and treatment of the text being added.
    private struct Manner {
        var style = Style.plain
        var link: Int32 = -1
        var script: ScriptForm?
        var isVerbatim = false

        func adding(_ style: Style) -> Manner {
            var manner = self
            manner.style = self.style.adding(style)
            return manner
        }
    }

    private static func linkMark(_ index: Int) -> String { "[\(index + 1)]" }
    /// The caret distinguishes it from the mark of a link.
    private static func footnoteMark(_ number: Int) -> String { "[^\(number)]" }

    private mutating func add(_ inlines: [MarkupInline], _ style: Style) { add(inlines, Manner(style: style)) }

    private mutating func addVerbatim(_ inlines: [MarkupInline], _ style: Style) {
        add(inlines, Manner(style: style, isVerbatim: true))
    }

    private mutating func add(_ inlines: [MarkupInline], _ manner: Manner) {
        for inline in inlines { add(inline, manner) }
    }

    private mutating func add(_ inline: MarkupInline, _ manner: Manner) {
        switch inline {
        case .text(let text): append(text, manner)
        case .lineBreak:
            if manner.isVerbatim { append("\n", manner) } else { addBreak() }
        case .emphasis(let inlines): add(inlines, manner.adding(.italic))
        case .strong(let inlines): add(inlines, manner.adding(.bold))
        case .strikethrough(let inlines):
            // Without colors, deleted text needs a mark.
            let mark = text.isColored ? "" : "~~"
            add(opening: mark, manner)
            add(inlines, manner.adding(.strikethrough))
            add(closing: mark, manner)
        case .superscript(let inlines): add(inlines, .superscript, manner)
        case .subscript(let inlines): add(inlines, .subscript, manner)
        case .code(let code):
            let mark = text.isColored ? "" : "`"
            add(opening: mark, manner)
            append(code, manner.adding(.code))
            add(closing: mark, manner)
        case .link(let destination, let inlines):
            addLink(to: destination, manner.adding(.link)) { $0.add(inlines, $1) }
        case .image(let source, let alternative):
            addLink(to: source, manner.adding(.italic)) {
                $0.append(alternative.isEmpty ? "Image" : "Image: " + alternative, $1)
            }
        case .anchor(let name):
            // If a heading and an anchor have the same name, the heading takes precedence.
            text.headings[name] = text.headings[name] ?? text.passages.count
        case .footnote(let number):
            space = nil
            add(closing: Self.footnoteMark(number), Manner(style: .dim, link: manner.link))
        }
    }

    private mutating func addLink(
        to destination: String, _ manner: Manner, _ addText: (inout MarkupTextBuilder, Manner) -> Void
    ) {
        var manner = manner
        manner.link = number(of: destination)
        let before = text.bytes.count
        addText(&self, manner)
        if text.bytes.count == before { appendSpace() }
        add(closing: Self.linkMark(Int(manner.link)), Manner(style: .dim, link: manner.link))
    }

    /// Adds superscript or subscript, in Unicode characters if all of them exist, else in brackets.
    private mutating func add(_ inlines: [MarkupInline], _ script: ScriptForm, _ manner: Manner) {
        let text = inlines.text
        guard !text.isEmpty else { return add(inlines, manner) }
        var inside = manner
        if inlines.isSimple, text.unicodeScalars.allSatisfy({ script.form(of: $0) != nil }) {
            inside.script = script
            add(inlines, inside)
        } else {
            add(closing: script.mark + "(", manner)
            add(inlines, inside)
            add(closing: ")", manner)
        }
    }

    /// Returns the index of a link in the list of all links.
    private mutating func number(of destination: String) -> Int32 {
        if let number = numbers[destination] { return Int32(clamping: number) }
        let shown = destination.sanitized()
        let address = base.map { URLReference.resolved(shown, against: $0) } ?? shown
        text.links.append(MarkupText.Link(destination: shown, address: address))
        numbers[destination] = text.links.count - 1
        return Int32(clamping: text.links.count - 1)
    }

    // MARK: Text

    private mutating func append(_ string: String, _ style: Style = .plain, link: Int32 = -1) {
        append(string, Manner(style: style, link: link))
    }

    /// Adds text with significant white space, without trailing white space.
    private mutating func appendVerbatim(_ string: String, _ style: Style) {
        append(String(string.withoutSpaceAtEnd), Manner(style: style, isVerbatim: true))
    }

    /// Adds code, highlighted if the language is known.
    private mutating func append(code: String, _ language: CodeLanguage?) {
        guard let language else { return appendVerbatim(code, .code) }
        for token in language.tokens(in: String(code.withoutSpaceAtEnd)) {
            append(String(token.text), Manner(style: .code(token.kind), isVerbatim: true))
        }
    }

    /// Adds text with each run of white space as one space.
    private mutating func append(_ string: String, _ manner: Manner) {
        var string = string.sanitized(keeping: [.newline, .tab])
        if let script = manner.script {
            string = String(String.UnicodeScalarView(string.unicodeScalars.map { script.form(of: $0) ?? $0 }))
        }
        if manner.isVerbatim { return appendExpanded(string, manner) }
        string.withUTF8 { utf8 in
            var index = 0
            while index < utf8.count {
                if utf8[index].isSpace {
                    if text.bytes.count > start, space == nil, breaks == 0 { space = (manner.style, manner.link) }
                    index += 1
                } else if utf8.isSoftHyphen(at: index) {
                    index += 2
                } else {
                    let end = utf8.endOfWords(from: index)
                    appendSpace()
                    write(UnsafeBufferPointer(rebasing: utf8[index..<end]), manner.style, manner.link)
                    index = end
                }
            }
        }
    }

    /// Adds text unchanged, except that tabs become spaces up to the next tab stop.
    private mutating func appendExpanded(_ string: String, _ manner: Manner) {
        var string = string
        if string.utf8.contains(UInt8(ascii: "\t")) {
            let line = text.bytes[start...].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? start
            var stops = TabStops()
            _ = stops.expand(String(decoding: text.bytes[line...], as: UTF8.self))
            string = stops.expand(string)
        }
        string.withUTF8 { write($0, manner.style, manner.link) }
    }

    /// Adds a mark that stays with the following text.
    private mutating func add(opening mark: String, _ manner: Manner) {
        guard !mark.isEmpty else { return }
        appendSpace()
        add(closing: mark, manner)
    }

    /// Adds a mark that stays with the preceding text, without a space.
    private mutating func add(closing mark: String, _ manner: Manner) {
        if breaks > 0 { appendSpace() }
        var mark = mark
        mark.withUTF8 { write($0, manner.style, manner.link) }
    }

    private mutating func addBreak() {
        space = nil
        if text.bytes.count > start { breaks += 1 }
    }

    private mutating func appendSpace() {
        if breaks > 0 {
            text.bytes.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: breaks))
        } else if let space {
            text.bytes.append(UInt8(ascii: " "))
            endRun(space.style, space.link)
        }
        (space, breaks) = (nil, 0)
    }

    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>, _ style: Style, _ link: Int32) {
        guard text.bytes.count + bytes.count < Self.limit, !bytes.isEmpty else { return }
        text.bytes.append(contentsOf: bytes)
        endRun(style, link)
    }

    private mutating func endRun(_ style: Style, _ link: Int32) {
        let end = UInt32(clamping: text.bytes.count)
        if let last = text.runs.indices.last, text.runs[last].style == style, text.runs[last].link == link {
            text.runs[last].end = end
        } else {
            text.runs.append(MarkupText.Run(end: end, link: link, style: style))
        }
    }
}

extension String {
    fileprivate var withoutSpaceAtEnd: Substring {
        let end = utf8.lastIndex { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }
        return end.map { self[...$0] } ?? ""
    }
}

extension [MarkupInline] {
    /// Whether it contains only text, styles, and links.
    fileprivate var isSimple: Bool {
        allSatisfy { inline in
            switch inline {
            case .text, .code: true
            case .emphasis(let inlines), .strong(let inlines), .strikethrough(let inlines), .link(_, let inlines):
                inlines.isSimple
            case .lineBreak, .superscript, .subscript, .image, .footnote, .anchor: false
            }
        }
    }
}

extension MarkupText.Link {
    /// The address for the list. An embedded picture is cut.
    fileprivate var shownAddress: String {
        guard address.utf8.starts(with: "data:".utf8), address.utf8.count > 60 else { return address }
        return address.truncated(to: 60)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the end of words that are separated by single spaces.
    fileprivate func endOfWords(from start: Int) -> Int {
        var end = start
        while end < count {
            if self[end].isSpace {
                let next = end + 1
                guard self[end] == UInt8(ascii: " "), next < count, !self[next].isSpace else { return end }
            } else if isSoftHyphen(at: end) {
                return end
            }
            end += 1
        }
        return end
    }

    /// Whether a soft hyphen (U+00AD) is here. Terminals would show it.
    fileprivate func isSoftHyphen(at index: Int) -> Bool {
        self[index] == 0xC2 && index + 1 < count && self[index + 1] == 0xAD
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 }
}
