import Text

extension StyledText {
    /// A Markdown text laid out for a terminal, in lines of at most `width` columns (taken between 20 and 120). Code alone keeps its lines, however long.
    ///
    /// Links are numbered, and listed at the end. A document that `MarkdownDocument` refuses is shown as the plain text that it is.
    public init(markdown: String, width: Int) {
        let width = min(max(width, 20), 120)
        guard let document = MarkdownDocument(markdown) else {
            self.init(plain: markdown, width: width)
            return
        }
        self.init(lines: document.blocks.lines(width: width), links: document.links)
        guard !links.isEmpty else { return }
        lines.append([])
        for (place, link) in links.enumerated() {
            let number = "[\(place + 1)] "
            lines += [Span(link, .plain, link: place)].wrapped(to: width - number.count)
                .prefixed(first: [Span(number, .dim)], rest: [Span(String(repeating: " ", count: number.count))])
        }
    }

    /// An HTML text laid out for a terminal, in lines of at most `width` columns.
    public init(html: String, width: Int) {
        self = HTMLText(html).text(width: min(max(width, 20), 120))
    }

    /// A plain text laid out for a terminal: its lines, the long ones wrapped, control characters made visible.
    public init(plain text: String, width: Int) {
        self.init(
            lines: text.sanitized(keeping: [.newline, .tab]).split(separator: "\n", omittingEmptySubsequences: false)
                .flatMap { line in
                    // Indentation means something in plain text; wrapping would take it away.
                    line.isPrintableASCII && line.utf8.count <= width || line.isEmpty
                        ? [[Span(line)]] : [Span(line)].wrapped(to: width)
                }
        )
        while lines.last?.text.isEmpty == true { lines.removeLast() }
    }
}

extension [MarkdownBlock] {
    /// The blocks below each other, an empty line between them unless the list they are in is tight.
    fileprivate func lines(width: Int, isTight: Bool = false) -> [[Span]] {
        Array<[Span]>(map { $0.lines(width: width) }.filter { !$0.isEmpty }.joined(separator: isTight ? [] : [[]]))
    }
}

extension MarkdownBlock {
    /// Below this width, quotes and lists are no longer indented.
    private static let narrowest = 10

    fileprivate func lines(width: Int) -> [[Span]] {
        switch self {
        case .paragraph(let spans): return spans.wrapped(to: width)
        case .heading(let level, let spans):
            let lines = spans.wrapped(to: width)
            guard level <= 2, let length = lines.map(\.displayWidth).max() else { return lines }
            return lines + [[Span(String(repeating: level == 1 ? "═" : "─", count: length), .bold)]]
        case .code(let code):
            let text = code.hasSuffix("\n") ? code.dropLast() : code[...]
            return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                line.isEmpty ? [] : [Span("    " + line.expandingTabs, Style(color: .cyan))]
            }
        case .thematicBreak: return [[Span(String(repeating: "─", count: width), .dim)]]
        case .quote(let blocks):
            guard width - 2 >= Self.narrowest else { return blocks.lines(width: width) }
            let bar = Span("│ ", .dim)
            return blocks.lines(width: width - 2).prefixed(first: [bar], rest: [bar])
        case .list(let start, let isTight, let items):
            let marks = items.indices.map { place in start.map { "\($0 + place). " } ?? "• " }
            let markWidth = marks.map(\.displayWidth).max() ?? 0
            let lists = zip(items, marks).map { item, mark in
                Self.lines(of: item, mark: mark.padded(to: markWidth, isRight: true), width: width, isTight: isTight)
            }
            return Array<[Span]>(lists.joined(separator: isTight ? [] : [[]]))
        case .table(let alignments, let header, let rows):
            return MarkdownTable(alignments: alignments, header: header, rows: rows).lines(width: width)
        }
    }

    private static func lines(of item: Item, mark: String, width: Int, isTight: Bool) -> [[Span]] {
        let box = item.isDone.map { $0 ? "[x] " : "[ ] " } ?? ""
        var indent = mark.displayWidth + box.count
        let isNarrow = width - indent < Self.narrowest
        if isNarrow { indent = 0 }
        let lines = item.blocks.lines(width: width - indent, isTight: isTight)
        let first = Span(mark + box, .dim)
        // No room to indent: the mark has a line of its own.
        if isNarrow { return [first].wrapped(to: width) + lines }
        return (lines.isEmpty ? [[]] : lines).prefixed(
            first: [first], rest: [Span(String(repeating: " ", count: indent))])
    }
}

extension [[Span]] {
    /// The lines, each after something; an empty line gets no spaces.
    fileprivate func prefixed(first: [Span], rest: [Span]) -> [[Span]] {
        enumerated().map { place, line in
            let prefix = place == 0 ? first : rest
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
