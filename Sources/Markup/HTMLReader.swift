import CGumbo
import Text

/// Reads HTML with gumbo, which builds the same tree as a browser, and extracts the readable content. It does not load
/// resources, apply styles, or run scripts.
struct HTMLReader {
    /// The maximum size of a page.
    static let sizeLimit = 16 * 1024 * 1024

    /// The result of reading a page.
    struct Page {
        var document: MarkupDocument
        /// The title in the head.
        var title: String?
    }

    /// Reads a page or a part of one; nil if it is too large or malicious.
    static func page(_ html: String) -> Page? {
        var html = html
        return html.withUTF8 { page($0) }
    }

    static func page(_ html: UnsafeBufferPointer<UInt8>) -> Page? {
        guard html.count <= sizeLimit else { return nil }
        guard let renamed = HTMLSource.renamingNoscript(in: html) else { return read(html) }
        return renamed.withUnsafeBufferPointer { read($0) }
    }

    private static func read(_ html: UnsafeBufferPointer<UInt8>) -> Page? {
        guard let start = html.baseAddress else { return Page(document: MarkupDocument(blocks: [])) }
        return start.withMemoryRebound(to: CChar.self, capacity: html.count) { start in
            guard let page = cgumbo_read(start, html.count) else { return nil }
            defer { cgumbo_free(page) }
            let root = HTMLNode(cgumbo_document(page))
            var reader = HTMLReader(outline: HTMLOutline(root))
            return reader.read(root)
        }
    }

    private let outline: HTMLOutline
    private var builder = TreeBuilder()
    private var table: HTMLTable?
    private var isInNotes = false
    /// The address of the last picture or the text of the last formula, and the number of pieces at that time. Pages
    /// repeat both for browsers that cannot show them.
    private var latest: (text: String, pieceCount: Int)?
    /// The number of `noscript` elements that may still be read.
    private var fallbacks = 1000
    /// The open numbered lists: the number of the next item, its number without a `value` attribute, and the step
    /// between items.
    private var lists: [(node: HTMLNode, next: Int, implied: Int, step: Int)] = []
    /// Whether a link leads to another place in the page.
    private var hasFragments = false
    private var hasAnchors = false
    /// The names of places to which links lead.
    private var names: Set<String> = []
    /// The end action of each open element, and the white space rule to restore after it.
    private var ends: [(end: End, whiteSpace: TreeBuilder.WhiteSpace)] = []

    private enum End {
        case nothing
        case line
        case leaf
        case container
        case numberedList
        case span
        case link(label: String?, start: Int)
        case summary
        case term
        case cell(HTMLTable.Cell, isTitle: Bool)
        case row
        case caption
        case table
        case text(String)
    }

    private init(outline: HTMLOutline) { self.outline = outline }

    private mutating func read(_ root: HTMLNode) -> Page {
        walk(root)
        var document = MarkupDocument(blocks: builder.finish())
        isInNotes = true
        for note in outline.notes {
            builder = TreeBuilder()
            note.children.forEach { walk($0) }
            document.footnotes.append(builder.finish())
        }
        // A reference to a footnote may be in an element that is not read, so number the footnotes now.
        document.numberFootnotes()
        document.dropImpliedNames()
        if hasFragments || hasAnchors { document.matchAnchors() }
        if let base = outline.base { document = document.resolved(against: base) }
        return Page(document: document, title: outline.title)
    }

    private mutating func walk(_ root: HTMLNode) {
        root.walk(
            enter: { node in
                if let text = node.text {
                    builder.add(text)
                    return false
                }
                guard let element = node.element else { return false }
                if element.isPlace { addAnchors(node, element) }
                guard let end = begin(node, element) else { return false }
                if !element.isPlace { addAnchors(node, element) }
                ends.append((end, builder.whiteSpace))
                if let whiteSpace = Self.whiteSpace(of: node) { builder.whiteSpace = whiteSpace }
                return true
            },
            leave: { _ in
                guard let last = ends.popLast() else { return }
                finish(last.end)
                builder.whiteSpace = last.whiteSpace
            })
    }

    /// Adds the names with which links lead to an element.
    private mutating func addAnchors(_ node: HTMLNode, _ element: HTMLElement) {
        guard node.hasAttributes, !(isInNotes && element == .item) else { return }
        if case .heading = builder.leaf, element == .heading { return }
        for name in [node.value("id"), element == .link ? node.value("name") : nil] {
            guard let name = name.map(Self.name(withoutPrefix:)), Self.isName(name), names.insert(name).inserted else {
                continue
            }
            builder.addAnchor(name)
            hasAnchors = true
        }
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 256 && !name.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
    }

