package import Text

/// A file that belongs to an article, such as the recording of a podcast. ``Article/extra`` contains it in the form of
/// JSON Feed.
package struct ArticleAttachment: Hashable, Sendable {
    /// The address, `http` or `https`.
    package let address: String
    /// The media type, such as `audio/mpeg`.
    package let type: String?
    /// The size in bytes.
    package let size: Int64?
    /// The title, or else the last part of the address.
    package let title: String

    fileprivate init?(_ json: JSON) {
        func text(_ key: String) -> String? { json.members?.last { $0.key == key }?.value.text }
        guard let address = text("url").flatMap(WebAddress.valid) else { return nil }
        self.address = address
        type = text("mime_type").flatMap { $0.isEmpty ? nil : $0 }
        size = text("size_in_bytes").flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        let name = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init)
        title = text("title").flatMap { $0.isEmpty ? nil : $0 } ?? name ?? address
    }

    /// The attachment in the form of JSON Feed.
    package var json: JSON {
        var members: [JSON.Member] = [
            .init("url", .string(address)), .init("mime_type", .string(type ?? "application/octet-stream")),
        ]
        if let size { members.append(.init("size_in_bytes", JSON(size))) }
        return .object(members)
    }
}

extension Article {
    /// The files that belong to the article.
    package var attachments: [ArticleAttachment] {
        guard extra.contains(bytesOf: "\"attachments\"") else { return [] }
        var text = extra
        guard let value = text.withUTF8({ try? JSONParser.value(of: $0) }),
            case .array(let attachments)? = value.members?.last(where: { $0.key == "attachments" })?.value
        else { return [] }
        return attachments.compactMap(ArticleAttachment.init)
    }
}
