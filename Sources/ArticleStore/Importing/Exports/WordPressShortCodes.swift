import Text

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
