/// The start of a body as plain text, for articles whose source gives no summary.
enum Excerpt {
    /// The first paragraph, without markup, whole where it has up to 280 characters; else cut after a word and ended by
    /// an ellipsis. Headings, code, tables, pictures and comments are passed over. Looks at 8 KiB at most, so that a long
    /// body costs no more than a short one.
    static func make(from body: String, _ format: Article.Format) -> String {
        let head = body.utf8.count > 8192 ? String(decoding: body.utf8.prefix(8192), as: UTF8.self) : body
        return switch format {
        case .markdown: cut(firstParagraph(ofMarkdown: head))
        case .html: cut(PlainText.strip(html(head), markdown: false))
        case .plain: cut(firstParagraph(ofText: head))
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
        if let space = text[earliest..<end].lastIndex(of: " ") { return text[..<space] + "…" }
        // Never inside what a reader sees as one character.
        let characters = text[..<scalars.index(after: end)].dropLast()
        return characters + "…"
    }

    private static func lines(_ text: String) -> some Sequence<Substring> {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.lazy
    }

    private static func firstParagraph(ofText text: String) -> String {
        var paragraph = ""
        for line in lines(text).lazy.map({ $0.trimmed }) {
            if line.isEmpty {
                if paragraph.isEmpty { continue }
                break
            }
            if !paragraph.isEmpty { paragraph += " " }
            paragraph += line
        }
        return paragraph
    }

    private static func firstParagraph(ofMarkdown text: String) -> String {
        var paragraph = ""
        var fence: Substring?
        for raw in lines(text) {
            var line = raw.trimmed
            if let open = fence {
                if line.hasPrefix(open) { fence = nil }
                continue
            }
            if line.hasPrefix("```") || line.hasPrefix("~~~") {
                fence = line.prefix(3)
                line = ""
            }
            if isUnderline(line) && !paragraph.isEmpty {
                // The paragraph was the text of a heading.
                paragraph = ""
                continue
            }
            if line.isEmpty || isNoText(line) || (paragraph.isEmpty && (raw.hasPrefix("    ") || raw.hasPrefix("\t"))) {
                let plain = PlainText.strip(paragraph, markdown: true)
                if !plain.isEmpty { return plain }
                paragraph = ""
                continue
            }
            if !paragraph.isEmpty { paragraph += " " }
            paragraph += withoutMarker(line)
        }
        return PlainText.strip(paragraph, markdown: true)
    }

    /// A line under a heading, or a rule between sections.
    private static func isUnderline(_ line: Substring) -> Bool {
        guard let first = line.utf8.first, first == UInt8(ascii: "=") || first == UInt8(ascii: "-") else {
            return false
        }
        return line.utf8.allSatisfy { $0 == first }
    }

    /// Headings, tables, rules, templates, definitions of links.
    private static func isNoText(_ line: Substring) -> Bool {
        if line.hasPrefix("#") || line.hasPrefix("|") || line.hasPrefix("{%") || line.hasPrefix("{:") { return true }
        if line.hasPrefix("["), let end = line.firstIndex(of: "]") { return line[end...].hasPrefix("]:") }
        return line.utf8.allSatisfy { "-*_= ".utf8.contains($0) }
    }

    /// The line without the marks of a quotation or a list.
    private static func withoutMarker(_ line: Substring) -> Substring {
        var line = line
        while line.hasPrefix(">") { line = line.dropFirst().trimmed }
        for marker in ["- ", "* ", "+ "] where line.hasPrefix(marker) { return line.dropFirst(2) }
        let digits = line.utf8.prefix { (0x30...0x39).contains($0) }
        if (1...9).contains(digits.count), line[digits.endIndex...].hasPrefix(". ") {
            return line[digits.endIndex...].dropFirst(2)
        }
        return line
    }

    /// The inside of the first paragraph, or of the body, or all there is.
    private static func html(_ text: String) -> String {
        let text = PlainText.withoutElements(["script", "style", "head", "title"], in: text)
        let paragraph = PlainText.firstElement("p", in: text)
        return paragraph.map(String.init) ?? text
    }
}
