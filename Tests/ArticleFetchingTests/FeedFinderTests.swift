import ArticleFetching
import HTTPClient
import Testing

@Suite("The feeds of a page")
struct FeedFinderTests {
    @Test("A page's links to feeds are found in their order, relative to its base, without repetitions")
    func linked() throws {
        let html = """
            <!doctype html><html><head><base href="/blog/">
            <link rel="stylesheet alternate" type="application/rss+xml" href="style">
            <link rel="alternate" type="text/html" hreflang="de" href="/de">
            <link rel="ALTERNATE" type="application/Atom+XML; charset=utf-8" title="Posts" href="atom">
            <link rel=alternate type=application/rss+xml href="https://feeds.example.net/x?a=1&amp;b=2">
            <link rel="alternate" type="application/rss+xml" href="../blog/atom">
            <link rel="feed" href="/feed.json">
            <link rel="alternate" type="application/rss+xml" href="javascript:alert(1)">
            <link rel="alternate" type="application/rss+xml" href="">
            </head><body></body></html>
            """
        let found = FeedFinder.linked(in: html, at: try HTTPURL("https://example.org/page"))
        #expect(
            found.map(\.url.text) == [
                "https://example.org/blog/atom", "https://feeds.example.net/x?a=1&b=2", "https://example.org/feed.json",
            ])
        #expect(found.map(\.title) == ["Posts", nil, nil])
        #expect(FeedFinder.linked(in: "<rss></rss>", at: try HTTPURL("https://example.org/")).isEmpty)
    }

    @Test(
        "Pages of large sites have feeds at known addresses",
        arguments: [
            ("https://www.youtube.com/channel/UC123", "https://www.youtube.com/feeds/videos.xml?channel_id=UC123"),
            (
                "https://www.youtube.com/playlist?x=1&list=PL9",
                "https://www.youtube.com/feeds/videos.xml?playlist_id=PL9"
            ),
            ("https://www.youtube.com/@name", nil), ("https://www.youtube.com/playlist", nil),
            ("https://github.com/apple/swift", "https://github.com/apple/swift/releases.atom"),
            ("https://github.com/apple/swift/releases", "https://github.com/apple/swift/releases.atom"),
            ("https://github.com/apple/swift/commits/main", "https://github.com/apple/swift/commits/main.atom"),
            ("https://github.com/apple/swift/issues", nil), ("https://github.com/apple", nil),
            ("https://www.reddit.com/r/swift/", "https://www.reddit.com/r/swift/.rss"),
            ("https://old.reddit.com/user/ada", "https://old.reddit.com/user/ada/.rss"),
            ("https://medium.com/@ada", "https://medium.com/feed/@ada"),
            ("https://mastodon.social/@ada", "https://mastodon.social/@ada.rss"),
            (
                "https://stackoverflow.com/questions/tagged/swift",
                "https://stackoverflow.com/feeds/tag?tagnames=swift&sort=newest"
            ),
            ("https://example.org/", nil),
        ] as [(String, String?)])
    func rules(page: String, feed: String?) throws {
        #expect(FeedFinder.byRule(try HTTPURL(page))?.url.text == feed)
    }

    @Test("Without a link, the usual addresses are below the page and at the root")
    func guesses() throws {
        let guesses = FeedFinder.guesses(try HTTPURL("https://example.org/blog?x=1")).map(\.url.text)
        #expect(guesses.count == 14)
        #expect(guesses.first == "https://example.org/blog/feed" && guesses[7] == "https://example.org/feed")
        #expect(FeedFinder.guesses(try HTTPURL("https://example.org")).count == 7)
    }
}
