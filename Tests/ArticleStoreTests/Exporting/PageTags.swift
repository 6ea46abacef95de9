import Testing

/// The tags of a page that was written strictly: every `<` begins a tag or the document type, and every value is
/// quoted.
struct PageTags {
    struct Tag {
        let name: String
        let attributes: [(name: String, value: String)]

        subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    private(set) var tags: [Tag] = []

    /// Returns nil if any part of the page is ambiguous.
    init?(_ page: String) {
        var rest = Array(page.utf8)[...]
        func name() -> String? {
            let name = rest.prefix {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || "-:".utf8.contains($0)
            }
            rest = rest.dropFirst(name.count)
            return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
        }
        let type = Array("<!DOCTYPE html>".utf8)
        guard rest.starts(with: type) else { return nil }
        rest = rest.dropFirst(type.count)
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if rest.first == UInt8(ascii: "/") {
                rest = rest.dropFirst()
                guard name() != nil, rest.popFirst() == UInt8(ascii: ">") else { return nil }
                continue
            }
            guard let element = name() else { return nil }
            var attributes: [(String, String)] = []
            while rest.first == UInt8(ascii: " ") {
                rest = rest.dropFirst()
                guard let name = name(), rest.popFirst() == UInt8(ascii: "="), rest.popFirst() == UInt8(ascii: "\"")
                else { return nil }
                let value = rest.prefix { $0 != UInt8(ascii: "\"") }
                guard !value.contains(where: { "<>".utf8.contains($0) }) else { return nil }
                rest = rest.dropFirst(value.count + 1)
                attributes.append((name, Self.decoded(String(decoding: value, as: UTF8.self))))
            }
            if rest.first == UInt8(ascii: "/") { rest = rest.dropFirst() }
            guard rest.popFirst() == UInt8(ascii: ">") else { return nil }
            tags.append(Tag(name: element, attributes: attributes))
        }
    }

    private static func decoded(_ value: String) -> String {
        [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#9;", "\t"), ("&#10;", "\n"),
            ("&amp;", "&"),
        ]
        .reduce(value) { $0.replacing($1.0, with: $1.1) }
    }

    /// The parts that a browser would execute, load, or misread.
    var mistakes: [String] {
        tags.flatMap { tag -> [String] in
            var mistakes = Self.elements.contains(tag.name) ? [] : ["<\(tag.name)>"]
            for (name, value) in tag.attributes {
                if !Self.attributes.contains(name) { mistakes.append("\(tag.name) \(name)") }
                guard name == "href" || name == "src" else { continue }
                let scheme = value.prefix { !"/?#".contains($0) }.split(
                    separator: ":", omittingEmptySubsequences: false)
                if scheme.count > 1, !["http", "https", "mailto"].contains(scheme[0].lowercased()) {
                    mistakes.append(value)
                }
            }
            if tag["http-equiv"] != nil, tag["http-equiv"] != "Content-Security-Policy" {
                mistakes.append("http-equiv")
            }
            return mistakes
        }
    }

    private static let elements: Set<String> = Set(
        """
        html head meta title link style body nav main article header footer section div h1 h2 h3 h4 h5 h6 p pre code span \
        blockquote ul ol li input dl dt dd table thead tbody tr th td hr br em strong del sup sub a img time bdi
        """.split(separator: " ").map { String($0) })
    private static let attributes: Set<String> = Set(
        """
        lang dir charset http-equiv content name property rel type href src alt id class start align disabled checked \
        datetime
        """.split(separator: " ").map { String($0) } + ["type"])
}