    /// Returns the white space rule that an element's style sets.
    private static func whiteSpace(of node: HTMLNode) -> TreeBuilder.WhiteSpace? {
        guard node.hasAttributes, let style = node.attribute("style")?.lowercased(),
            let range = style.firstRange(of: "white-space:")
        else { return nil }
        return
            switch style[range.upperBound...].drop(while: { $0 == " " }).prefix(while: { $0.isLetter || $0 == "-" })
        {
        case "pre", "pre-wrap", "break-spaces": .kept
        case "pre-line": .lines
        case "normal", "nowrap": .collapsed
        default: nil
        }
    }

    /// Handles the start of an element; nil if its content must not be read.
    private mutating func begin(_ node: HTMLNode, _ element: HTMLElement) -> End? {
        if node.hasAttributes, isHidden(node, element) {
            if let formula = HTMLFormula.only(in: node) { add(formula: formula) }
            return nil
        }
        if node.hasAttributes, let formula = DrawnFormula(node) {
            guard let math = formula.math else {
                add(formula: formula.text)
                return nil
            }
            if !outline.isUnclosed(math) { return begin(math, .formula) }
        }
        switch element {
        case .transparent: return .nothing
        case .head:
            // The parser moves a `<noscript>` or `<script>` at the start of a fragment into the head.
            for child in node.children {
                if let element = child.element, [.fallback, .hidden].contains(element) { _ = begin(child, element) }
            }
            return nil
        case .hidden where node.tag == GUMBO_TAG_SCRIPT:
            if let text = HTMLFormula.text(ofScript: node) { add(formula: text) }
            return nil
        case .hidden: return nil
        case .formula where outline.isUnclosed(node): return .nothing
        case .formula:
            let isBlock = node.value("display") == "block"
            if isBlock { builder.endLine() }
            add(formula: node)
            if isBlock { builder.endLine() }
            return nil
        case .fallback:
            for text in node.children.compactMap(\.text) { addPictures(inFallback: text) }
            return nil
        case .block:
            if outline.isNotes(node) { return nil }
            builder.endLine()
            return .line
        case .paragraph:
            if builder.isInline {
                builder.endLine()
                return .line
            }
            builder.begin(.paragraph(isImplied: false))
            return .leaf
        case .heading:
            if builder.isInline {
                builder.endLine()
                return .line
            }
            let name = Self.name(of: node)
            builder.begin(.heading(level: node.headingLevel, id: name))
            if let name {
                names.insert(name)
                builder.dropAnchor(name)
            }
            return .leaf
        case .preformatted:
            if builder.isInline {
                builder.endLine()
                return .line
            }
            let isLines = node.attribute("class") == "lines"
            builder.begin(isLines ? .lines : .preformatted(language: LanguageName.of(node)))
            return .leaf
        case .quote: return begin(.quote)
        case .bulletList: return begin(.list(start: nil))
        case .numberedList:
            if outline.isNotes(node) { return nil }
            return beginNumberedList(node)
        case .definitionList: return begin(.definitionList)
        case .definition: return begin(.definition)
        case .item:
            if !builder.isInline { return beginItem(node) }
            builder.endLine()
            builder.add("• ")
            return .line
        case .term:
            builder.endLine()
            if builder.isInline { return .line }
            builder.begin(.cell)
            return .term
        case .table:
            if builder.isInline || outline.isLayout(node) {
                builder.endLine()
                return .line
            }
            builder.endLeaf()
            table = HTMLTable()
            return .table
        case .tableRow:
            guard table != nil else {
                builder.endLine()
                return .line
            }
            table?.begin(row: node)
            return .row
        case .tableCell:
            guard table != nil else {
                builder.endLine()
                return .line
            }
            builder.begin(.cell)
            let cell = HTMLTable.Cell(node)
            // It is the title of a row; the titles of columns are in the header.
            let isTitle = cell.isHead && table?.isHeader == false
            if isTitle { builder.begin(.strong) }
            return .cell(cell, isTitle: isTitle)
        case .tableCaption:
            guard table != nil else {
                builder.endLine()
                return .line
            }
            builder.begin(.cell)
            return .caption
        case .thematicBreak:
            if builder.isInline { builder.endLine() } else { builder.add(.thematicBreak) }
            return nil
        case .summary:
            builder.endLine()
            builder.begin(.strong)
            return .summary
        case .lineBreak:
            builder.addBreak()
            return nil
        case .image:
            addImage(node)
            return nil
        case .link: return beginLink(node)
        case .media:
            guard let source = Self.source(of: node) else { return .nothing }
            // It is a separate box, whatever is next to it.
            builder.add(" ")
            builder.begin(.link(source))
            builder.add(node.value("title") ?? node.value("aria-label") ?? source)
            builder.endSpan()
            builder.add(" ")
            return nil
        case .emphasis: return begin(.emphasis)
        case .strong: return begin(.strong)
        case .strikethrough: return begin(.strikethrough)
        case .superscript: return begin(.superscript)
        case .subscript: return begin(.subscript)
        case .code: return begin(.code)
        case .quotation:
            builder.add("“")
            return .text("”")
        case .rubyText:
            builder.add("(")
            return .text(")")
        case .input:
            if node.attribute("type")?.lowercased() == "checkbox" {
                _ = builder.setTask(isDone: node.attribute("checked") != nil)
            }
            return nil
        }
    }

