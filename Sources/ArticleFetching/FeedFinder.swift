internal import Markup
package import HTTPClient

/// Finds the addresses of the feeds of a page.
package enum FeedFinder {
    /// A possible address of a feed.
    package struct Candidate: Sendable, Hashable {
        package let url: HTTPURL
        /// The title that the page gives the feed; nil if it gives none.
        package let title: String?

        init(_ url: HTTPURL, title: String? = nil) { (self.url, self.title) = (url, title) }
    }

    /// Returns the feeds that a page links to, without repetitions.
    ///
    /// - Parameters:
    ///   - html: The page.
    ///   - url: The address that delivered it.
    package static func linked(in html: String, at url: HTTPURL) -> [Candidate] {
        guard let page = HTMLPage(html) else { return [] }
        let base = page.base.flatMap { try? HTTPURL($0, relativeTo: url) } ?? url
        var seen: Set<HTTPURL> = []
        return page.feeds.compactMap { feed in
            guard let url = try? HTTPURL(feed.address, relativeTo: base), seen.insert(url).inserted else { return nil }
            return Candidate(url, title: feed.title)
        }
    }

    /// Returns the first icons that a page links to.
    static func icons(in html: String, at url: HTTPURL) -> [HTTPURL] {
        guard let page = HTMLPage(html) else { return [] }
        let base = page.base.flatMap { try? HTTPURL($0, relativeTo: url) } ?? url
        return Array(page.icons.lazy.compactMap { try? HTTPURL($0, relativeTo: base) }.prefix(iconCount))
    }

    private static let iconCount = 3

    /// Returns the address of the feed of a page of a large site that does not link to it, such as a list of videos; nil
    /// for any other page.
    package static func byRule(_ url: HTTPURL) -> Candidate? {
        let parts = URLReference(url.text)
        let segments = parts.path.split(separator: "/").map(String.init)
        let host = url.host.hasPrefix("www.") ? String(url.host.dropFirst(4)) : url.host
        guard let address = address(host, segments, query: parts.query ?? "") else { return nil }
        return (try? HTTPURL(address, relativeTo: url)).map { Candidate($0) }
    }

    /// Returns the addresses where the feed of a site often is, below the page and then at the root.
    package static func guesses(_ url: HTTPURL) -> [Candidate] {
        let names = ["feed", "feed.xml", "rss", "rss.xml", "atom.xml", "index.xml", "feed.json"]
        let path = URLReference(url.text).path
        let folder = path.hasSuffix("/") ? String(path) : path + "/"
        return ([folder] + (folder == "/" ? [] : ["/"])).flatMap { folder in
            names.compactMap { (try? HTTPURL(folder + $0, relativeTo: url)).map { Candidate($0) } }
        }
    }

    private static func address(_ host: String, _ segments: [String], query: Substring) -> String? {
        func value(of name: String) -> Substring? {
            query.split(separator: "&").first { $0.hasPrefix(name + "=") }?.dropFirst(name.utf8.count + 1)
        }
        let videos = "https://www.youtube.com/feeds/videos.xml"
        switch (host, segments.first, segments.dropFirst().first) {
        case ("youtube.com", "channel", let id?): return "\(videos)?channel_id=\(id)"
        case ("youtube.com", "playlist", nil): return value(of: "list").map { "\(videos)?playlist_id=\($0)" }
        case ("github.com", let owner?, let name?):
            switch segments.dropFirst(2).first {
            case nil, "releases": return "/\(owner)/\(name)/releases.atom"
            case "tags": return "/\(owner)/\(name)/tags.atom"
            case "commits": return "/" + segments.joined(separator: "/") + ".atom"
            default: return nil
            }
        case ("reddit.com", "r"?, let name?), ("old.reddit.com", "r"?, let name?): return "/r/\(name)/.rss"
        case ("reddit.com", "user"?, let name?), ("old.reddit.com", "user"?, let name?): return "/user/\(name)/.rss"
        case ("medium.com", let name?, nil): return "/feed/\(name)"
        case ("stackoverflow.com", "questions", "tagged"):
            return segments.dropFirst(2).first.map { "/feeds/tag?tagnames=\($0)&sort=newest" }
        // Mastodon and similar servers show a profile at this path and deliver its posts with this suffix.
        case (_, let name?, nil) where name.hasPrefix("@") && host != "youtube.com": return "/\(name).rss"
        default: return nil
        }
    }
}
