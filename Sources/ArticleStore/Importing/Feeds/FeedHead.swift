import Text

/// The facts about a feed that were read so far.
struct FeedHead: Hashable, Sendable {
    /// The title as plain text.
    var title: String?
    /// The ID of the feed, which is independent of its address, such as a tag URI: `id` in Atom.
    var id: String?
    /// The address of the feed's site.
    var home: String?
    /// The address of the feed.
    var address: String?
    /// The tags of the feed in an OPML list.
    var tags: [SourceTag] = []
    /// The language that the feed states for its content.
    var language: String?
    /// The authors of entries without an author. Each is an object with a name and possibly a URL.
    var authors: [JSON] = []

    /// The address of the feed, if it is a web address.
    var webAddress: String? { address.flatMap(ArticleFields.webAddress) }
}
