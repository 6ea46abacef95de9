import CMarkdown
import Text

/// A parsed Markdown document: its blocks, and where its links lead.
struct MarkdownDocument: Hashable, Sendable {
    var blocks: [MarkdownBlock]
    var links: [String]

    /// Larger documents are not parsed: md4c is not linear in time on everything that can be written.
    static let sizeLimit = 4 * 1024 * 1024
    /// In larger ones, an address that is not written as a link is no link.
    static let bareLinksLimit = 256 * 1024

    /// Parses CommonMark with GitHub's tables, task lists, strikethrough and bare links. What is read is safe to draw: control characters are
    /// made visible, in entities and links too. HTML is reduced to its text, and a script to nothing.
    ///
    /// Nil where the document is too large, or built to exhaust the parser: show it as plain text.
    init?(_ markdown: String) {
        guard markdown.utf8.count <= Self.sizeLimit else { return nil }
        let source = Self.dividingParagraphs(markdown.sanitized(keeping: [.newline, .tab]))
        // A table of many columns costs its rows times its columns, whatever its size: such a document is read without tables.
        let tables = UInt32(MD_FLAG_TABLES)
        // Finding bare links takes md4c time in the square of their number: 5 s for a megabyte of them.
        let github =
            source.utf8.count <= Self.bareLinksLimit ? cmarkdown_github : cmarkdown_github & ~cmarkdown_bare_links
        guard
            let document = Self(source, dialect: github) ?? Self(source, dialect: github & ~tables)
        else { return nil }
        self = document
    }

    /// Lines that may be links, before a paragraph is divided: md4c goes through all lines of a paragraph for each.
    private static let bracketLinesLimit = 2000

    private static func dividingParagraphs(_ source: String) -> String {
        guard source.utf8.count > bracketLinesLimit else { return source }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.utf8.count)
        var brackets = 0
        for line in source.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty { brackets = 0 }
            if line.contains(UInt8(ascii: "[")) { brackets += 1 }
            bytes.append(contentsOf: line)
            bytes.append(UInt8(ascii: "\n"))
            if brackets == bracketLinesLimit {
                bytes.append(UInt8(ascii: "\n"))
                brackets = 0
            }
        }
        bytes.removeLast()
        return String(decoding: bytes, as: UTF8.self)
    }

    private init?(_ source: String, dialect: UInt32) {
        let builder = MarkdownBuilder(budget: 16 * 1024 * 1024)
        var parser = MD_PARSER()
        parser.flags = dialect
        parser.enter_block = { type, detail, builder in MarkdownBuilder.of(builder)?.enter(type, detail) ?? -1 }
        parser.leave_block = { type, _, builder in MarkdownBuilder.of(builder)?.leave(type) ?? -1 }
        parser.enter_span = { type, detail, builder in MarkdownBuilder.of(builder)?.enter(type, detail) ?? -1 }
        parser.leave_span = { type, _, builder in MarkdownBuilder.of(builder)?.leave(type) ?? -1 }
        parser.text = { type, text, size, builder in MarkdownBuilder.of(builder)?.add(type, text, size) ?? -1 }
        var text = source
        let status = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                withExtendedLifetime(builder) {
                    md_parse(
                        characters.baseAddress, MD_SIZE(characters.count), &parser,
                        Unmanaged.passUnretained(builder).toOpaque())
                }
            }
        }
        guard status == 0 else { return nil }
        blocks = builder.blocks
        links = builder.links
    }
}

/// Takes md4c's events and builds the blocks. An event returns 0, or -1 to give up.
private final class MarkdownBuilder {
    private(set) var links: [String] = []
    private var linkPlaces: [String: Int] = [:]
    /// Bytes that may still be copied: references let a small document repeat a large link without end.
    private var budget: Int

    /// Blocks of the container being filled, outermost first; the document is the first.
    private var containers: [[MarkdownBlock]] = [[]]
    /// For each list, item and quote that is open: whether it has a container. Those nested deeper than the limit have none, and
    /// what they hold goes to the one above.
    private var isKept: [Bool] = []
    private static let depthLimit = 32
    private var lists: [(start: Int?, isTight: Bool, items: [MarkdownBlock.Item])] = []
    private var tasks: [Bool?] = []
    private var table: (alignments: [MarkdownBlock.Alignment], header: [[Span]], rows: [[[Span]]]) = ([], [], [])
    private var row: [[Span]] = []

