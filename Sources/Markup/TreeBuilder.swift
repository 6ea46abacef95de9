/// Builds a tree from the events of a reader, in one normal form for all markup languages.
///
/// White space is as a browser shows it: runs are one space, which is placed outside of the spans that it begins or
/// ends, and white space at the ends of a block is dropped. Line breaks at the ends of a block are dropped, and two
/// consecutive ones in a paragraph begin another paragraph. Blocks and spans without visible content are dropped.
struct TreeBuilder {
    /// The kind of a block with running text.
    enum Leaf {
        /// `isImplied` is true if the markup does not contain a paragraph, as in a tight list.
        case paragraph(isImplied: Bool)
        case heading(level: Int, id: String?)
        case preformatted(language: String?)
        case lines
        /// Text that is returned by ``removeInlines()``. A block inside it becomes a line.
        case cell
    }

    /// A block that contains blocks.
    enum Container: Equatable {
        case quote
        case list(start: Int?, style: MarkupBlock.NumberStyle = .decimal)
        case item
        case definitionList
        case definition
    }

    /// A span of text.
    enum Span: Hashable {
        case emphasis
        case strong
        case strikethrough
        case superscript
        case `subscript`
        case code
        case link(String)
        /// A span without an effect, which only needs an end.
        case none
    }

    /// The maximum depth of containers. The content of deeper ones goes to the container above.
    private static let containerLimit = 32
    /// The maximum depth of spans. Deeper ones are dropped, but their content is kept.
    private static let spanLimit = 16
    /// The maximum number of columns. Further cells are appended to the last one.
    static let columnLimit = 64

    /// Whether addresses in the text become links.
    var findsLinks = false

    private var containers = [Frame()]
    private var ignoredContainers = 0
    private(set) var leaf: Leaf?

    /// The spans that the reader has opened, in the order of their nesting.
    private var wanted: [Numbered] = []
    /// The formatting spans that apply to text, without code, and the number of them before each wanted span.
    private var formatting: [Numbered] = []
    private var formattingCounts: [Int] = []
    /// The index of the outermost code among the wanted spans.
    private var code: Int?
    private var spanCount = 0
    /// The spans that were begun in the tree, and their contents so far. The first level is outside of all spans.
    private var open: [Numbered] = []
    private var levels: [[MarkupInline]] = [[]]
    private var text: [UInt8] = []
    private var hasSpace = false
    private var breaks = 0
    /// Whether the current block has content.
    private(set) var hasContent = false
    /// Whether the current block has a link or a picture.
    private var hasLink = false
    /// The number of texts, pictures, and references so far.
    private(set) var pieceCount = 0

    /// The treatment of white space in running text.
    enum WhiteSpace {
        case collapsed
        /// Line feeds are line breaks.
        case lines
        /// Spaces are kept too.
        case kept
    }

    var whiteSpace = WhiteSpace.collapsed
    /// The names of link targets that wait for the next text.
    private var anchors: [String] = []

    private struct Numbered: Equatable {
        var span: Span
        var number: Int

        var isLink: Bool {
            if case .link = span { true } else { false }
        }
    }

    private struct Frame {
        var container: Container?
        var blocks: [MarkupBlock] = []
        var items: [MarkupBlock.Item] = []
        var definitions: [MarkupBlock.Definition] = []
        var isDone: Bool?
        var number: Int?
        var isLoose = false
        /// Whether the container was begun for an item outside of a list.
        var isImplied = false
    }
}

// MARK: - Containers

extension TreeBuilder {
    /// Returns the blocks after everything was read.
    mutating func finish() -> [MarkupBlock] {
        endLeaf()
        ignoredContainers = 0
        while containers.count > 1 { pop() }
        appendAnchors()
        return containers[0].blocks
    }

    /// The blocks so far outside of all containers. The caller may remove the last ones.
    var blocks: [MarkupBlock] {
        get { containers[0].blocks }
        set { containers[0].blocks = newValue }
    }

    /// The current container; nil at the top level.
    var container: Container? { ignoredContainers > 0 ? nil : containers[containers.count - 1].container }

    mutating func begin(_ container: Container) {
        endLeaf()
        switch container {
        case .item: begin(impliedUnless: { if case .list = $0 { true } else { false } }, .list(start: nil))
        case .definition: begin(impliedUnless: { $0 == .definitionList }, .definitionList)
        default: endImplied()
        }
        guard containers.count <= Self.containerLimit, ignoredContainers == 0 else {
            ignoredContainers += 1
            return
        }
        containers.append(Frame(container: container))
    }

