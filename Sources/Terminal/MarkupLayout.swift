public import Markup
import Text

extension StyledText {
    /// A Markdown text laid out for a terminal, in lines of at most `width` columns (taken between 20 and 120). Code alone keeps its lines, however long.
    ///
    /// Links are numbered, and listed at the end. A document that cannot be read is shown as the plain text that it is.
    public init(markdown: String, width: Int) {
        guard let document = MarkupDocument(markdown: markdown.sanitized(keeping: [.newline, .tab])) else {
            self.init(plain: markdown, width: min(max(width, 20), 120))
            return
        }
        self.init(document, width: width)
    }

    /// An HTML text laid out for a terminal, in lines of at most `width` columns.
    public init(html: String, width: Int) {
        self.init(
            MarkupDocument(html: html.sanitized(keeping: [.newline, .tab])), width: width, rulesHeadings: false)
    }

    /// A plain text laid out for a terminal: its lines, the long ones wrapped, control characters made visible.
    public init(plain text: String, width: Int) {
        var layout = MarkupLayout(rulesHeadings: true)
        self.init(lines: layout.lines(of: MarkupDocument(plain: text).blocks, width: width))
    }

    /// A document laid out for a terminal, in lines of at most `width` columns (taken between 20 and 120), with a rule
    /// beneath the headings of the first two levels where `rulesHeadings`.
    public init(_ document: MarkupDocument, width: Int, rulesHeadings: Bool = true) {
        let width = min(max(width, 20), 120)
        var layout = MarkupLayout(rulesHeadings: rulesHeadings)
        var blocks = document.blocks
        if !document.footnotes.isEmpty {
            blocks += [.thematicBreak]
            blocks += [.list(start: 1, isTight: false, items: document.footnotes.map { .init(blocks: $0) })]
        }
        self.init(lines: layout.lines(of: blocks, width: width), links: layout.links)
        guard !links.isEmpty else { return }
        lines.append([])
        for (index, link) in links.enumerated() {
            let number = "[\(index + 1)] "
            lines += [Span(link, .plain, link: index)].wrapped(to: width - number.count)
                .prefixed(first: [Span(number, .dim)], rest: [Span(String(repeating: " ", count: number.count))])
        }
    }
}

/// Lays the blocks of a document out, and collects its links.
private struct MarkupLayout {
    /// Whether there is a rule beneath the headings of the first two levels.
    let rulesHeadings: Bool
    private(set) var links: [String] = []
    private var numbers: [String: Int] = [:]

    /// Below this width, quotes and lists are no longer indented.
    private static let narrowest = 10

    init(rulesHeadings: Bool) { self.rulesHeadings = rulesHeadings }

    /// The blocks below each other, an empty line between them unless the list they are in is tight.
    mutating func lines(of blocks: [MarkupBlock], width: Int, isTight: Bool = false) -> [[Span]] {
        var all: [[[Span]]] = []
        for block in blocks {
            let lines = lines(of: block, width: width)
            if !lines.isEmpty { all.append(lines) }
        }
        return Array<[Span]>(all.joined(separator: isTight ? [] : [[]]))
    }

