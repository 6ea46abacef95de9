import Text

/// What a document in XML is called, as its first bytes tell.
struct XMLRoot {
    /// The name of its first element without a prefix, in lower case; empty where it is too far from the start.
    let name: String

    /// Whether it is a page, which readers of HTML read better.
    var isPage: Bool { name == "html" }
    var isFeed: Bool { ["rss", "feed", "rdf"].contains(name) }
    /// Whether it is a list of feeds.
    var isList: Bool { name == "opml" }

    /// Whether it declares a namespace that WordPress exports with.
    let isWordPress: Bool

    /// Nil where the text does not begin as XML that is read here does: with its declaration, or the tag of a feed.
    init?(_ start: some Collection<UInt8>) {
        // Without zeros and the marks before them, UTF-16 reads as ASCII.
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

    /// The end of a declaration, an instruction or a comment.
    private static func end(ofMarkup text: Substring) -> Substring.Index? {
        if text.hasPrefix("<!--") { return text.firstRange(of: "-->")?.upperBound }
        if text.hasPrefix("<?") { return text.firstRange(of: "?>")?.upperBound }
        let isSubset = text.prefix { $0 != ">" }.contains("[")
        return isSubset
            ? text.firstRange(of: "]").flatMap { text[$0.upperBound...].firstRange(of: ">")?.upperBound }
            : text.firstRange(of: ">")?.upperBound
    }
}
