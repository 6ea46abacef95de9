import CMarkdown
import Text

/// Reads Markdown with md4c.
enum MarkdownReader {
    /// Larger documents are not read: md4c is not linear in time on everything that can be written.
    static let sizeLimit = 4 * 1024 * 1024
    /// In larger ones, an address that is not written as a link is no link.
    private static let bareLinksLimit = 256 * 1024

    /// The blocks of a text; nil where it is too large, or built to exhaust the reader.
    static func blocks(of markdown: String) -> [MarkupBlock]? {
        guard markdown.utf8.count <= sizeLimit else { return nil }
        let source = dividingParagraphs(markdown)
        // Finding bare links takes md4c time in the square of their number: 5 s for a megabyte of them.
        let github =
            source.utf8.count <= bareLinksLimit ? cmarkdown_github : cmarkdown_github & ~cmarkdown_bare_links
        // A table of many columns costs its rows times its columns, whatever its size: such a document is read without tables.
        return blocks(of: source, dialect: github) ?? blocks(of: source, dialect: github & ~UInt32(MD_FLAG_TABLES))
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

    private static func blocks(of source: String, dialect: UInt32) -> [MarkupBlock]? {
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
        return status == 0 ? builder.blocks : nil
    }
}

/// Takes md4c's events and builds the blocks. An event returns 0, or -1 to give up.
private final class MarkdownBuilder {
    /// Bytes that may still be copied: references let a small document repeat a large link without end.
    private var budget: Int

    /// Blocks of the container being filled, outermost first; the document is the first.
    private var containers: [[MarkupBlock]] = [[]]
    /// For each list, item and quote that is open: whether it has a container. Those nested deeper than the limit have none, and
    /// what they hold goes to the one above.
    private var isKept: [Bool] = []
    private static let depthLimit = 32
    private var lists: [(start: Int?, isTight: Bool, items: [MarkupBlock.Item])] = []
    private var tasks: [Bool?] = []
    private var table: (alignments: [MarkupBlock.Alignment], header: [[MarkupInline]], rows: [[[MarkupInline]]]) = (
        [], [], []
    )
    private var row: [[MarkupInline]] = []

    /// The text being read, up to where something else begins or ends.
    private var text = ""
    /// The spans that are open, the outermost first, with what is in each.
    private var inlines: [[MarkupInline]] = [[]]
    /// Where the links and pictures that are open lead.
    private var destinations: [String] = []
    private var code = ""
    private var language: String?
    private var html = ""
    private var isHTML = false
    private var isCode = false
    private var heading = 1
    /// Inside an inline script or style, of that name.
    private var dropped: String?

    init(budget: Int) {
        self.budget = budget
    }