    private var spans: [Span] = []
    private var styles: [Style] = [.plain]
    private var openLinks: [Int] = []
    private var code = ""
    private var html = ""
    private var isHTML = false
    private var isCode = false
    private var heading = 1
    /// Inside an inline script or style, of that name.
    private var dropped: String?

    init(budget: Int) {
        self.budget = budget
    }

    var blocks: [MarkdownBlock] { containers.first ?? [] }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> MarkdownBuilder? {
        pointer.map { Unmanaged<MarkdownBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    func enter(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        switch type {
        case MD_BLOCK_QUOTE, MD_BLOCK_LI, MD_BLOCK_UL, MD_BLOCK_OL:
            closeLooseText()
            open(type, detail)
        case MD_BLOCK_CODE: isCode = true
        case MD_BLOCK_HTML: isHTML = true
        case MD_BLOCK_H:
            closeLooseText()
            heading = Int(detail?.load(as: MD_BLOCK_H_DETAIL.self).level ?? 1)
            styles = [.bold]
        case MD_BLOCK_P, MD_BLOCK_HR: closeLooseText()
        case MD_BLOCK_TABLE:
            closeLooseText()
            guard (detail?.load(as: MD_BLOCK_TABLE_DETAIL.self).col_count ?? 0) <= 64 else { return -1 }
            table = ([], [], [])
        case MD_BLOCK_TR: row = []
        case MD_BLOCK_TH:
            let alignment: MarkdownBlock.Alignment =
                switch detail?.load(as: MD_BLOCK_TD_DETAIL.self).align {
                case MD_ALIGN_RIGHT: .right
                case MD_ALIGN_CENTER: .center
                default: .left
                }
            table.alignments.append(alignment)
            styles = [.bold]
        default: break
        }
        return 0
    }

    private func open(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) {
        isKept.append(isKept.count < Self.depthLimit)
        guard isKept.count <= Self.depthLimit else { return }
        switch type {
        case MD_BLOCK_UL:
            lists.append((nil, detail?.load(as: MD_BLOCK_UL_DETAIL.self).is_tight != 0, []))
        case MD_BLOCK_OL:
            let detail = detail?.load(as: MD_BLOCK_OL_DETAIL.self)
            lists.append((Int(detail?.start ?? 1), detail?.is_tight != 0, []))
        case MD_BLOCK_LI:
            let detail = detail?.load(as: MD_BLOCK_LI_DETAIL.self)
            tasks.append(detail?.is_task == 0 ? nil : detail?.task_mark != CChar(UInt8(ascii: " ")))
            containers.append([])
        default: containers.append([])
        }
    }

    private func close(_ type: MD_BLOCKTYPE) {
        closeLooseText()
        guard isKept.popLast() == true else { return }
        switch type {
        case MD_BLOCK_UL, MD_BLOCK_OL:
            guard let list = lists.popLast() else { return }
            add(.list(start: list.start, isTight: list.isTight, items: list.items))
        case MD_BLOCK_LI:
            let item = MarkdownBlock.Item(isDone: tasks.removeLast(), blocks: containers.removeLast())
            guard let list = lists.indices.last else { return }
            lists[list].items.append(item)
        default: add(.quote(containers.removeLast()))
        }
    }

    func leave(_ type: MD_BLOCKTYPE) -> Int32 {
        switch type {
        case MD_BLOCK_P:
            dropped = nil
            add(.paragraph(takeSpans()))
        case MD_BLOCK_H:
            dropped = nil
            styles = [.plain]
            add(.heading(level: heading, takeSpans()))
        case MD_BLOCK_CODE:
            isCode = false
            add(.code(code))
            code = ""
        case MD_BLOCK_HTML:
            isHTML = false
            for paragraph in HTMLText(html).paragraphs { add(.paragraph([paragraph])) }
            html = ""
        case MD_BLOCK_HR: add(.thematicBreak)
        case MD_BLOCK_QUOTE, MD_BLOCK_LI, MD_BLOCK_UL, MD_BLOCK_OL: close(type)
        case MD_BLOCK_TH, MD_BLOCK_TD:
            dropped = nil
            styles = [.plain]
            row.append(takeSpans())
        case MD_BLOCK_TR:
            if table.header.isEmpty { table.header = row } else { table.rows.append(row) }
        case MD_BLOCK_TABLE: add(.table(alignments: table.alignments, header: table.header, rows: table.rows))
        default: break
        }
        return 0
    }

    func enter(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        var style = styles.last ?? .plain
        switch type {
        case MD_SPAN_EM: style = style.adding(.italic)
        case MD_SPAN_STRONG: style = style.adding(.bold)
        case MD_SPAN_DEL: style = style.adding(.strikethrough)
        case MD_SPAN_CODE: style = style.adding(Style(color: .cyan))
        case MD_SPAN_A:
            style = style.adding(Style(attributes: .underline, color: .blue))
            guard let detail, let place = link(to: detail.load(as: MD_SPAN_A_DETAIL.self).href) else { return -1 }
            openLinks.append(place)
        case MD_SPAN_IMG:
            guard let detail, let place = link(to: detail.load(as: MD_SPAN_IMG_DETAIL.self).src) else { return -1 }
            style = style.adding(.italic)
            spans.add(Span("Image: ", style, link: place))
            openLinks.append(place)
        default: break
        }
        styles.append(style)
        return 0
    }

    func leave(_ type: MD_SPANTYPE) -> Int32 {
        styles.removeLast()
        if type == MD_SPAN_A || type == MD_SPAN_IMG, let place = openLinks.popLast() {
            // No space before it, so that the number stays with its text.
            spans.add(Span("[\(place + 1)]", .dim, link: place))
        }
        return 0
    }

    func add(_ type: MD_TEXTTYPE, _ text: UnsafePointer<MD_CHAR>?, _ size: MD_SIZE) -> Int32 {
        let string = Self.string(text, size)
        budget -= Int(size)
        guard budget > 0 else { return -1 }
        if isCode {
            code += string
            return 0
        }
        if isHTML {
            html += string
            return 0
        }
        switch type {
        case MD_TEXT_HTML: addInlineHTML(string)
        case MD_TEXT_BR: append("\n")
        case MD_TEXT_SOFTBR: append(" ")
        case MD_TEXT_NULLCHAR: append("\u{FFFD}")
        case MD_TEXT_ENTITY: append((CharacterReference.decoded(string) ?? string).sanitized())
        default: append(string)
        }
        return 0
    }

    private func append(_ text: String) {
        guard dropped == nil else { return }
        spans.add(Span(text, styles.last ?? .plain, link: openLinks.last))
    }

    /// An inline tag is not shown; `<br>` breaks the line, and what a script or style holds is dropped up to its end.
    private func addInlineHTML(_ tag: String) {
        let name = HTMLText.tagName(tag)
        if let dropped {
            if name == "/" + dropped { self.dropped = nil }
        } else if name == "script" || name == "style" {
            dropped = name
        } else if name == "br" {
            append("\n")
        }
    }

    /// The text of a tight list item comes without a paragraph around it.
    private func closeLooseText() {
        let text = takeSpans()
        dropped = nil
        if !text.isEmpty { add(.paragraph(text)) }
    }

    private func takeSpans() -> [Span] {
        defer { spans = [] }
        return spans
    }

    private func add(_ block: MarkdownBlock) {
        containers[containers.count - 1].append(block)
    }

    /// The place of a link among all; nil where the document repeats too much.
    private func link(to attribute: MD_ATTRIBUTE) -> Int? {
        budget -= Int(attribute.size)
        guard budget > 0 else { return nil }
        let destination = CharacterReference.decodeAll(in: Self.string(attribute.text, attribute.size)).sanitized()
        if let place = linkPlaces[destination] { return place }
        links.append(destination)
        linkPlaces[destination] = links.count - 1
        return links.count - 1
    }

    private static func string(_ text: UnsafePointer<MD_CHAR>?, _ size: MD_SIZE) -> String {
        guard let text else { return "" }
        return text.withMemoryRebound(to: UInt8.self, capacity: Int(size)) {
            String(decoding: UnsafeBufferPointer(start: $0, count: Int(size)), as: UTF8.self)
        }
    }
}