    mutating func end() {
        endLeaf()
        if ignoredContainers > 0 {
            ignoredContainers -= 1
            return
        }
        endImplied()
        if containers.count > 1 { pop() }
    }

    /// Begins a container for an item, unless the current one can hold it.
    private mutating func begin(impliedUnless holds: (Container) -> Bool, _ container: Container) {
        guard ignoredContainers == 0, containers.count <= Self.containerLimit else { return }
        if let last = containers[containers.count - 1].container, holds(last) { return }
        endImplied()
        containers.append(Frame(container: container, isImplied: true))
    }

    private mutating func endImplied() {
        while ignoredContainers == 0, containers[containers.count - 1].isImplied { pop() }
    }

    private mutating func pop() {
        let frame = containers.removeLast()
        switch frame.container {
        case .quote: if !frame.blocks.isEmpty { append(.quote(frame.blocks)) }
        case .list(let start, let style):
            guard !frame.items.isEmpty else { return }
            append(.list(start: start, style: style, isTight: !frame.isLoose, items: frame.items))
        case .definitionList: if !frame.definitions.isEmpty { append(.definitionList(frame.definitions)) }
        case .item:
            let item = MarkupBlock.Item(isDone: frame.isDone, number: frame.number, blocks: frame.blocks)
            containers[containers.count - 1].items.append(item)
        case .definition: add(definition: frame.blocks)
        case nil: break
        }
    }

    /// Appends a block to the current container.
    mutating func add(_ block: MarkupBlock) {
        endLeaf()
        endImplied()
        append(block)
    }

    private mutating func append(_ block: MarkupBlock) {
        switch block {
        case .code, .preformatted, .lines, .thematicBreak, .table: appendAnchors()
        default: break
        }
        let last = containers.count - 1
        switch containers[last].container {
        case .list:
            // A block between two items belongs to the first.
            if containers[last].items.isEmpty { containers[last].items.append(.init(blocks: [])) }
            containers[last].items[containers[last].items.count - 1].blocks.append(block)
        case .definitionList:
            if case .paragraph(let inlines) = block { add(term: inlines) } else { add(definition: [block]) }
        default: containers[last].blocks.append(block)
        }
    }

    /// Adds a link target before the next text.
    mutating func addAnchor(_ name: String) {
        if !isPreformatted { anchors.append(name) }
    }

    /// Removes a link target that still waits for text.
    mutating func dropAnchor(_ name: String) {
        // Only the elements around a heading name it. Searching further would take quadratic time for many names.
        if let index = anchors.suffix(8).lastIndex(of: name) { anchors.remove(at: index) }
    }

    /// Puts link targets before a block without running text into a paragraph of their own.
    private mutating func appendAnchors() {
        guard !anchors.isEmpty else { return }
        switch containers[containers.count - 1].container {
        case .list, .definitionList: return
        default: containers[containers.count - 1].blocks.append(.paragraph(anchors.map { .anchor(name: $0) }))
        }
        anchors = []
    }

    /// Adds a term to the current definition list.
    mutating func add(term: [MarkupInline]) {
        begin(impliedUnless: { $0 == .definitionList }, .definitionList)
        let last = containers.count - 1
        guard case .definitionList = containers[last].container else {
            if !term.isEmpty { append(.paragraph(term)) }
            return
        }
        guard !term.isEmpty else { return }
        if let definition = containers[last].definitions.indices.last,
            containers[last].definitions[definition].definitions.isEmpty
        {
            containers[last].definitions[definition].terms.append(term)
        } else {
            containers[last].definitions.append(.init(terms: [term], definitions: []))
        }
    }

    private mutating func add(definition blocks: [MarkupBlock]) {
        let last = containers.count - 1
        guard !blocks.isEmpty else { return }
        if containers[last].definitions.isEmpty {
            containers[last].definitions.append(.init(terms: [], definitions: []))
        }
        containers[last].definitions[containers[last].definitions.count - 1].definitions.append(blocks)
    }

    /// Makes the current item a task. Returns false if there is none, or it already has content.
    mutating func setTask(isDone: Bool) -> Bool {
        guard container == .item, !hasContent else { return false }
        let last = containers.count - 1
        guard containers[last].blocks.isEmpty, containers[last].isDone == nil else { return false }
        containers[last].isDone = isDone
        return true
    }

