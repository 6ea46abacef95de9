/// An element of XML with all that is in it.
struct XMLElement: Hashable, Sendable {
    /// What is in an element.
    enum Node: Hashable, Sendable {
        case element(XMLElement)
        case text(String)
    }

    /// As ``XMLTag/name``.
    let name: String
    let attributes: [XMLAttribute]
    var content: [Node] = []

    /// The value of an attribute; nil where there is none of that name.
    subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// The elements directly inside.
    var elements: some Sequence<XMLElement> {
        content.lazy.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The first element of a name directly inside.
    func first(_ name: String) -> XMLElement? { elements.first { $0.name == name } }

    /// All text inside, at any depth.
    var text: String {
        if content.count == 1, case .text(let text) = content[0] { return text }
        return content.reduce(into: "") { text, node in
            switch node {
            case .element(let element): text += element.text
            case .text(let part): text += part
            }
        }
    }

    /// The text directly inside.
    var ownText: String {
        content.reduce(into: "") { text, node in if case .text(let part) = node { text += part } }
    }

    /// What is inside, written as HTML: prefixes are left out, and so are declarations of namespaces.
    var innerHTML: String {
        var html = ""
        for node in content { node.write(to: &html) }
        return html
    }

    /// The element as HTML, itself included.
    fileprivate func write(to html: inout String) {
        let name = Self.localName(name)
        html += "<\(name)"
        for attribute in attributes where !attribute.name.hasPrefix("xmlns") && attribute.name != "xml:base" {
            html += " \(Self.localName(attribute.name))=\""
            html += Self.escaped(attribute.value)
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

    /// Elements that have no end in HTML ("void elements" of its standard).
    private static let voids: Set<Substring> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]

    /// The text with references in place of the characters that mean something in HTML.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 }) else { return text }
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): escaped += "&amp;".utf8
            case UInt8(ascii: "<"): escaped += "&lt;".utf8
            case UInt8(ascii: ">"): escaped += "&gt;".utf8
            case UInt8(ascii: "\""): escaped += "&quot;".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension XMLElement.Node {
    fileprivate func write(to html: inout String) {
        switch self {
        case .element(let element): element.write(to: &html)
        case .text(let text): html += XMLElement.escaped(text)
        }
    }
}

/// The tag that an element begins with.
struct XMLTag: Hashable, Sendable {
    /// The name, its prefix the customary one of its namespace: `dc:creator`, also where the document calls that
    /// namespace something else. A prefix that is not declared, or stands for a namespace that the reader was not told
    /// of, is kept as it is written.
    let name: String
    /// The name as it is written.
    let rawName: String
    let attributes: [XMLAttribute]

    /// The value of an attribute; nil where there is none of that name.
    subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }
}

/// An attribute: its name in the form of ``XMLTag/name``, and what it says.
struct XMLAttribute: Hashable, Sendable {
    let name: String
    let value: String
}
