/// Where a feed and its articles are on the web, as far as that is known.
struct FeedPlace {
    /// The address of the feed.
    let address: String?
    /// The address of the site that it belongs to.
    var home: String?
    /// The address that the site has for an article. Without one, an article is where its original is.
    var page: (Article) -> String? = { _ in nil }
}
