package import ArticleStore
import Text

/// The facts that a feed states about itself.
package struct FeedFacts: Sendable, Hashable {
    /// The format in which to import the feed.
    package let format: ImportFormat
    /// The title as plain text.
    package let title: String?
    /// The address of the site.
    package let home: String?
    /// The address of the icon.
    package let icon: String?
    /// The address of the feed that it states itself.
    package let address: String?
    /// The addresses of the hubs that announce changes (WebSub).
    package let hubs: [String]
    /// The wishes about the times of fetches.
    package let wishes: FeedWishes

    /// The number of bytes in which the kind of a document is recognized.
    private static let headSize = 1 << 14

    /// Reads the facts before the first entry; nil if the bytes are not a feed.
    package init?(_ bytes: [UInt8], limit: Int = ImportOptions().recordLimit) {
        guard let text = try? ByteReader(bytes).decoded(as: nil, mayBeHTML: false).replacingInvalidText() else {
            return nil
        }
        // A text that is converted to UTF-8 is not read before it is asked for.
        while text.count < Self.headSize, (try? text.fill()) == true {}
        let start = text.withBytes { Array($0.prefix(Self.headSize)) }
        let head: FeedHead
        if start.trimmed.first == UInt8(ascii: "{") {
            while (try? text.fill()) == true {}
            guard case .object(let members)? = text.withBytes({ try? JSONParser.value(of: $0) }),
                let feed = JSONFeed(members)
            else { return nil }
            (format, head) = (.json, feed.head)
        } else {
            guard let root = XMLRoot(start), !root.isPage, !root.isList, !root.isWordPress,
                var reader = try? FeedReader(text, limit: limit)
            else { return nil }
            // An invalid entry does not matter here, unless the document may be something else.
            guard (try? reader.next()) != nil || root.isFeed, let found = reader.feed else { return nil }
            (format, head) = (.feed, found)
        }
        icon = head.icon.flatMap(WebAddress.valid)
        (address, hubs) = (head.webAddress, head.hubs.compactMap(WebAddress.valid))
        (title, home, wishes) = (head.title, head.home.flatMap(WebAddress.valid), head.wishes)
    }
}
