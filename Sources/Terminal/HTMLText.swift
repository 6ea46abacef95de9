import Text

/// The text of an HTML article: tags are taken out, block elements become paragraphs, scripts and styles vanish. It is not a browser: nothing
/// is fetched, styled or run, and wrong markup gives odd text at worst.
struct HTMLText: Hashable, Sendable {
    /// Paragraphs without control characters; a newline inside one is a break that was asked for.
    private(set) var paragraphs: [Span] = []
    private var current = ""
    private var style = Style.plain
    /// Inside `pre`, where white space counts.
    private var isPreformatted = false

    init(_ html: String) {
        var rest = html.sanitized(keeping: [.newline, .tab])[...].utf8
        while !rest.isEmpty {
            guard let start = rest.firstIndex(of: UInt8(ascii: "<")) else {
                add(Substring(rest))
                break
            }
            add(Substring(rest[..<start]))
            rest = rest[start...]
            let second = rest.dropFirst().first ?? 0
            if rest.starts(with: "<!--".utf8) {
                rest = Self.after("-->", in: rest.dropFirst(4))
            } else if second == UInt8(ascii: "/") || second == UInt8(ascii: "!")
                || (0x61...0x7A).contains(second | 0x20)
            {
                let end = Self.endOfTag(rest)
                let name = Self.tagName(Substring(rest[..<end]))
                rest = rest[end...]
                if ["script", "style", "template", "noscript", "head"].contains(name) {
                    rest = Self.afterElement(name, in: rest)
                } else {
                    handle(name)
                }
            } else {
                add("<")
                rest = rest.dropFirst()
            }
        }
        endParagraph()
    }

    /// The paragraphs in lines of at most `width` columns, an empty line between them.
    func text(width: Int) -> StyledText {
        StyledText(lines: Array(paragraphs.map { [$0].wrapped(to: width) }.joined(separator: [[]])))
    }

    /// `p` of `<p class="x">`, `/p` of `</p>`, in lower case.
    static func tagName(_ tag: some StringProtocol) -> String {
        let name = tag.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "!" }.lowercased()
        return name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
    }

    private mutating func handle(_ tag: String) {
        let name = tag.hasPrefix("/") ? String(tag.dropFirst()) : tag
        let isStart = name == tag
        switch name {
        case "br": current += "\n"
        case "td", "th": current += " "
        case "li":
            endParagraph()
            if isStart { current = "• " }
        case "pre":
            endParagraph()
            isPreformatted = isStart
        case "h1", "h2", "h3", "h4", "h5", "h6":
            endParagraph()
            style = isStart ? .bold : .plain
        case "p", "div", "ul", "ol", "dl", "dt", "dd", "blockquote", "section", "article", "header", "footer", "main",
            "aside", "nav",
            "figure", "figcaption", "table", "tr", "hr", "body", "html", "title", "form", "details", "summary":
            endParagraph()
        default: break
        }
    }

    private mutating func add(_ text: Substring) {
        guard !text.isEmpty else { return }
        let decoded = CharacterReference.decodeAll(in: text).sanitized(keeping: [.newline, .tab])
        // Spaces that do not break keep the shape of what is preformatted.
        current +=
            isPreformatted
            ? decoded.replacing("\t", with: "    ").replacing(" ", with: "\u{A0}") : decoded.replacing("\n", with: " ")
    }

    private mutating func endParagraph() {
        if current.contains(where: { !$0.isWhitespace }) { paragraphs.append(Span(current, style)) }
        current = ""
    }

    /// Past the `>` of the tag, one inside a quoted attribute not counted; an unclosed tag ends with the text.
    private static func endOfTag(_ text: Substring.UTF8View) -> Substring.Index {
        var quote: UInt8?
        for index in text.indices {
            let byte = text[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return text.index(after: index)
            }
        }
        return text.endIndex
    }

    private static func after(_ end: String, in text: Substring.UTF8View) -> Substring.UTF8View {
        let end = Array(end.utf8)
        for index in text.indices where text[index] == end[0] && text[index...].starts(with: end) {
            return text[index...].dropFirst(end.count)
        }
        return text[text.endIndex...]
    }

    /// Past `</name …>`, whatever its case; an element that is never closed takes the rest.
    private static func afterElement(_ name: String, in text: Substring.UTF8View) -> Substring.UTF8View {
        let end = Array("</\(name)".utf8)
        for index in text.indices where text[index] == end[0] {
            let candidate = text[index...].prefix(end.count)
            if candidate.elementsEqual(end, by: { $0 == $1 || ($0 | 0x20) == $1 }) {
                return text[endOfTag(text[index...])...]
            }
        }
        return text[text.endIndex...]
    }
}