    private mutating func begin(_ container: TreeBuilder.Container) -> End {
        if builder.isInline {
            builder.endLine()
            return .line
        }
        builder.begin(container)
        return .container
    }

    private mutating func beginNumberedList(_ node: HTMLNode) -> End {
        let items = node.children.filter { $0.element == .item }
        let isReversed = node.attribute("reversed") != nil
        let start = Self.number(items.first, "value") ?? Self.number(node, "start") ?? (isReversed ? items.count : 1)
        let style = node.value("type").flatMap(MarkupBlock.NumberStyle.init) ?? .decimal
        guard case .container = begin(.list(start: start, style: style)) else { return .line }
        lists.append((node, start, start, isReversed ? -1 : 1))
        return .numberedList
    }

    private mutating func beginItem(_ node: HTMLNode) -> End {
        let end = begin(.item)
        guard let last = lists.indices.last, node.parent == lists[last].node else { return end }
        let number = Self.number(node, "value") ?? lists[last].next
        if number != lists[last].implied { builder.setNumber(number) }
        lists[last].implied = number + 1
        lists[last].next = number + lists[last].step
        return end
    }

    private mutating func begin(_ span: TreeBuilder.Span) -> End {
        builder.begin(span)
        return .span
    }

    private mutating func finish(_ end: End) {
        switch end {
        case .nothing: break
        case .line: builder.endLine()
        case .leaf: builder.endLeaf()
        case .container: builder.end()
        case .numberedList:
            lists.removeLast()
            builder.end()
        case .span: builder.endSpan()
        case .link(let label, let start):
            // If the content of the link is invisible, use its label.
            if builder.pieceCount == start, let label { builder.add(label) }
            builder.endSpan()
        case .summary:
            builder.endSpan()
            builder.endLine()
        case .term:
            let term = builder.removeInlines()
            builder.add(term: term)
        case .cell(let cell, let isTitle):
            if isTitle { builder.endSpan() }
            table?.add(builder.removeInlines(), as: cell)
        case .row: table?.endRow()
        case .caption: table?.caption = builder.removeInlines()
        case .table:
            guard let table else { return }
            self.table = nil
            if !table.caption.isBlank { builder.add(.paragraph(table.caption)) }
            builder.add(table: table.body, header: table.header, alignments: table.alignments)
        case .text(let text): builder.add(text)
        }
    }

    private mutating func beginLink(_ node: HTMLNode) -> End? {
        guard let destination = node.attribute("href").map(Self.address), !destination.isEmpty else { return .nothing }
        if destination.hasPrefix("#") {
            hasFragments = true
            if let number = outline.noteNumber(of: destination.dropFirst()) {
                builder.addFootnote(number)
                return nil
            }
            if isInNotes, HTMLOutline.isBackLink(node) { return nil }
            // In code, the link is a line number; in a heading, it is a link to the heading itself.
            if case .preformatted = builder.leaf { return .nothing }
            if case .heading = builder.leaf, ["#", "¶", "§", "🔗", ""].contains(node.plainText) { return nil }
        }
        builder.begin(.link(destination))
        return .link(label: node.value("aria-label") ?? node.value("title"), start: builder.pieceCount)
    }

    private mutating func addImage(_ node: HTMLNode) {
        guard let picture = HTMLPicture(node), !isRepeated(picture.source),
            !isRepeated(HTMLFormula.withoutStyle(picture.alternative))
        else { return }
        if builder.isPreformatted, picture.source.isEmpty {
            builder.add(picture.alternative)
        } else {
            add(picture)
        }
    }