    /// Sets the number of the current item, if it does not follow that of the previous item.
    mutating func setNumber(_ number: Int) {
        if container == .item { containers[containers.count - 1].number = number }
    }

    /// Adds a table. All rows get as many cells as the longest.
    mutating func add(table rows: [[[MarkupInline]]], header: [[MarkupInline]]?, alignments: [MarkupBlock.Alignment]) {
        let columns = max(header?.count ?? 0, rows.map(\.count).max() ?? 0)
        guard columns > 0 else { return }
        func filled<T>(_ cells: [T], with empty: T) -> [T] {
            cells.prefix(columns) + Array(repeating: empty, count: max(0, columns - cells.count))
        }
        add(
            .table(
                alignments: filled(alignments, with: .left), header: filled(header ?? [], with: []),
                rows: rows.map { filled($0, with: []) }))
    }
}

// MARK: - Running text

extension TreeBuilder {
    mutating func begin(_ leaf: Leaf) {
        endLeaf()
        self.leaf = leaf
    }

    /// Whether a block cannot begin here, because a heading, a cell, or code is being read.
    var isInline: Bool {
        switch leaf {
        case nil, .paragraph: false
        default: true
        }
    }

    /// Whether white space is kept.
    var isPreformatted: Bool {
        switch leaf {
        case .preformatted, .lines: true
        default: false
        }
    }

    /// Ends the line, and the paragraph if one is open.
    mutating func endLine() {
        switch leaf {
        case nil, .paragraph: endLeaf()
        case .heading: hasSpace = true
        case .cell: if hasContent { breaks = max(breaks, 1) }
        case .preformatted, .lines: if let last = text.last, last != UInt8(ascii: "\n") { addBreak() }
        }
    }

    /// Ends the current block of running text and adds it.
    mutating func endLeaf() {
        guard let leaf else {
            hasSpace = false
            breaks = 0
            return
        }
        let hasLink = hasLink
        let inlines = removeInlines()
        switch leaf {
        case .paragraph(let isImplied):
            guard !inlines.isBlank else { return }
            endImplied()
            let last = containers.count - 1
            if !isImplied, case .item = containers[last].container { containers[last - 1].isLoose = true }
            append(.paragraph(inlines))
        case .heading(let level, let id):
            guard !inlines.isBlank else { return }
            endImplied()
            append(.heading(level: level, id: id, inlines))
        case .preformatted(let language):
            guard !inlines.isBlank else { return }
            endImplied()
            append(hasLink ? .preformatted(inlines) : .code(language: language, inlines.text.withoutLastNewline))
        case .lines:
            guard !inlines.isBlank else { return }
            endImplied()
            append(.lines(inlines.text.withoutLastNewline))
        case .cell: break
        }
    }

    /// Ends the current block of running text and returns its content without adding it.
    mutating func removeInlines() -> [MarkupInline] {
        // Drop the last line feed of text with links. For text without links, endLeaf drops it.
        if case .preformatted = leaf, hasLink, open.isEmpty, text.last == UInt8(ascii: "\n") { text.removeLast() }
        hasSpace = false
        breaks = 0
        close(to: 0)
        endText()
        if hasContent, !isPreformatted { endAnchors() }
        defer {
            levels[0] = []
            leaf = nil
            hasContent = false
            hasLink = false
        }
        return levels[0]
    }

    /// Begins a span. It is dropped if it ends without any text.
    mutating func begin(_ span: Span) {
        spanCount += 1
        want(Numbered(span: span, number: spanCount))
    }

    /// Ends the span that was begun last.
    mutating func endSpan() {
        guard wanted.popLast() != nil, let count = formattingCounts.popLast() else { return }
        formatting.removeLast(formatting.count - count)
        if code == wanted.count { code = nil }
    }

    /// Adds text inside the outer spans only.
    mutating func add(before depth: Int, _ text: String) {
        let inner = unwant(from: depth)
        add(text)
        for numbered in inner { want(numbered) }
    }

