import Text
import CMarkdown

/// Builds the tree of a Markdown text.
final class MarkdownTree: MarkdownReceiver {
    var source = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    let isDone = false

    private var builder = TreeBuilder()
    private let rewritten: MarkdownSource?
    private var limits = MarkdownLimits()

    private var table: (alignments: [MarkupBlock.Alignment], header: [[MarkupInline]], rows: [[[MarkupInline]]]) = (
        [], [], []
    )
    private var row: [[MarkupInline]] = []
    private var isCell = false
    private var isCode = false

    /// Consecutive text in the source, which is searched as a whole.
    private var run = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// An HTML block, up to its end.
    private var html: [UInt8]?
    private var hasHTML = false
    /// The number of open `a` elements in HTML.
    private var openAnchors = 0
    /// The open script or style element in running text. Its content is skipped up to its end tag or the end of the
    /// block.
    private var dropped: String?
    /// The open links, each with the number of pieces before it.
    private var emptyLinks: [(destination: String, start: Int)] = []
    /// The open pictures: the source of the outermost, and its description.
    private var images: [String] = []
    private var alternative: [UInt8] = []
    /// For each open strikethrough, its index among the spans, and whether it has one tilde, once that is known.
    private var tildes: [(span: Int, isOne: Bool?)] = []
    /// The names of referenced footnotes, in order.
    private var names: [String] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// Whether a link leads to another place in the text.
    private var hasFragments = false
    /// Whether a quotation may begin with an alert.
    private var hasAlerts = false

    init(_ rewritten: MarkdownSource?) {
        self.rewritten = rewritten
        builder.findsLinks = true
    }

    /// Returns the first paragraph of the blocks so far, and removes them; nil if there is none.
    func removeOpening() -> String? {
        defer { builder.blocks = [] }
        return builder.blocks.opening
    }

    /// Whether a text may contain syntax that only the tree can handle: links with note names, and alerts.
    static func mayNameNotes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var isFound = false
        bytes.forEach(UInt8(ascii: "[")) { index in
            guard index + 2 < bytes.count else { return false }
            let next = bytes[index + 1]
            isFound =
                next == UInt8(ascii: "[") || next == UInt8(ascii: "!") && bytes[index + 2].isASCIILetter
            return !isFound
        }
        return isFound
    }

    /// The document, after the whole text was read.
    var document: MarkupDocument {
        var document = MarkupDocument(blocks: builder.finish())
        if rewritten?.hasExtensions == true {
            document = MarkdownExtensions.document(document.blocks, names: names)
        }
        if hasAlerts { document.blocks = document.blocks.titlingAlerts }
        if hasHTML { document = Self.readingHTML(of: document) }
        document.dropImpliedNames()
        if hasFragments { document.matchAnchors() }
        return document
    }
}

// MARK: - Blocks

extension MarkdownTree {
    func enter(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        guard limits.allows(type, detail) else { return -1 }
        endRun()
        switch type {
        case MD_BLOCK_QUOTE: builder.begin(.quote)
        case MD_BLOCK_UL: builder.begin(.list(start: nil))
        case MD_BLOCK_OL:
            builder.begin(.list(start: Int(detail?.load(as: MD_BLOCK_OL_DETAIL.self).start ?? 1)))
        case MD_BLOCK_LI:
            builder.begin(.item)
            if let detail = detail?.load(as: MD_BLOCK_LI_DETAIL.self), detail.is_task != 0 {
                _ = builder.setTask(isDone: detail.task_mark != CChar(UInt8(ascii: " ")))
            }
        case MD_BLOCK_P: builder.begin(.paragraph(isImplied: false))
        case MD_BLOCK_H:
            builder.begin(.heading(level: Int(detail?.load(as: MD_BLOCK_H_DETAIL.self).level ?? 1), id: nil))
        case MD_BLOCK_CODE:
            let info = detail.map { Self.string($0.load(as: MD_BLOCK_CODE_DETAIL.self).info) } ?? ""
            builder.begin(.preformatted(language: LanguageName.name(in: CharacterReference.decodeAll(in: info))))
            isCode = true
        case MD_BLOCK_HTML: html = []
        case MD_BLOCK_HR: builder.add(.thematicBreak)
        case MD_BLOCK_TABLE:
            builder.endLeaf()
            table = ([], [], [])
        case MD_BLOCK_TR: row = []
        case MD_BLOCK_TH, MD_BLOCK_TD:
            if type == MD_BLOCK_TH { table.alignments.append(Self.alignment(detail)) }
            builder.begin(.cell)
            isCell = true
        default: break
        }
        return 0
    }

