import Text

/// The first element of an XML document, judged by its first bytes.
struct XMLRoot {
    /// The name of the first element without a prefix, in lower case; empty if it is too far from the start.
    let name: String

    /// Whether it is a web page, which the HTML parser reads better.
    var isPage: Bool { name == "html" }
    var isFeed: Bool { ["rss", "feed", "rdf"].contains(name) }
    /// Whether it is a list of feeds.
    var isList: Bool { name == "opml" }

    /// Whether it declares a namespace of WordPress exports.
    let isWordPress: Bool

    /// Nil if the text does not begin with an XML declaration or the tag of a feed.
    init?(_ start: some Collection<UInt8>) {
        // Without zero bytes and byte order marks, UTF-16 reads as ASCII.
        let head = start.prefix(4096).drop { $0 >= 0x80 }
        guard head.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return nil }
        let text = String(decoding: head.filter { $0 != 0 }, as: UTF8.self)
        var rest = text.trimmed
        while rest.hasPrefix("<?") || rest.hasPrefix("<!") {
            guard let end = Self.end(ofMarkup: rest) else { break }
            rest = rest[end...].trimmed
        }
        let tag = rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
        name = rest.first == "<" ? (tag.split(separator: ":").last ?? tag).lowercased() : ""
        isWordPress = name == "rss" && String(rest.prefix { $0 != ">" }).contains(bytesOf: "//wordpress.org/export/")
        guard text.trimmed.hasPrefix("<?xml") || isFeed || isList else { return nil }
    }

    /// Returns the end of a declaration, a processing instruction, or a comment.
    private static func end(ofMarkup text: Substring) -> Substring.Index? {
        if text.hasPrefix("<!--") { return text.firstRange(of: "-->")?.upperBound }
        if text.hasPrefix("<?") { return text.firstRange(of: "?>")?.upperBound }
        let isSubset = text.prefix { $0 != ">" }.contains("[")
        return isSubset
            ? text.firstRange(of: "]").flatMap { text[$0.upperBound...].firstRange(of: ">")?.upperBound }
            : text.firstRange(of: ">")?.upperBound
    }
}
