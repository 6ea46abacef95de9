/// What a feed says of itself.
struct FeedHead: Hashable {
    /// What it is called.
    var title: String?
    /// The address of the site that it is the feed of.
    var home: String?
    /// Its own address.
    var address: String?
}