    func leave(_ type: MD_BLOCKTYPE) -> Int32 {
        endRun()
        switch type {
        case MD_BLOCK_QUOTE, MD_BLOCK_UL, MD_BLOCK_OL, MD_BLOCK_LI: builder.end()
        case MD_BLOCK_P: builder.endLeaf()
        case MD_BLOCK_H: builder.endHeading()
        case MD_BLOCK_CODE:
            isCode = false
            builder.endLeaf()
        case MD_BLOCK_HTML:
            if let html { builder.add(.code(language: HTMLWriter.raw, String(decoding: html, as: UTF8.self))) }
            html = nil
            hasHTML = true
        case MD_BLOCK_TH, MD_BLOCK_TD:
            isCell = false
            row.append(builder.removeInlines())
        case MD_BLOCK_TR:
            if table.header.isEmpty { table.header = row } else { table.rows.append(row) }
        case MD_BLOCK_TABLE: builder.add(table: table.rows, header: table.header, alignments: table.alignments)
        default: break
        }
        // Spans and unclosed HTML elements end with the block.
        openAnchors = 0
        dropped = nil
        builder.findsLinks = true
        return 0
    }

    private static func alignment(_ detail: UnsafeMutableRawPointer?) -> MarkupBlock.Alignment {
        switch detail?.load(as: MD_BLOCK_TD_DETAIL.self).align {
        case MD_ALIGN_RIGHT: .right
        case MD_ALIGN_CENTER: .center
        default: .left
        }
    }
}

// MARK: - Spans

extension MarkdownTree {
    func enter(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        endRun()
        if type == MD_SPAN_IMG {
            guard let address = detail.map({ $0.load(as: MD_SPAN_IMG_DETAIL.self).src }), let source = resolve(address)
            else { return -1 }
            images.append(source)
            return 0
        }
        // In the description of a picture, only the text counts.
        guard images.isEmpty else { return 0 }
        switch type {
        case MD_SPAN_EM: builder.begin(.emphasis)
        case MD_SPAN_STRONG: builder.begin(.strong)
        case MD_SPAN_DEL:
            tildes.append((builder.spanDepth, nil))
            builder.begin(.strikethrough)
        case MD_SPAN_CODE:
            isCode = true
            builder.begin(.code)
        case MD_SPAN_A:
            guard let address = detail.map({ $0.load(as: MD_SPAN_A_DETAIL.self).href }),
                let destination = resolve(address)
            else { return -1 }
            if destination.hasPrefix("#") { hasFragments = true }
            builder.begin(.link(destination))
            emptyLinks.append((destination, builder.pieceCount))
            openAnchors += 1
        default: builder.begin(.none)
        }
        return 0
    }

    func leave(_ type: MD_SPANTYPE) -> Int32 {
        endRun()
        if type == MD_SPAN_IMG {
            let source = images.popLast() ?? ""
            guard images.isEmpty else { return 0 }
            let text = String(decoding: alternative, as: UTF8.self).collapsed
            alternative = []
            if !source.isEmpty || !text.isEmpty { builder.addImage(source: source, alternative: text) }
            return 0
        }
        guard images.isEmpty else { return 0 }
        if type == MD_SPAN_CODE { isCode = false }
        if type == MD_SPAN_A {
            openAnchors -= 1
            // If the content of the link is invisible, show its address.
            if let link = emptyLinks.popLast(), link.start == builder.pieceCount { builder.add(link.destination) }
        }
        builder.endSpan()
        if type == MD_SPAN_DEL, tildes.popLast()?.isOne == true { builder.add("~") }
        return 0
    }

    /// Returns the target of a link or picture; nil if the document repeats too much.
    private func resolve(_ attribute: MD_ATTRIBUTE) -> String? {
        guard limits.allows(bytes: Int(attribute.size)) else { return nil }
        return restored(CharacterReference.decodeAll(in: Self.string(attribute)))
    }

    private static func string(_ attribute: MD_ATTRIBUTE) -> String {
        String(decoding: UnsafeRawBufferPointer(start: attribute.text, count: Int(attribute.size)), as: UTF8.self)
    }

