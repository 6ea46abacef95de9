/// The web addresses of a feed and of its articles, as far as they are known.
struct FeedPlace {
    /// The address of the feed.
    let address: String?
    /// The address of the site to which the feed belongs.
    var home: String?
    /// Returns the address of an article on the site. If it returns nil, the feed uses the address of the original.
    var page: (Article) -> String? = { _ in nil }
}
