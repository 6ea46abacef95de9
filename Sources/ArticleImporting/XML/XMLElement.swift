import ArticleStore
import Text

/// An element of XML with its content.
struct XMLElement: Hashable, Sendable {
    /// A part of the content.
    enum Node: Hashable, Sendable {
        case element(XMLElement)
        case text(String)
    }

    /// The name in the form of ``XMLTag/name``.
    let name: String
    let attributes: [XMLAttribute]
    var content: [Node] = []

    /// The value of an attribute; nil if it is missing.
    subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// The child elements.
    var elements: some Sequence<XMLElement> {
        content.lazy.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// Returns the first child element with a name.
    func first(_ name: String) -> XMLElement? { elements.first { $0.name == name } }

    /// The text of the element and of all its descendants.
    var text: String {
        if content.count == 1, case .text(let text) = content[0] { return text }
        return content.reduce(into: "") { text, node in
            switch node {
            case .element(let element): text += element.text
            case .text(let part): text += part
            }
        }
    }

    /// The text of the element without its descendants.
    var ownText: String {
        content.reduce(into: "") { text, node in if case .text(let part) = node { text += part } }
    }

    /// The content as HTML, without prefixes and namespace declarations.
    var innerHTML: String {
        var html = ""
        for node in content { node.write(to: &html) }
        return html
    }

    /// Writes the element as HTML.
    fileprivate func write(to html: inout String) {
        let name = Self.localName(name)
        html += "<\(name)"
        for attribute in attributes where !attribute.name.hasPrefix("xmlns") && attribute.name != "xml:base" {
            html += " \(Self.localName(attribute.name))=\""
            html += XMLText.escapedForHTML(attribute.value)
            html += "\""
        }
        html += ">"
        guard !Self.voids.contains(name) else { return }
        for node in content { node.write(to: &html) }
        html += "</\(name)>"
    }

    private static func localName(_ name: String) -> Substring {
        name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name[name.utf8.index(after: $0)...] } ?? name[...]
    }

    /// The void elements of HTML, which do not have end tags.
    private static let voids: Set<Substring> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
}

extension XMLElement.Node {
    fileprivate func write(to html: inout String) {
        switch self {
        case .element(let element): element.write(to: &html)
        case .text(let text): html += XMLText.escapedForHTML(text)
        }
    }
}

/// The start tag of an element.
struct XMLTag: Hashable, Sendable {
    /// The name with the usual prefix of its namespace: `dc:creator`, even if the document uses another prefix. An
    /// undeclared prefix, or one of an unknown namespace, is kept as it is written.
    let name: String
    /// The name as it is written.
    let rawName: String
    let attributes: [XMLAttribute]

    /// The value of an attribute; nil if it is missing.
    subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }
}

/// An attribute. Its name has the form of ``XMLTag/name``.
struct XMLAttribute: Hashable, Sendable {
    let name: String
    let value: String
}

/// Maps names to the usual prefixes of their namespaces, whichever prefixes the document uses.
struct XMLNamespaces {
    /// The usual prefix of each known namespace; empty for names without a prefix.
    private let vocabularies: [String: String]
    /// The declared prefixes in scope, innermost last, with the depths of their declarations.
    private var declared: [(prefix: Substring, customary: String, depth: Int)] = []
    private var depth = 0

    init(_ vocabularies: [String: String]) { self.vocabularies = vocabularies }

    /// Converts a start tag from expat.
    mutating func open(_ name: String, _ attributes: [XMLAttribute]) -> XMLTag {
        depth += 1
        for attribute in attributes where attribute.name.hasPrefix("xmlns") {
            let prefix = attribute.name.dropFirst(5)
            guard prefix.isEmpty || prefix.first == ":" else { continue }
            let customary = vocabularies[attribute.value] ?? String(prefix.dropFirst())
            declared.append((prefix.dropFirst(), customary, depth))
        }
        return XMLTag(
            name: customary(name, isAttribute: false), rawName: name,
            attributes: attributes.map {
                $0.name.utf8.contains(UInt8(ascii: ":"))
                    ? XMLAttribute(name: customary($0.name, isAttribute: true), value: $0.value) : $0
            })
    }

    /// Ends an element.
    mutating func close() {
        while let last = declared.last, last.depth == depth { declared.removeLast() }
        depth -= 1
    }

    private func customary(_ name: String, isAttribute: Bool) -> String {
        if declared.isEmpty { return name }
        let colon = name.utf8.firstIndex(of: UInt8(ascii: ":"))
        let prefix = colon.map { name[..<$0] } ?? ""
        guard let customary = declared.last(where: { $0.prefix == prefix })?.customary, customary != prefix else {
            return name
        }
        let local = colon.map { name[name.utf8.index(after: $0)...] } ?? name[...]
        return customary.isEmpty ? String(local) : "\(customary):\(local)"
    }
}

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