    private mutating func add(_ picture: HTMLPicture) {
        builder.addImage(source: picture.source, alternative: picture.alternative)
        if !picture.source.isEmpty { latest = (picture.source, builder.pieceCount) }
    }

    /// Adds the pictures of a `noscript`, unless it repeats the picture before it.
    private mutating func addPictures(inFallback html: UnsafeBufferPointer<UInt8>) {
        guard latest?.pieceCount != builder.pieceCount, html.contains("<"), fallbacks > 0 else { return }
        fallbacks -= 1
        HTMLPicture.all(inFallback: html).forEach { add($0) }
    }

    private mutating func add(formula node: HTMLNode) { add(formula: HTMLFormula.text(of: node)) }

    private mutating func add(formula text: String) {
        guard !text.isEmpty else { return }
        builder.add(text)
        latest = (text, builder.pieceCount)
    }

    /// Whether the picture or formula directly before is the same.
    private func isRepeated(_ text: String) -> Bool {
        latest.map { !text.isEmpty && $0.text == text && $0.pieceCount == builder.pieceCount } ?? false
    }
}

// MARK: - Attributes

extension HTMLReader {
    private func isHidden(_ node: HTMLNode, _ element: HTMLElement) -> Bool {
        if node.attribute("hidden") != nil { return true }
        if node.attribute("aria-hidden") == "true" {
            // It is hidden only from screen readers, because the page has an equivalent text elsewhere. A picture with
            // its own description is not hidden.
            return element != .image || node.value("alt") == nil
        }
        if let style = node.attribute("style") {
            let style = style.lowercased().filter { $0 != " " }
            if style.contains("display:none") || style.contains("visibility:hidden") { return true }
        }
        // Line numbers beside code, and formulas that are also present in another form.
        let classes = node.classes
        return classes.contains { Self.lineNumbers.contains($0) } || HTMLFormula.isDrawn(node, classes: classes)
    }

    private static let lineNumbers: Set<Substring> = [
        "linenos", "lineno", "linenodiv", "lnt", "gutter", "rouge-gutter", "blob-num", "hljs-ln-numbers",
        "line-numbers-rows",
    ]

    /// Returns an address as browsers read it: without white space at the ends and without line breaks.
    static func address(_ text: String) -> String {
        var address = String(text.trimmed)
        if address.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
            address.unicodeScalars.removeAll { $0 == "\n" || $0 == "\r" || $0 == "\t" }
        }
        return address.hasPrefix("#") ? "#" + name(withoutPrefix: String(address.dropFirst())) : address
    }

    /// Returns the address of a video or audio; nil if it is embedded in the page.
    private static func source(of node: HTMLNode) -> String? {
        for name in ["src", "data", "data-src", "data-original", "data-lazy-src"] {
            if let source = node.value(name).map(address), HTMLPicture.isOutside(source) { return source }
        }
        for child in node.children where child.isElement && child.tag == GUMBO_TAG_SOURCE {
            if let source = child.value("src") { return address(source) }
        }
        return nil
    }

    /// Returns the number in an attribute of a list or an item.
    private static func number(_ node: HTMLNode?, _ attribute: String) -> Int? {
        node?.value(attribute).flatMap { Int($0) }.map { min(max($0, -999_999_999), 999_999_999) }
    }

    /// Returns the name with which links lead to a heading: its own ID, that of an anchor in it, or that of its
    /// section.
    private static func name(of heading: HTMLNode) -> String? {
        let anchor = heading.children.first { $0.isElement }.flatMap { $0.tag == GUMBO_TAG_A ? $0 : nil }
        var name = heading.value("id") ?? anchor?.value("id") ?? anchor?.value("name")
        if name == nil, let parent = heading.parent, [GUMBO_TAG_SECTION, GUMBO_TAG_DIV].contains(parent.tag),
            parent.children.first(where: { $0.isElement }) == heading
        {
            name = parent.value("id")
        }
        return name.map(Self.name(withoutPrefix:))
    }

    /// Returns the original name. Sites that show texts of users add a prefix to it.
    static func name(withoutPrefix name: String) -> String {
        name.hasPrefix(HTMLWriter.prefix) ? String(name.dropFirst(HTMLWriter.prefix.count)) : name
    }
}

// MARK: - What cannot be read