    var blocks: [MarkupBlock] { containers.first ?? [] }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> MarkdownBuilder? {
        pointer.map { Unmanaged<MarkdownBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    func enter(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        switch type {
        case MD_BLOCK_QUOTE, MD_BLOCK_LI, MD_BLOCK_UL, MD_BLOCK_OL:
            closeLooseText()
            open(type, detail)
        case MD_BLOCK_CODE:
            isCode = true
            let name = detail?.load(as: MD_BLOCK_CODE_DETAIL.self).lang
            language = name.map { CharacterReference.decodeAll(in: Self.string($0.text, $0.size)) }
            if language == "" { language = nil }
        case MD_BLOCK_HTML: isHTML = true
        case MD_BLOCK_H:
            closeLooseText()
            heading = Int(detail?.load(as: MD_BLOCK_H_DETAIL.self).level ?? 1)
        case MD_BLOCK_P, MD_BLOCK_HR: closeLooseText()
        case MD_BLOCK_TABLE:
            closeLooseText()
            guard (detail?.load(as: MD_BLOCK_TABLE_DETAIL.self).col_count ?? 0) <= 64 else { return -1 }
            table = ([], [], [])
        case MD_BLOCK_TR: row = []
        case MD_BLOCK_TH:
            let alignment: MarkupBlock.Alignment =
                switch detail?.load(as: MD_BLOCK_TD_DETAIL.self).align {
                case MD_ALIGN_RIGHT: .right
                case MD_ALIGN_CENTER: .center
                default: .left
                }
            table.alignments.append(alignment)
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
            let item = MarkupBlock.Item(isDone: tasks.removeLast(), blocks: containers.removeLast())
            guard let list = lists.indices.last else { return }
            lists[list].items.append(item)
        default: add(.quote(containers.removeLast()))
        }
    }

    func leave(_ type: MD_BLOCKTYPE) -> Int32 {
        switch type {
        case MD_BLOCK_P:
            dropped = nil
            add(.paragraph(takeInlines()))
        case MD_BLOCK_H:
            dropped = nil
            add(.heading(level: heading, takeInlines()))
        case MD_BLOCK_CODE:
            isCode = false
            if code.hasSuffix("\n") { code.removeLast() }
            add(.code(language: language, code))
            code = ""
        case MD_BLOCK_HTML:
            isHTML = false
            HTMLReader.blocks(of: html).forEach(add)
            html = ""
        case MD_BLOCK_HR: add(.thematicBreak)
        case MD_BLOCK_QUOTE, MD_BLOCK_LI, MD_BLOCK_UL, MD_BLOCK_OL: close(type)
        case MD_BLOCK_TH, MD_BLOCK_TD:
            dropped = nil
            row.append(takeInlines())
        case MD_BLOCK_TR:
            if table.header.isEmpty { table.header = row } else { table.rows.append(row) }
        case MD_BLOCK_TABLE: add(.table(alignments: table.alignments, header: table.header, rows: table.rows))
        default: break
        }
        return 0
    }

    func enter(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        switch type {
        case MD_SPAN_A:
            guard let detail, open(detail.load(as: MD_SPAN_A_DETAIL.self).href) else { return -1 }
        case MD_SPAN_IMG:
            guard let detail, open(detail.load(as: MD_SPAN_IMG_DETAIL.self).src) else { return -1 }
        default: break
        }
        endText()
        inlines.append([])
        return 0
    }

    func leave(_ type: MD_SPANTYPE) -> Int32 {
        guard inlines.count > 1 else { return -1 }
        endText()
        let inside = inlines.removeLast()
        switch type {
        case MD_SPAN_EM: append(.emphasis(inside))
        case MD_SPAN_STRONG: append(.strong(inside))
        case MD_SPAN_DEL: append(.strikethrough(inside))
        case MD_SPAN_CODE: append(.code(inside.text))
        case MD_SPAN_A: append(.link(destination: destinations.removeLast(), inside))
        case MD_SPAN_IMG: append(.image(source: destinations.removeLast(), alternative: inside.text))
        default: inlines[inlines.count - 1] += inside
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
        case MD_TEXT_BR: addBreak()
        case MD_TEXT_SOFTBR: add(text: " ")
        case MD_TEXT_NULLCHAR: add(text: "\u{FFFD}")
        case MD_TEXT_ENTITY: add(text: CharacterReference.decoded(string) ?? string)
        // A tab is a space here; one that is meant was written as an entity.
        default: add(text: string.replacing("\t", with: " "))
        }
        return 0
    }

    private func add(text: String) {
        if dropped == nil { self.text += text }
    }

    private func addBreak() {
        guard dropped == nil else { return }
        append(.lineBreak)
    }

    private func append(_ inline: MarkupInline) {
        endText()
        inlines[inlines.count - 1].append(inline)
    }

    private func endText() {
        guard !text.isEmpty else { return }
        inlines[inlines.count - 1].append(.text(text))
        text = ""
    }

    /// An inline tag is not shown; `<br>` breaks the line, and what a script or style holds is dropped up to its end.
    private func addInlineHTML(_ tag: String) {
        let name = HTMLReader.tagName(tag.utf8)
        if let dropped {
            if name == "/" + dropped { self.dropped = nil }
        } else if name == "script" || name == "style" {
            dropped = name
        } else if name == "br" {
            addBreak()
        }
    }

    /// The text of a tight list item comes without a paragraph around it.
    private func closeLooseText() {
        let text = takeInlines()
        dropped = nil
        if !text.isEmpty { add(.paragraph(text)) }
    }

    private func takeInlines() -> [MarkupInline] {
        endText()
        defer { inlines = [[]] }
        return inlines.first ?? []
    }

    private func add(_ block: MarkupBlock) {
        containers[containers.count - 1].append(block)
    }

    /// Takes where a link or a picture leads; false where the document repeats too much.
    private func open(_ attribute: MD_ATTRIBUTE) -> Bool {
        budget -= Int(attribute.size)
        guard budget > 0 else { return false }
        destinations.append(CharacterReference.decodeAll(in: Self.string(attribute.text, attribute.size)))
        return true
    }

    private static func string(_ text: UnsafePointer<MD_CHAR>?, _ size: MD_SIZE) -> String {
        guard let text else { return "" }
        return text.withMemoryRebound(to: UInt8.self, capacity: Int(size)) {
            String(decoding: UnsafeBufferPointer(start: $0, count: Int(size)), as: UTF8.self)
        }
    }
}
