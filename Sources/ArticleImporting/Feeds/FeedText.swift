import ArticleStore
import Markup
import Text

/// A text of a feed and its format.
struct FeedText: Hashable {
    let text: String
    let format: Article.Format

    init(_ text: String, _ format: Article.Format) {
        self.text = text
        self.format = format
    }

    /// Creates the text of an element of RSS or Atom; nil without readable text.
    ///
    /// Atom states the type and RSS does not, and neither is reliable: a text with HTML tags or character references is
    /// HTML, unless a media type states something else. Child elements are HTML too.
    ///
    /// - Parameter isTitle: whether the text is a title. Titles more often mention elements than use them, so only an
    ///   end tag counts.
    init?(_ element: XMLElement, isTitle: Bool = false) {
        let type = (element["type"] ?? "").lowercased()
        if element.elements.contains(where: { _ in true }) {
            // Atom wraps the text in a `div`, which is not part of it.
            let inside = element.content.filter { if case .text(let text) = $0 { !text.trimmed.isEmpty } else { true } }
            if inside.count == 1, case .element(let div) = inside[0], div.name == "html:div" || div.name == "div" {
                self.init(String(div.innerHTML.trimmed), .html)
            } else {
                self.init(String(element.innerHTML.trimmed), .html)
            }
        } else {
            var text = element.text
            let isBase64 = element["mode"]?.lowercased() == "base64"
            if isBase64 || Self.isBinary(type) {
                if let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), !data.isEmpty,
                    let decoded = String(validating: data, as: UTF8.self)
                {
                    text = decoded
                } else if isBase64 {
                    return nil
                }
            }
            text = String(text.trimmed)
            switch type {
            case "html", "text/html": self.init(text, .html)
            case "text/markdown", "text/x-markdown": self.init(text, .markdown)
            // RFC 4287, section 3.1.1.1: tags in it are meant to be visible.
            case "text": self.init(text, .plain)
            default: self.init(text, Self.looksLikeHTML(text, isTitle: isTitle) ? .html : .plain)
            }
        }
        if text.isEmpty { return nil }
    }

    /// Whether text of a media type is in Base64 in Atom (RFC 4287, section 4.1.3.3).
    private static func isBinary(_ type: String) -> Bool {
        type.contains("/") && !type.hasPrefix("text/") && !type.hasSuffix("/xml") && !type.hasSuffix("+xml")
            && !type.hasPrefix("multipart/")
    }

    /// The text in one line, without markup.
    var line: String { format.document(of: text).blocks.text.oneLine }

    /// Whether the text contains a character reference, an end tag, or a void element of HTML.
    static func looksLikeHTML(_ text: String, isTitle: Bool) -> Bool {
        let bytes = text.utf8
        var index = bytes.startIndex
        while let start = bytes[index...].firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
            index = bytes.index(after: start)
            let rest = bytes[index...]
            if bytes[start] == UInt8(ascii: "&") {
                let name = rest.prefix(32).prefix { isLetterOrDigit($0) || $0 == UInt8(ascii: "#") }
                if !name.isEmpty, name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: ";") {
                    return true
                }
            } else {
                let isEnd = rest.first == UInt8(ascii: "/")
                let name = rest.dropFirst(isEnd ? 1 : 0).prefix(16).prefix(while: isLetterOrDigit)
                let word = String(decoding: name, as: UTF8.self).lowercased()
                if name.endIndex < bytes.endIndex,
                    (isEnd || !isTitle ? elements : voids).contains(word) || voids.contains(word)
                {
                    return true
                }
            }
        }
        return false
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }

    /// Elements with an end tag, and those without.
    private static let elements: Set<String> = [
        "a", "abbr", "article", "aside", "audio", "b", "bdi", "big", "blockquote", "body", "caption", "center", "cite",
        "code", "dd", "del", "details", "div", "dl", "dt", "em", "figcaption", "figure", "font", "footer", "form", "h1",
        "h2",
        "h3", "h4", "h5", "h6", "header", "html", "i", "iframe", "ins", "kbd", "li", "main", "mark", "nav", "object",
        "ol",
        "p", "picture", "pre", "q", "s", "samp", "script", "section", "small", "span", "strike", "strong", "style",
        "sub",
        "summary", "sup", "svg", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul", "var",
        "video",
    ]
    private static let voids: Set<String> = ["br", "embed", "hr", "img", "wbr"]
}

/// Titles for entries that may not have one.
enum FeedTitle {
    /// The maximum number of characters of a title that is made from a text.
    private static let length = 80
    /// The maximum number of bytes of any title.
    private static let limit = 4000

    /// Returns a text of a feed in one line, without markup if it looks like HTML.
    static func line(of text: String) -> String {
        FeedText(text, FeedText.looksLikeHTML(text, isTitle: true) ? .html : .plain).line
    }

    /// Whether a title is empty, or says only that there is none. Some programs write this instead of omitting the title.
    static func isPlaceholder(_ title: String) -> Bool {
        let letters = title.lowercased().filter(\.isLetter)
        return title.isEmpty || ["untitled", "notitle"].contains(letters)
    }

    /// Returns the title, cut if it is too long.
    static func cut(_ title: String) -> String { title.utf8.count <= limit ? title : Excerpt.cut(title, to: 1000) }

    /// Returns the first words of a text or, if it is empty (such as a picture without a description), the last part of
    /// an address in readable form.
    ///
    /// - Returns: nil if there is neither a text nor an address.
    static func made(of body: FeedText?, addresses: [String]) -> String? {
        guard body?.text.trimmed.isEmpty == false || !addresses.isEmpty else { return nil }
        if let body {
            let start = Excerpt.make(from: body.text, body.format)
            if start.contains(where: { !$0.isWhitespace }) { return Excerpt.cut(start, to: length) }
            // An excerpt skips headings, tables, and picture descriptions, but these may be the only content.
            let line = body.line
            if line.contains(where: \.isLetter) { return Excerpt.cut(line, to: length) }
        }
        for address in addresses {
            let path = address.prefix { $0 != "?" && $0 != "#" }
            let parts = path.split(separator: "/")
            guard parts.count > 2, let last = parts.last else { continue }
            if let title = FileNameFacts(path: FeedLink.unescaped(last.prefix { $0 != "." })).title,
                title.contains(where: { $0.isLetter })
            {
                return title
            }
        }
        return untitled
    }

    /// The title of an article without a text and an address with words.
    static let untitled = "Untitled"
}