    /// Determines whether a strikethrough has one tilde. md4c does not report it, so look at the source before its
    /// first text. Two tildes strike out; one makes a subscript (`H~2~O`, Pandoc) or means nothing.
    private func judgeTilde(before text: UnsafeBufferPointer<UInt8>) {
        guard let last = tildes.indices.last, tildes[last].isOne == nil, let offset = offset(of: text) else { return }
        var index = offset
        while index > 0, source[index - 1] != UInt8(ascii: "~"), "*_[!`\\< \n".utf8.contains(source[index - 1]) {
            index -= 1
        }
        guard index > 0, source[index - 1] == UInt8(ascii: "~"), index < 2 || source[index - 2] != UInt8(ascii: "~")
        else {
            tildes[last].isOne = false
            return
        }
        let inside = source[index...].prefix { $0 != UInt8(ascii: "~") }
        if inside.contains(where: \.isHTMLSpace) {
            tildes[last].isOne = true
            builder.change(spanAt: tildes[last].span, to: .none)
            builder.add(before: tildes[last].span, "~")
        } else {
            tildes[last].isOne = false
            builder.change(spanAt: tildes[last].span, to: .subscript)
        }
    }

    /// Returns the offset of a text in the source; nil if it is not from there, such as a line break.
    private func offset(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let start = source.baseAddress, let at = text.baseAddress, at >= start, at < start + source.count else {
            return nil
        }
        return at - start
    }
}

// MARK: - Text

extension MarkdownTree {
    func add(_ type: MD_TEXTTYPE, _ text: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard limits.allows(bytes: text.count) else { return -1 }
        if html != nil {
            html?.append(contentsOf: rewritten?.hasReplacements == true ? restored(text) : Array(text))
            return 0
        }
        if let dropped {
            if type == MD_TEXT_HTML, string(text).lowercased().hasPrefix("</" + dropped) { self.dropped = nil }
            return 0
        }
        if !tildes.isEmpty { judgeTilde(before: text) }
        if type == MD_TEXT_NORMAL, images.isEmpty {
            if let end = run.baseAddress.map({ $0 + run.count }), end == text.baseAddress {
                run = UnsafeBufferPointer(start: run.baseAddress, count: run.count + text.count)
            } else {
                endRun()
                run = text
            }
            return 0
        }
        endRun()
        switch type {
        case MD_TEXT_HTML: if images.isEmpty { addHTML(restored(string(text))) }
        case MD_TEXT_BR: if images.isEmpty { builder.addBreak() } else { put(" ") }
        case MD_TEXT_SOFTBR: put(" ")
        case MD_TEXT_NULLCHAR: put("\u{FFFD}")
        case MD_TEXT_ENTITY:
            let reference = string(text)
            put(CharacterReference.decoded(reference) ?? reference)
        case MD_TEXT_CODE where isCell && text.contains(UInt8(ascii: "\\")):
            // In a table cell, a bar needs a backslash even in code.
            put(restored(string(text).replacing("\\|", with: "|")))
        default:
            if rewritten?.hasReplacements == true {
                put(restored(string(text)))
            } else if images.isEmpty {
                builder.add(text)
            } else {
                alternative.append(contentsOf: text)
            }
        }
        return 0
    }

    private func string(_ text: UnsafeBufferPointer<UInt8>) -> String { String(decoding: text, as: UTF8.self) }

    private func put(_ text: String) {
        if images.isEmpty { builder.add(text) } else { alternative.append(contentsOf: text.utf8) }
    }

    /// Returns the text with the replacements of ``MarkdownSource`` reverted.
    private func restored(_ text: String) -> String {
        guard rewritten?.hasReplacements == true else { return text }
        var text = text
        return text.withUTF8 { String(decoding: restored($0), as: UTF8.self) }
    }

