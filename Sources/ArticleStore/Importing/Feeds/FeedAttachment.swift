import Text

/// A file that belongs to an entry: an enclosure of RSS or Atom, or a content element of Media RSS.
struct FeedAttachment: Hashable {
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
