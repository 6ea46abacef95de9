import ArticleStore
import Markup
import Text

/// The names of elements in feeds.
enum FeedVocabulary {
    /// The prefix for each namespace in this code. RSS and Atom both have an empty prefix: equal names have equal
    /// meanings, and feeds use elements of one inside the other.
    static let namespaces: [String: String] = {
        var namespaces: [String: String] = [:]
        for (prefix, addresses) in prefixes { for address in addresses { namespaces[address] = prefix } }
        return namespaces
    }()

    private static let prefixes: KeyValuePairs<String, [String]> = [
        "": [
            // RSS 0.90, 1.0, and namespaces that some 2.0 feeds declare; Atom 1.0 and 0.3.
            "http://my.netscape.com/rdf/simple/0.9/", "http://channel.netscape.com/rdf/simple/0.9/",
            "http://purl.org/rss/1.0/", "http://backend.userland.com/rss2", "http://backend.userland.com/RSS2",
            "http://blogs.law.harvard.edu/tech/rss", "http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#",
        ],
        "rdf": ["http://www.w3.org/1999/02/22-rdf-syntax-ns#"],
        "html": ["http://www.w3.org/1999/xhtml"],
        "dc": ["http://purl.org/dc/elements/1.1/", "http://purl.org/dc/elements/1.0/"],
        "dcterms": ["http://purl.org/dc/terms/"],
        "content": ["http://purl.org/rss/1.0/modules/content/"],
        "media": [
            "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss", "https://search.yahoo.com/mrss/",
            "http://www.rssboard.org/media-rss",
        ],
        "itunes": [
            "http://www.itunes.com/dtds/podcast-1.0.dtd", "http://www.itunes.com/DTDs/PodCast-1.0.dtd",
            "http://www.itunes.com/DTDs/Podcast-1.0.dtd", "http://example.com/DTDs/PodCast-1.0.dtd",
        ],
        "googleplay": ["http://www.google.com/schemas/play-podcasts/1.0"],
        "feedburner": ["http://rssnamespace.org/feedburner/ext/1.0"],
        "source": ["http://source.scripting.com/", "https://source.scripting.com/"],
        "yt": ["http://www.youtube.com/xml/schemas/2015", "http://gdata.youtube.com/schemas/2007"],
        "sy": ["http://purl.org/rss/1.0/modules/syndication/"],
        "slash": ["http://purl.org/rss/1.0/modules/slash/"],
        "wfw": ["http://wellformedweb.org/CommentAPI/"],
        "thr": ["http://purl.org/syndication/thread/1.0"],
        "georss": ["http://www.georss.org/georss"],
        "podcast": ["https://podcastindex.org/namespace/1.0"],
    ]

    /// Normalizes a name for comparison: lower case, and without an undeclared prefix for Atom.
    static func key(_ name: String) -> String {
        let key = name.utf8.contains { (0x41...0x5A).contains($0) } ? name.lowercased() : name
        return key.hasPrefix("atom:") ? String(key.dropFirst(5)) : key
    }
}

/// Addresses in feeds.
enum FeedLink {
    /// Returns the absolute address of a text; nil if it is not an address.
    static func address(_ text: String?, base: String?) -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        let address = escaped(text)
        if hasScheme(address) { return address }
        guard let base, hasScheme(base) else { return address }
        var whole = URLReference(address).resolved(against: URLReference(base))
        // The host has other escaping rules.
        whole.path = escapedNonASCII(whole.path)
        whole.query = whole.query.map { escapedNonASCII($0) }
        whole.fragment = whole.fragment.map { escapedNonASCII($0) }
        return whole.text
    }

    /// Whether the address is a web address.
    static func isWeb(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    private static func hasScheme(_ address: String) -> Bool {
        let scheme = address.utf8.prefix { $0 != UInt8(ascii: ":") }
        return scheme.endIndex < address.utf8.endIndex && !scheme.isEmpty
            && scheme.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
            }
    }

    /// Decodes escapes such as `%20` in a part of an address for display. If the result is invalid text, the part is
    /// unchanged.
    static func unescaped(_ part: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = part.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? String(part)
    }

    /// Escapes the non-ASCII bytes of the text; existing escapes are unchanged.
    private static func escapedNonASCII(_ text: Substring) -> Substring {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.reduce(into: Substring()) { result, scalar in
            if scalar.isASCII { result.unicodeScalars.append(scalar) } else { result += String(scalar).percentEncoded }
        }
    }

    /// Escapes spaces and removes the line breaks with which some feeds format addresses.
    private static func escaped(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return String(text) }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20: escaped += "%20"
            case 0..<0x20, 0x7F: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// A file that belongs to an entry: an enclosure of RSS or Atom, or a content element of Media RSS.
struct FeedAttachment: Hashable {
    /// The maximum number of files of an entry.
    static let most = 100

    let url: String
    let type: String?
    private let title: String?
    private let size: String?
    private let medium: String?
    /// The duration: in seconds, or as hours, minutes, and seconds.
    var duration: String?

    /// Creates an attachment from Atom or RSS; nil if the address is missing.
    init?(_ element: XMLElement, base: String?) {
        guard
            let url = FeedLink.address(element["url"] ?? element["href"] ?? element["src"], base: base)
        else { return nil }
        self.url = url
        type = element["type"]
        title = element["title"] ?? element.elements.first { $0.name == "media:title" }?.text
        size = element["length"] ?? element["fileSize"]
        medium = element["medium"]
        duration = element["duration"]
    }

