import Text

/// The facts about a feed, as far as it was read.
struct FeedHead: Hashable, Sendable {
    /// The title as plain text.
    var title: String?
    /// The identifier of the feed, regardless of its address, such as a tag URI: `id` of Atom.
    var id: String?
    /// The address of the site that it is the feed of.
    var home: String?
    /// Its own address.
    var address: String?
    /// The tags that a list of feeds has for it.
    var tags: [SourceTag] = []
    /// The language of what it holds, as it says.
    var language: String?
    /// The authors of entries without an author; an object each with a name, and perhaps a URL.
    var authors: [JSON] = []

    /// Its own address, where that is one on the web.
    var webAddress: String? { address.flatMap(ArticleFields.webAddress) }
}
