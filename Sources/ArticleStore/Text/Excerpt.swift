import Markup
import Text

/// The start of a body as plain text, for articles whose source gives no summary.
enum Excerpt {
    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    /// The first paragraph, without markup, whole where it has up to 280 characters; else cut after a word and ended by
    /// an ellipsis. Headings, code, tables, pictures and comments are passed over. Looks at 8 KiB at most, so that a
    /// long body costs no more than a short one.
    static func make(from body: String, _ format: Article.Format) -> String {
        if format == .html { return cut(paragraph(ofHTML: start(of: body))) }
        var body = body
        return body.withUTF8 { bytes in
            let head = UnsafeBufferPointer(rebasing: bytes.prefix(headSize))
            let paragraph = format == .plain ? paragraph(ofText: head) : paragraph(ofMarkdown: head)
            return cut(paragraph)
        }
    }

    /// A text of so many scalars at most, cut after a word where one ends in the last third and ended by an ellipsis.
    static func cut(_ text: String, to limit: Int = 280) -> String {
        let scalars = text.unicodeScalars
        guard text.utf8.count > limit,
            let end = scalars.index(scalars.startIndex, offsetBy: limit - 1, limitedBy: scalars.endIndex),
            scalars.index(end, offsetBy: 1, limitedBy: scalars.endIndex) ?? scalars.endIndex < scalars.endIndex
        else { return text }
        let earliest = scalars.index(scalars.startIndex, offsetBy: limit * 5 / 7)
        if let space = text.utf8[earliest..<end].lastIndex(of: 0x20) { return text[..<space] + "…" }
        // Never inside what a reader sees as one character.
        return text[..<scalars.index(after: end)].dropLast() + "…"
    }

    private static let headSize = 8192

    private static func start(of body: String) -> String {
        body.utf8.count > headSize ? String(decoding: body.utf8.prefix(headSize), as: UTF8.self) : body
    }

    private static func paragraph(ofText text: UnsafeBufferPointer<UInt8>) -> String {
        var paragraph: [UInt8] = []
        var rest = text[...]
        while let line = takeLine(from: &rest)?.trimmed {
            if line.isEmpty && !paragraph.isEmpty { break }
            append(line, to: &paragraph)
        }
        return String(decoding: paragraph, as: UTF8.self)
    }

    private static func paragraph(ofMarkdown text: UnsafeBufferPointer<UInt8>) -> String {
        var paragraph: [UInt8] = []
        var fence: Line?
        var rest = text[...]
        while let raw = takeLine(from: &rest) {
            var line = raw.trimmed
            if let open = fence {
                if line.starts(with: open) { fence = nil }
                continue
            }
            if line.starts(with: "```".utf8) || line.starts(with: "~~~".utf8) {
                fence = line.prefix(3)
                line = line.prefix(0)
            }
            if !paragraph.isEmpty && isUnderline(line) {
                // The paragraph was the text of a heading.
                paragraph = []
                continue
            }
            let isCode = paragraph.isEmpty && (raw.starts(with: "    ".utf8) || raw.starts(with: "\t".utf8))
            if line.isEmpty || isCode || isNoText(line) {
                if paragraph.isEmpty { continue }
                let plain = PlainText.strip(paragraph, markdown: true)
                if !plain.isEmpty { return plain }
                paragraph = []
                continue
            }
            append(withoutMarker(line), to: &paragraph)
        }
        return PlainText.strip(paragraph, markdown: true)
    }

    private static func takeLine(from rest: inout Line) -> Line? {
        guard !rest.isEmpty else { return nil }
        let line = rest.prefix { $0 != 0x0A }
        rest = rest[line.endIndex...].dropFirst()
        return line
    }

    private static func append(_ line: Line, to paragraph: inout [UInt8]) {
        if !paragraph.isEmpty { paragraph.append(0x20) }
        paragraph += line
    }

    /// A line under a heading, or a rule between sections.
    private static func isUnderline(_ line: Line) -> Bool {
        guard let first = line.first, first == UInt8(ascii: "=") || first == UInt8(ascii: "-") else { return false }
        return line.allSatisfy { $0 == first }
    }

    /// Headings, tables, rules, templates, definitions of links.
    private static func isNoText(_ line: Line) -> Bool {
        switch line.first {
        case UInt8(ascii: "#"), UInt8(ascii: "|"): return true
        case UInt8(ascii: "{"): return line.starts(with: "{%".utf8) || line.starts(with: "{:".utf8)
        case UInt8(ascii: "["):
            return line.firstIndex(of: UInt8(ascii: "]")).map { line[$0...].starts(with: "]:".utf8) } ?? false
        case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "="):
            return line.allSatisfy { "-*_= ".utf8.contains($0) }
        default: return false
        }
    }

    /// The line without the marks of a quotation or a list.
    private static func withoutMarker(_ line: Line) -> Line {
        var line = line
        while line.first == UInt8(ascii: ">") { line = line.dropFirst().trimmed }
        if let first = line.first, "-*+".utf8.contains(first), line.dropFirst().first == 0x20 {
            return line.dropFirst(2)
        }
        let afterDigits = line[line.prefix { (0x30...0x39).contains($0) }.endIndex...]
        let isNumbered = (1...9).contains(line.count - afterDigits.count) && afterDigits.starts(with: ". ".utf8)
        return isNumbered ? afterDigits.dropFirst(2) : line
    }

    /// The first paragraph, or all there is.
    private static func paragraph(ofHTML html: String) -> String {
        let blocks = MarkupDocument(html: html).blocks
        let first = blocks.first { if case .paragraph = $0 { true } else { false } }
        return (first?.text ?? blocks.text).unicodeScalars.split { $0.value <= 0x20 || $0.value == 0xA0 }
            .map { String($0) }.joined(separator: " ")
    }
}