    /// Creates an attachment from JSON Feed; nil if the address is missing.
    init?(_ json: JSON) {
        func text(_ key: String) -> String? { json.members?.last { $0.key == key }?.value.text }
        guard let url = FeedLink.address(text("url"), base: nil) else { return nil }
        self.url = url
        type = text("mime_type")
        title = text("title")
        size = text("size_in_bytes")
        medium = nil
        duration = text("duration_in_seconds")
    }

    var isImage: Bool { medium == "image" || type?.lowercased().hasPrefix("image/") == true }

    /// The attachment in the form of JSON Feed.
    var json: JSON {
        var members = [JSON.Member("url", .string(url))]
        if let type { members.append(.init("mime_type", .string(type))) }
        if let title { members.append(.init("title", .string(String(title.trimmed)))) }
        if let size = size.flatMap({ Int64($0.trimmed) }), size > 0 {
            members.append(.init("size_in_bytes", JSON(size)))
        }
        if let seconds { members.append(.init("duration_in_seconds", JSON(seconds))) }
        return .object(members)
    }

    private var seconds: Int? {
        guard let duration else { return nil }
        let parts = duration.trimmed.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0
        for part in parts {
            // Some feeds write fractions of a second.
            guard let number = Int(part.prefix { $0 != "." }), (0..<1_000_000).contains(number) else { return nil }
            seconds = seconds * 60 + number
        }
        return seconds
    }

    /// A paragraph with a link to the file.
    var html: String {
        let name = title.map { String($0.trimmed) } ?? url.split(separator: "/").last.map(String.init) ?? url
        return "<p><a href=\"\(XMLText.escapedForHTML(url))\">\(XMLText.escapedForHTML(name))</a></p>"
    }
}

/// A person in a feed.
struct FeedPerson: Hashable {
    let name: String
    let url: String?
    let email: String?

    /// Creates an author from Atom or RSS: `ada@example.org (Ada Lovelace)`, `Ada Lovelace <ada@example.org>`, or only
    /// one of the two. Nil if the element does not name a person.
    init?(_ element: XMLElement, base: String?) {
        func child(_ key: String) -> String? {
            element.elements.first { FeedVocabulary.key($0.name) == key }
                .map { FeedTitle.line(of: $0.text) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        if element.elements.contains(where: { _ in true }) {
            email = child("email")
            url = FeedLink.address(child("uri") ?? child("url") ?? child("homepage"), base: base)
            guard let name = child("name") ?? email ?? url else { return nil }
            self.name = name
            return
        }
        url = nil
        let text = element.text.trimmed
        var email: Substring?
        var name = text
        if let open = text.lastIndex(of: "("), text.hasSuffix(")"), text[..<open].contains("@") {
            email = text[..<open].trimmed
            name = text[text.index(after: open)...].dropLast().trimmed
        } else if let open = text.lastIndex(of: "<"), text.hasSuffix(">"), text[open...].contains("@") {
            email = text[text.index(after: open)...].dropLast().trimmed
            name = text[..<open].trimmed
        } else if text.contains("@"), !text.contains(where: \.isWhitespace) {
            email = text
        }
        self.email = email.map(String.init)
        let line = FeedTitle.line(of: String(name.isEmpty ? email ?? "" : name))
        guard !line.isEmpty else { return nil }
        self.name = line
    }

    /// Whether only the e-mail address is known.
    var isAddress: Bool { name == email }

    /// The author in the form of JSON Feed.
    var json: JSON {
        var members = [JSON.Member("name", .string(name))]
        if let url { members.append(.init("url", .string(url))) }
        if let email, email != name { members.append(.init("email", .string(email))) }
        return .object(members)
    }
}

/// The data of an entry without a property in an article, as JSON.
enum FeedExtra {
    /// Below this depth, elements are kept as text.
    private static let depth = 12

    /// Returns the elements by their names. Several elements with the same name become a list.
    ///
    /// - Parameter texts: the texts to omit because they are kept elsewhere.
    static func members(of elements: [(name: String, element: XMLElement)], except texts: Set<String>) -> [JSON.Member]
    {
        members(of: elements, except: texts, depth: 0)
    }

    private static func members(
        of elements: [(name: String, element: XMLElement)], except texts: Set<String>, depth: Int
    ) -> [JSON.Member] {
        var order: [String] = []
        var values: [String: [JSON]] = [:]
        for (name, element) in elements {
            guard let value = value(of: element, except: texts, depth: depth) else { continue }
            if values[name] == nil { order.append(name) }
            values[name, default: []].append(value)
        }
        return order.compactMap { name in
            values[name].map { .init(name, $0.count == 1 ? $0[0] : .array($0)) }
        }
    }

    private static func value(of element: XMLElement, except texts: Set<String>, depth: Int) -> JSON? {
        let inside = element.elements.map { ($0.name, $0) }
        let attributes = element.attributes.filter { !$0.name.hasPrefix("xmlns") }
        if inside.isEmpty {
            let text = String(element.text.trimmed)
            if attributes.isEmpty { return text.isEmpty || texts.contains(text) ? nil : .string(text) }
            let own = text.isEmpty || texts.contains(text) ? [] : [JSON.Member("text", .string(text))]
            return .object(attributes.map { .init($0.name, .string($0.value)) } + own)
        }
        if depth == Self.depth || inside.contains(where: { $0.0.hasPrefix("html:") }) {
            return .string(String(element.innerHTML.trimmed))
        }
        var members = attributes.map { JSON.Member($0.name, .string($0.value)) }
        members += Self.members(of: inside, except: texts, depth: depth + 1)
        let text = element.ownText.trimmed
        if !text.isEmpty { members.append(.init("text", .string(String(text)))) }
        return .object(members)
    }
}