    /// Ends a Markdown heading. Its name may be at the end: `{#name}` (PHP Markdown Extra, kramdown, Pandoc).
    mutating func endHeading() {
        guard case .heading(let level, nil) = leaf else { return endLeaf() }
        var name: String?
        if open.isEmpty, text.last == UInt8(ascii: "}"), let brace = text.lastIndex(of: UInt8(ascii: "{")) {
            let words = text[(brace + 1)...].dropLast().split { $0.isHTMLSpace || $0 == UInt8(ascii: ":") }
            if let first = words.first, first.first == UInt8(ascii: "#") || first.first == UInt8(ascii: "."), brace > 0
            {
                name = words.first { $0.first == UInt8(ascii: "#") }.map {
                    String(decoding: $0.dropFirst(), as: UTF8.self)
                }
                text.removeLast(text.count - brace)
                while text.last?.isHTMLSpace == true { text.removeLast() }
            }
        }
        leaf = .heading(level: level, id: name)
        endLeaf()
    }

    /// The number of open spans.
    var spanDepth: Int { wanted.count }

    /// Replaces an open span that does not have text yet.
    mutating func change(spanAt index: Int, to span: Span) {
        guard wanted.indices.contains(index) else { return }
        var inner = unwant(from: index)
        inner[0].span = span
        for numbered in inner { want(numbered) }
    }

    private mutating func want(_ numbered: Numbered) {
        formattingCounts.append(formatting.count)
        var counts = formatting.count < Self.spanLimit
        switch numbered.span {
        case .none: counts = false
        case .code:
            code = code ?? wanted.count
            counts = false
        case .link:
            if formatting.contains(where: \.isLink) { counts = false }
        case .superscript, .subscript: break
        case .emphasis, .strong, .strikethrough:
            if formatting.contains(where: { $0.span == numbered.span }) { counts = false }
        }
        if counts { formatting.append(numbered) }
        wanted.append(numbered)
    }

    /// Removes all wanted spans from an index on, and returns them.
    private mutating func unwant(from index: Int) -> [Numbered] {
        let inner = Array(wanted[min(index, wanted.count)...])
        for _ in inner { endSpan() }
        return inner
    }

    /// The spans that apply to text. Code contains only text.
    private var effective: [Numbered] {
        if case .preformatted = leaf { return formatting }
        return code.map { formatting + [wanted[$0]] } ?? formatting
    }

