import ArticleStore
import Text

/// The text of a WordPress post as HTML.
///
/// The present editor writes HTML with comments `<!-- wp:… -->`; such a text is left unchanged. With the old editor,
/// blank lines separate paragraphs, and themes convert them. This type does the same by these rules:
///
/// - The text between two tags of block elements, or an end of the text, is split at blank lines. Each part becomes a
///   paragraph, unless it is the only one and already inside a block element.
/// - A line feed inside a part becomes `<br>`, unless it follows one.
/// - The contents of `pre`, `script`, `style`, `textarea`, `svg`, and comments are unchanged.
/// - The short code `[caption]` around an image becomes a `figure`, and `[embed]` a link.
struct WordPressText {
    private var output: [UInt8] = []
    /// The parts between two tags of block elements. The last one is being read.
    private var parts: [[UInt8]] = [[]]
    /// For each part, whether it contains anything except comments.
    private var isVisible: [Bool] = [false]
    /// The number of open block elements.
    private var depth = 0

    /// - Parameter text: the text as it is in the export.
    static func html(of text: String) -> String {
        let text = String(text.trimmed)
        return text.contains(bytesOf: "<!-- wp:") ? text : paragraphs(of: WordPressShortCodes.resolved(in: text))
    }

    /// Converts blank lines into paragraphs.
    static func paragraphs(of html: String) -> String {
        var reader = WordPressText()
        var html = html
        html.withUTF8 { reader.read($0) }
        return String(decoding: reader.output, as: UTF8.self)
    }

    private mutating func read(_ html: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while let start = html[index...].firstIndex(of: UInt8(ascii: "<")) {
            addText(html[index..<start])
            let token = HTMLToken(html, at: start)
            let piece = html[start..<token.end]
            switch token.kind {
            case .text: addText(piece)
            case .comment: parts[parts.count - 1] += piece
            case .start(let name) where Self.verbatim.contains(name):
                let end = HTMLToken.end(of: name, in: html, from: token.end)
                if name == "pre" {
                    endParts()
                    output += html[start..<end]
                    output.append(0x0A)
                } else {
                    add(html[start..<end])
                }
                index = end
                continue
            case .start(let name) where Self.blocks.contains(name):
                endParts()
                output += piece
                if Self.voids.contains(name) { output.append(0x0A) } else { depth += 1 }
            case .end(let name) where Self.blocks.contains(name):
                endParts()
                output += piece
                output.append(0x0A)
                depth = max(0, depth - 1)
            case .start, .end: add(piece)
            }
            index = token.end
        }
        addText(html[index...])
        endParts()
        while output.last == 0x0A { output.removeLast() }
    }

    private mutating func add(_ piece: Slice<UnsafeBufferPointer<UInt8>>) {
        parts[parts.count - 1] += piece
        isVisible[parts.count - 1] = true
    }

    private mutating func addText(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        var rest = text
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
            if line.contains(where: { $0 > 0x20 }) { add(line) } else { parts[parts.count - 1] += line }
            rest = rest[line.endIndex...]
            guard !rest.isEmpty else { break }
            let space = rest.prefix { $0 <= 0x20 }
            rest = rest[space.endIndex...]
            if Self.isBlankLine(space) {
                parts.append([])
                isVisible.append(false)
            } else {
                parts[parts.count - 1].append(Self.lineFeed)
            }
        }
    }

    /// Whether there is more than one line break.
    private static func isBlankLine(_ space: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        max(space.count { $0 == 0x0A }, space.count { $0 == 0x0D }) > 1
    }

    private mutating func endParts() {
        let found = zip(parts, isVisible).map { (part: $0[...].trimmed, isVisible: $1) }
            .filter { $0.part.contains { $0 > 0x20 && $0 != Self.lineFeed } }
        let isDivided = found.count(where: \.isVisible) > 1
        for (part, isVisible) in found {
            let isParagraph = isVisible && (depth == 0 || isDivided)
            if isParagraph { output += "<p>".utf8 }
            for (number, line) in part.split(separator: Self.lineFeed).enumerated() {
                if number > 0 {
                    if !Self.endsWithBreak(output) { output += "<br>".utf8 }
                    output.append(0x0A)
                }
                output += line
            }
            if isParagraph { output += "</p>\n".utf8 }
            if !isVisible { output.append(0x0A) }
        }
        parts = [[]]
        isVisible = [false]
    }

    private static func endsWithBreak(_ text: [UInt8]) -> Bool {
        guard let end = text.last(where: { $0 > 0x20 }), end == UInt8(ascii: ">"),
            let start = text.suffix(64).lastIndex(of: UInt8(ascii: "<"))
        else { return false }
        return text[start...].starts(with: "<br".utf8)
    }

    /// A substitute byte for line feeds outside of tags. It never occurs in UTF-8.
    private static let lineFeed: UInt8 = 0xFF

    private static let verbatim: Set<String> = ["pre", "script", "style", "textarea", "svg"]
    private static let voids: Set<String> = ["hr", "col", "area"]
    /// Elements that begin on lines of their own.
    private static let blocks: Set<String> = [
        "address", "area", "article", "aside", "blockquote", "caption", "center", "col", "colgroup", "dd", "details",
        "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
        "header", "hgroup", "hr", "legend", "li", "main", "map", "menu", "nav", "ol", "p", "pre", "section", "summary",
        "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    ]
}

/// Converts the short codes with readable content into HTML. Others stay as they are, because plugins define them.
enum WordPressShortCodes {
    static func resolved(in text: String) -> String {
        var text = text
        if text.contains(bytesOf: "[/caption]") { text = replacing("caption", in: text, with: figure) }
        if text.contains(bytesOf: "[/embed]") { text = replacing("embed", in: text, with: link) }
        return text
    }

    /// The image is the first element, with a link around it; the caption follows.
    private static func figure(_ inside: Substring) -> String? {
        let text = inside.trimmed
        guard let image = text.firstRange(of: "<img"), let end = text[image.upperBound...].firstIndex(of: ">") else {
            return nil
        }
        var rest = text[text.index(after: end)...]
        if text.hasPrefix("<a "), let close = rest.firstRange(of: "</a>"), rest[..<close.lowerBound].trimmed.isEmpty {
            rest = rest[close.upperBound...]
        }
        let caption = rest.trimmed.isEmpty ? "" : "<figcaption>\(rest.trimmed)</figcaption>"
        return "<figure>\(text[..<rest.startIndex])\(caption)</figure>"
    }

    private static func link(_ inside: Substring) -> String? {
        let address = inside.trimmed
        guard FeedLink.isWeb(String(address)), !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x22 || $0 == 0x3C })
        else {
            return nil
        }
        return "<a href=\"\(address)\">\(address)</a>"
    }

    /// Replaces `[name …]inside[/name]`, unless `html` returns nil for the inside.
    private static func replacing(_ name: String, in text: String, with html: (Substring) -> String?) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "[\(name)"), let start = rest[open.upperBound...].firstIndex(of: "]"),
            let close = rest[start...].firstRange(of: "[/\(name)]")
        {
            let isName = rest[open.upperBound] == "]" || rest[open.upperBound].isWhitespace
            if isName, let html = html(rest[rest.index(after: start)..<close.lowerBound]) {
                result += rest[..<open.lowerBound] + html
            } else {
                result += rest[..<close.upperBound]
            }
            rest = rest[close.upperBound...]
        }
        return result + rest
    }
}
