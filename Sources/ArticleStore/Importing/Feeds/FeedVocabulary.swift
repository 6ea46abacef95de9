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