    /// Adds text. White space is kept only in code.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch leaf {
        case .preformatted, .lines:
            guard !bytes.isEmpty else { return }
            sync(to: effective)
            hasContent = true
            pieceCount += 1
            text.append(contentsOf: bytes)
            return
        default: break
        }
        if whiteSpace == .collapsed { addCollapsed(bytes) } else { addLines(bytes) }
    }

    /// Adds text whose line feeds count.
    private mutating func addLines(_ bytes: UnsafeBufferPointer<UInt8>) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            if number > 0 { addBreak() }
            guard whiteSpace == .kept else {
                addCollapsed(UnsafeBufferPointer(rebasing: line))
                continue
            }
            var rest = line
            while !rest.isEmpty {
                let spaces = rest.prefix(while: \.isHTMLSpace)
                let words = rest[spaces.endIndex...].prefix { !$0.isHTMLSpace }
                rest = rest[words.endIndex...]
                // Spaces at the end of a line do not count, but the line may continue in another element.
                guard !words.isEmpty || number == lines.count - 1 else { break }
                // A single space is a word space. Of several spaces, all but the last become non-breaking, so that a
                // line can break there.
                let isFirst = !hasContent || breaks > 0
                let count = spaces.reduce(0) { $0 + ($1 == 0x09 ? 4 : 1) } - (isFirst ? 0 : 1)
                if count > 0 { add(String(repeating: "\u{A0}", count: count)) }
                if !spaces.isEmpty, !isFirst { hasSpace = true }
                addCollapsed(UnsafeBufferPointer(rebasing: words))
            }
        }
    }

    private mutating func addCollapsed(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        let end = bytes.count
        while index < end {
            if bytes[index].isHTMLSpace {
                hasSpace = true
                index += 1
                continue
            }
            let start = index
            index += 1
            // Skip single spaces between words, which need no change.
            while index < end {
                let byte = bytes[index]
                if byte.isHTMLSpace, byte != 0x20 || index + 1 == end || bytes[index + 1].isHTMLSpace { break }
                index += 1
            }
            prepare(for: effective)
            text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        }
    }

    /// Adds text.
    mutating func add(_ string: String) {
        var string = string
        string.withUTF8 { add($0) }
    }

    mutating func addBreak() {
        switch leaf {
        case .preformatted, .lines:
            hasContent = true
            text.append(UInt8(ascii: "\n"))
        case .paragraph where hasContent && breaks > 0:
            guard let leaf else { return }
            endLeaf()
            self.leaf = leaf
        default: if hasContent { breaks += 1 }
        }
    }

    mutating func addImage(source: String, alternative: String) {
        hasLink = true
        addAtom(.image(source: source, alternative: alternative), spans: effective.filter { $0.span != .code })
    }

    mutating func addFootnote(_ number: Int) {
        hasLink = true
        // The reference is already above the line, so ignore a superscript around it.
        addAtom(
            .footnote(number: number),
            spans: effective.filter {
                switch $0.span {
                case .code, .superscript, .link: false
                default: true
                }
            })
    }

    private mutating func addAtom(_ inline: MarkupInline, spans: [Numbered]) {
        prepare(for: spans)
        endText()
        levels[levels.count - 1].append(inline)
    }

    /// Prepares for content in these spans, and places the space or line break before it.
    private mutating func prepare(for spans: [Numbered]) {
        if leaf == nil { leaf = .paragraph(isImplied: true) }
        if hasSpace || breaks > 0 {
            if hasContent {
                let common = zip(open, spans).prefix { $0 == $1 }.count
                if breaks > 0 {
                    close(to: open.prefix(common).last?.span == .code ? common - 1 : common)
                    endText()
                    levels[levels.count - 1].append(.lineBreak)
                } else {
                    close(to: common)
                    text.append(0x20)
                }
            }
            hasSpace = false
            breaks = 0
        }
        if !anchors.isEmpty {
            close(to: zip(open, spans).prefix { $0 == $1 }.count)
            endAnchors()
        }
        if open != spans { sync(to: spans) }
        hasContent = true
        pieceCount += 1
    }

    private mutating func endAnchors() {
        guard !anchors.isEmpty else { return }
        endText()
        levels[levels.count - 1] += anchors.map { .anchor(name: $0) }
        anchors = []
    }

    private mutating func sync(to spans: [Numbered]) {
        guard open != spans else { return }
        close(to: zip(open, spans).prefix { $0 == $1 }.count)
        for span in spans[open.count...] {
            endText()
            if case .link = span.span { hasLink = true }
            open.append(span)
            levels.append([])
        }
    }

    private mutating func close(to count: Int) {
        while open.count > count {
            endText()
            let span = open.removeLast().span
            let inside = levels.removeLast()
            guard !inside.isEmpty else { continue }
            let inline: MarkupInline? =
                switch span {
                case .emphasis: .emphasis(inside)
                case .strong: .strong(inside)
                case .strikethrough: .strikethrough(inside)
                case .superscript: .superscript(inside)
                case .subscript: .subscript(inside)
                case .code: .code(inside.text)
                case .link(let destination): .link(destination: destination, inside)
                case .none: nil
                }
            if let inline { levels[levels.count - 1].append(inline) }
        }
    }

    private mutating func endText() {
        guard !text.isEmpty else { return }
        if findsLinks, !open.contains(where: { if case .link = $0.span { true } else { $0.span == .code } }) {
            text.withUnsafeBufferPointer { levels[levels.count - 1] += Autolinks.inlines(in: $0) }
        } else {
            levels[levels.count - 1].append(.text(String(decoding: text, as: UTF8.self)))
        }
        text.removeAll(keepingCapacity: true)
    }
}

extension UInt8 {
    /// Whether it is white space in HTML: space, tab, line feed, form feed, or carriage return.
    var isHTMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C }
}

extension String {
    fileprivate var withoutLastNewline: String { hasSuffix("\n") ? String(dropLast()) : self }

    /// The text with each run of white space as one space, and without white space at the ends.
    var collapsed: String {
        guard utf8.contains(where: \.isHTMLSpace) else { return self }
        return utf8.split(whereSeparator: \.isHTMLSpace).map { String(decoding: $0, as: UTF8.self) }.joined(
            separator: " ")
    }
}

extension [MarkupInline] {
    /// Whether it is invisible.
    var isBlank: Bool {
        allSatisfy { inline in
            switch inline {
            case .text(let text), .code(let text): text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
            case .lineBreak, .anchor: true
            case .image, .footnote: false
            case .emphasis(let inlines), .strong(let inlines), .strikethrough(let inlines), .superscript(let inlines),
                .subscript(let inlines), .link(_, let inlines):
                inlines.isBlank
            }
        }
    }
}