    private mutating func lines(of block: MarkupBlock, width: Int) -> [[Span]] {
        switch block {
        case .paragraph(let inlines): return spans(of: inlines).wrapped(to: width)
        case .heading(let level, _, let inlines):
            let lines = spans(of: inlines, .bold).wrapped(to: width)
            guard rulesHeadings, level <= 2, let length = lines.map(\.displayWidth).max() else { return lines }
            return lines + [[Span(String(repeating: level == 1 ? "═" : "─", count: length), .bold)]]
        case .code(_, let code):
            let code = code.sanitized(keeping: [.newline, .tab])
            let text = code.hasSuffix("\n") ? code.dropLast() : code[...]
            return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                line.isEmpty ? [] : [Span("    " + line.expandingTabs, Style(color: .cyan))]
            }
        case .preformatted(let inlines): return preformatted(inlines).wrapped(to: width)
        case .lines(let text): return lines(ofPlain: text, width: width)
        case .thematicBreak: return [[Span(String(repeating: "─", count: width), .dim)]]
        case .quote(let blocks):
            guard width - 2 >= Self.narrowest else { return lines(of: blocks, width: width) }
            let bar = Span("│ ", .dim)
            return lines(of: blocks, width: width - 2).prefixed(first: [bar], rest: [bar])
        case .list(let start, let isTight, let items):
            let marks = items.indices.map { index in start.map { "\($0 + index). " } ?? "• " }
            let markWidth = marks.map(\.displayWidth).max() ?? 0
            var lists: [[[Span]]] = []
            for (item, mark) in zip(items, marks) {
                lists.append(
                    lines(of: item, mark: mark.padded(to: markWidth, isRight: true), width: width, isTight: isTight))
            }
            return Array<[Span]>(lists.joined(separator: isTight ? [] : [[]]))
        case .definitionList(let definitions):
            return definitions.flatMap { definition -> [[Span]] in
                let terms = definition.terms.flatMap { spans(of: $0, .bold).wrapped(to: width) }
                let indent = [Span("    ")]
                return definition.definitions.reduce(into: terms) { lines, blocks in
                    lines += self.lines(of: blocks, width: max(width - 4, Self.narrowest))
                        .prefixed(first: indent, rest: indent)
                }
            }
        case .table(let alignments, let header, let rows):
            var cells: [[[Span]]] = []
            for (index, row) in ([header] + rows).enumerated() {
                var spans: [[Span]] = []
                for cell in row { spans.append(self.spans(of: cell, index == 0 ? .bold : .plain)) }
                cells.append(spans)
            }
            return MarkupTable(alignments: alignments, header: cells[0], rows: Array(cells.dropFirst()))
                .lines(width: width)
        }
    }

    private mutating func lines(of item: MarkupBlock.Item, mark: String, width: Int, isTight: Bool) -> [[Span]] {
        let box = item.isDone.map { $0 ? "[x] " : "[ ] " } ?? ""
        var indent = mark.displayWidth + box.count
        let isNarrow = width - indent < Self.narrowest
        if isNarrow { indent = 0 }
        let lines = lines(of: item.blocks, width: width - indent, isTight: isTight)
        let first = Span(mark + box, .dim)
        // No room to indent: the mark has a line of its own.
        if isNarrow { return [first].wrapped(to: width) + lines }
        return (lines.isEmpty ? [[]] : lines).prefixed(
            first: [first], rest: [Span(String(repeating: " ", count: indent))])
    }

    private func lines(ofPlain text: String, width: Int) -> [[Span]] {
        var lines = text.sanitized(keeping: [.newline, .tab]).split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { line in
                // Indentation means something in plain text; wrapping would take it away.
                line.isPrintableASCII && line.utf8.count <= width || line.isEmpty
                    ? [[Span(line)]] : [Span(line)].wrapped(to: width)
            }
        while lines.last?.text.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Text in which white space counts: spaces that do not break keep the shape.
    private mutating func preformatted(_ inlines: [MarkupInline]) -> [Span] {
        var spans: [Span] = []
        for inline in inlines {
            if case .text(let text) = inline {
                let shaped = text.sanitized(keeping: [.newline, .tab]).replacing("\t", with: "    ")
                spans.add(Span(shaped.replacing(" ", with: "\u{A0}")))
            } else {
                add([inline], .plain, link: nil, to: &spans)
            }
        }
        return spans
    }

    private mutating func spans(of inlines: [MarkupInline], _ style: Style = .plain) -> [Span] {
        var spans: [Span] = []
        add(inlines, style, link: nil, to: &spans)
        return spans
    }

    private mutating func add(_ inlines: [MarkupInline], _ style: Style, link: Int?, to spans: inout [Span]) {
        for inline in inlines {
            switch inline {
            case .text(let text): spans.add(Span(text.sanitized(), style, link: link))
            case .lineBreak: spans.add(Span("\n", style, link: link))
            case .emphasis(let inlines): add(inlines, style.adding(.italic), link: link, to: &spans)
            case .strong(let inlines): add(inlines, style.adding(.bold), link: link, to: &spans)
            case .strikethrough(let inlines): add(inlines, style.adding(.strikethrough), link: link, to: &spans)
            case .superscript(let inlines), .subscript(let inlines): add(inlines, style, link: link, to: &spans)
            case .code(let text): spans.add(Span(text.sanitized(), style.adding(Style(color: .cyan)), link: link))
            case .link(let destination, let inlines):
                let link = number(of: destination)
                add(inlines, style.adding(Style(attributes: .underline, color: .blue)), link: link, to: &spans)
                addMark(of: link, to: &spans)
            case .image(let source, let alternative):
                let link = number(of: source)
                let style = style.adding(.italic)
                spans.add(Span("Image: " + alternative.sanitized(), style, link: link))
                addMark(of: link, to: &spans)
            case .footnote(let number): spans.add(Span("[^\(number)]", .dim, link: link))
            }
        }
    }

    /// No space before it, so that the number stays with its text.
    private func addMark(of link: Int, to spans: inout [Span]) { spans.add(Span("[\(link + 1)]", .dim, link: link)) }

    /// The index of a link among all.
    private mutating func number(of destination: String) -> Int {
        let destination = destination.sanitized()
        if let number = numbers[destination] { return number }
        links.append(destination)
        numbers[destination] = links.count - 1
        return links.count - 1
    }
}

extension [[Span]] {
    /// The lines, each after something; an empty line gets no spaces.
    fileprivate func prefixed(first: [Span], rest: [Span]) -> [[Span]] {
        enumerated().map { index, line in
            let prefix = index == 0 ? first : rest
            return line.isEmpty && prefix.text.allSatisfy { $0 == " " } ? [] : prefix + line
        }
    }
}

extension StringProtocol {
    /// The text with spaces up to the next multiple of eight columns in the place of each tab.
    fileprivate var expandingTabs: String {
        guard utf8.contains(UInt8(ascii: "\t")) else { return String(self) }
        var result = ""
        var column = 0
        for piece in split(separator: "\t", omittingEmptySubsequences: false) {
            if !result.isEmpty || piece.startIndex != startIndex {
                let spaces = 8 - column % 8
                result += String(repeating: " ", count: spaces)
                column += spaces
            }
            result += piece
            column += piece.displayWidth
        }
        return result
    }
}
