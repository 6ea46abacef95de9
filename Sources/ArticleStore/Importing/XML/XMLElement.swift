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