extension HTMLReader {
    /// Returns the text of a page that cannot be parsed, without tags, comments, scripts, and styles.
    static func tagless(_ html: String) -> String {
        var text: [UInt8] = []
        var html = html
        html.withUTF8 { bytes in
            var rest = bytes[...]
            while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
                CharacterReference.append(rest[..<start], to: &text)
                rest = rest[start...].dropFirst()
                guard let next = rest.first, next.isASCIILetter || "/!?".utf8.contains(next) else {
                    text.append(UInt8(ascii: "<"))
                    continue
                }
                let name = rest.prefix(while: \.isASCIILetter).map { $0 | 0x20 }
                var end = ">"
                if rest.starts(with: "!--".utf8) { end = "-->" }
                if name.elementsEqual("script".utf8) { end = "</script>" }
                if name.elementsEqual("style".utf8) { end = "</style>" }
                rest = rest[after(end, in: rest)...]
            }
            CharacterReference.append(rest, to: &text)
        }
        let lines = text.split(separator: 0x0A).map(\.trimmed).filter { !$0.isEmpty }
        return String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
    }

    private static func after(_ end: String, in text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let end = Array(end.utf8)
        var rest = text
        while let start = rest.firstIndex(of: end[0]) {
            rest = rest[start...]
            let isEnd = zip(rest, end).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $1.isASCIILetter }
            if isEnd, rest.count >= end.count { return start + end.count }
            rest = rest.dropFirst()
        }
        return text.endIndex
    }
}

/// A table of HTML that is being read.
struct HTMLTable {
    /// The attributes of a cell.
    struct Cell {
        let columns: Int
        let rows: Int
        let isHead: Bool
        let alignment: MarkupBlock.Alignment?

        init(_ node: HTMLNode) {
            columns = Self.number(node.attribute("colspan"), limit: TreeBuilder.columnLimit)
            rows = Self.number(node.attribute("rowspan"), limit: 1000)
            isHead = node.tag == GUMBO_TAG_TH
            alignment = Self.alignment(of: node)
        }

        private static func number(_ text: String?, limit: Int) -> Int {
            min(max(text.flatMap { Int($0.trimmed) } ?? 1, 1), limit)
        }

        private static func alignment(of node: HTMLNode) -> MarkupBlock.Alignment? {
            guard node.hasAttributes else { return nil }
            var name = node.attribute("align")?.lowercased()
            if let style = node.attribute("style")?.lowercased(), let range = style.firstRange(of: "text-align:") {
                name = String(style[range.upperBound...].drop { $0 == " " }.prefix { $0.isLetter })
            }
            return switch name {
            case "left", "start": .left
            case "center": .center
            case "right", "end": .right
            default: nil
            }
        }
    }

    var caption: [MarkupInline] = []
    private(set) var header: [[MarkupInline]]?
    private(set) var body: [[[MarkupInline]]] = []
    /// The alignment of each column: that of the first cell that states one.
    private var aligned: [MarkupBlock.Alignment?] = Array(repeating: nil, count: TreeBuilder.columnLimit)
    var alignments: [MarkupBlock.Alignment] { aligned.map { $0 ?? .left } }

    private var row: [[MarkupInline]] = []
    /// Whether the current row is the header.
    private(set) var isHeader = false
    /// For each column, the number of further rows into which the cell above extends.
    private var reaching: [Int] = Array(repeating: 0, count: TreeBuilder.columnLimit)

    /// Begins a row. The first row is the header if it is in `thead` or consists of `th` cells.
    mutating func begin(row node: HTMLNode) {
        row = []
        let cells = node.children.filter { $0.element == .tableCell }
        isHeader =
            header == nil && body.isEmpty && !cells.isEmpty
            && (node.parent?.tag == GUMBO_TAG_THEAD || cells.allSatisfy { $0.tag == GUMBO_TAG_TH })
        skipReached()
    }

    private mutating func skipReached() {
        while row.count < TreeBuilder.columnLimit, reaching[row.count] > 0 {
            reaching[row.count] -= 1
            row.append([])
        }
    }

    /// Adds a cell, and empty cells for the columns and rows that it spans.
    mutating func add(_ inlines: [MarkupInline], as cell: Cell) {
        guard row.count < TreeBuilder.columnLimit else {
            let last = row.count - 1
            if !row[last].isEmpty, !inlines.isEmpty { row[last].append(.lineBreak) }
            row[last] += inlines
            return
        }
        let columns = row.count..<min(row.count + cell.columns, TreeBuilder.columnLimit)
        for column in columns {
            row.append(column == columns.lowerBound ? inlines : [])
            reaching[column] = cell.rows - 1
        }
        aligned[columns.lowerBound] = aligned[columns.lowerBound] ?? cell.alignment
        skipReached()
    }

    mutating func endRow() {
        guard !row.isEmpty else { return }
        if isHeader { header = row } else { body.append(row) }
        isHeader = false
        row = []
    }
}