    private func restored(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let component = UnsafeBufferPointer(
            start: MarkdownSource.Mark.component.utf8Start, count: MarkdownSource.Mark.component.utf8CodeUnitCount)
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            switch text[index] {
            case 0xF4 where text[index...].starts(with: MarkdownSource.Mark.start) && index + 3 < text.count:
                switch text[index + 3] {
                case 0xB4: result.append(UInt8(ascii: "_"))
                case 0xB5: result.append(UInt8(ascii: "~"))
                default: result.append(contentsOf: text[index..<(index + 4)])
                }
                index += 4
            case component[0] where text[index...].starts(with: component): index += component.count
            case let byte:
                result.append(byte)
                index += 1
            }
        }
        return result
    }

    private func addHTML(_ tag: String) {
        hasHTML = true
        let element = String(decoding: tag.utf8.dropFirst().prefix(while: \.isASCIILetter), as: UTF8.self).lowercased()
        // If left open, these elements would contain all following text.
        if ["script", "style"].contains(element) { dropped = element }
        if ["script", "style", "textarea", "title", "xmp", "plaintext", "noembed", "noframes"].contains(element) {
            return
        }
        let name = tag.prefix(3).lowercased()
        if name == "</a" { openAnchors -= 1 }
        if name == "<a " || name == "<a>" { openAnchors += 1 }
        builder.addImage(source: HTMLWriter.raw, alternative: tag)
        builder.findsLinks = openAnchors <= 0
    }

    /// Adds the consecutive text, including syntax that md4c does not support.
    private func endRun() {
        guard !run.isEmpty else { return }
        let text = run
        run = UnsafeBufferPointer(start: nil, count: 0)
        guard rewritten?.hasReplacements != true else {
            restored(text).withUnsafeBufferPointer { addRun($0) }
            return
        }
        addRun(text)
    }

    private func addRun(_ text: UnsafeBufferPointer<UInt8>) {
        if text.starts(with: "[!".utf8) { hasAlerts = true }
        var done = 0
        var index = isEscaped(text) ? 1 : 0
        // A link cannot contain a link.
        while openAnchors <= 0, let bracket = text.firstIndex(of: UInt8(ascii: "["), from: index) {
            index = bracket + 1
            guard let link = WikiLink(text, at: bracket), link.range.lowerBound >= done else { continue }
            addSigns(UnsafeBufferPointer(rebasing: text[done..<link.range.lowerBound]))
            if link.isImage {
                builder.addImage(source: link.destination, alternative: link.text)
            } else {
                builder.begin(.link(link.destination))
                builder.add(link.text)
                builder.endSpan()
            }
            done = link.range.upperBound
            index = done
        }
        addSigns(UnsafeBufferPointer(rebasing: text[done...]))
    }

    /// Whether a backslash before the text escapes its first character.
    private func isEscaped(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let offset = offset(of: text), offset > 0 else { return false }
        return source[offset - 1] == UInt8(ascii: "\\")
    }

    private func addSigns(_ text: UnsafeBufferPointer<UInt8>) {
        var done = 0
        var index = 0
        while let caret = text.firstIndex(of: UInt8(ascii: "^"), from: index) {
            index = caret + 1
            if caret > 0, text[caret - 1] == UInt8(ascii: "[") {
                guard caret > done, let found = MarkdownSource.noteName(in: text, at: caret - 1, before: text.count),
                    rewritten?.noteNames.contains(found.name) == true
                else { continue }
                builder.add(UnsafeBufferPointer(rebasing: text[done..<(caret - 1)]))
                builder.addFootnote(number(of: found.name))
                done = found.end
            } else if let end = endOfSuperscript(text, after: caret) {
                builder.add(UnsafeBufferPointer(rebasing: text[done..<caret]))
                builder.begin(.superscript)
                builder.add(UnsafeBufferPointer(rebasing: text[(caret + 1)..<end]))
                builder.endSpan()
                done = end + 1
            } else {
                continue
            }
            index = done
        }
        builder.add(UnsafeBufferPointer(rebasing: text[done...]))
    }

    /// Returns the second caret of `^2^`. The text between must not contain white space, and must contain a letter or
    /// digit (Pandoc).
    private func endOfSuperscript(_ text: UnsafeBufferPointer<UInt8>, after caret: Int) -> Int? {
        var index = caret + 1
        var hasWord = false
        while index < text.count, index - caret < 64, !text[index].isHTMLSpace {
            let byte = text[index]
            if byte == UInt8(ascii: "^") { return hasWord ? index : nil }
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") { return nil }
            if byte.isASCIILetterOrDigit || byte >= 0x80 { hasWord = true }
            index += 1
        }
        return nil
    }

    private func number(of name: [UInt8]) -> Int {
        if let number = numbers[name] { return number }
        names.append(String(decoding: name, as: UTF8.self))
        numbers[name] = names.count
        return names.count
    }
}

// MARK: - HTML in Markdown

extension MarkdownTree {
    /// Returns the document that a browser would show. An HTML element can begin in one block and end in another, so
    /// the whole document is written as HTML and read again.
    private static func readingHTML(of document: MarkupDocument) -> MarkupDocument {
        let html = HTMLWriter.unsafe(document)
        if let page = html.withUnsafeBufferPointer({ HTMLReader.page($0) }) { return page.document }
        return document.withoutHTML
    }
}

extension MarkupDocument {
    /// The document without raw HTML.
    fileprivate var withoutHTML: MarkupDocument {
        MarkupDocument(blocks: blocks.withoutHTML, footnotes: footnotes.map(\.withoutHTML))
            .mappingInlines { inline in
                if case .image(HTMLWriter.raw, _) = inline { .text("") } else { inline }
            }
    }
}

extension [MarkupBlock] {
    fileprivate var withoutHTML: [MarkupBlock] {
        map { block in
            guard case .code(HTMLWriter.raw, let html) = block else { return block.mappingInside(\.withoutHTML) }
            return .lines(HTMLReader.tagless(html))
        }
    }
}
