import ArticleImporting
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import Testing
import Text

/// Feeds that others made to test readers; they are beside the package in development.
private let feeds = "../shared/data/feeds"

@Suite("Real feeds", .enabled(if: FileManager.default.fileExists(atPath: feeds)))
struct SharedFeedsTests {
    /// The expected article: the values that a person finds in the file.
    private struct Expected {
        let title: String
        var url: String?
        var date: String?
        var authors: [String] = []
        var tags: [String] = []
    }

    private static let expected: KeyValuePairs<String, [Expected]> = [
        "Atom + XHTML.xml": [Expected(title: "Some markingsExample")],
        "Atom.xml": [
            Expected(
                title: "Atom draft-07 snapshot", url: "http://example.org/2005/04/02/atom",
                date: "2003-12-13T12:29:29Z",
                authors: ["Mark Pilgrim"], tags: ["music", "video"])
        ],
        "AtomDC.xml": [
            Expected(title: "title", date: "2000-01-01T12:00:00Z", authors: ["creator"], tags: ["subject"])
        ],
        "AtomMedia.xml": [
            Expected(
                title: "Song64kbps", authors: ["Pilgrim Mark", "Mark the Pilgrim"],
                tags: ["Ace Ventura - Pet Detective", "music/artistname/album/song"])
        ],
        "Content.xml": [Expected(title: "What a beautiful day!")],
        "GeoRSSSimple.xml": [Expected(title: "Untitled")],
        "JSONFeed.json": [
            Expected(
                title: "Special #1 - Chris Parrish", url: "http://therecord.co/chris-parrish",
                date: "2014-05-09T19:04:00Z",
                authors: ["Brent Simmons"], tags: ["tag1", "tag2"]),
            Expected(title: "Hello, world!", url: "https://example.org/initial-post", authors: ["Brent Simmons"]),
        ],
        "Media.xml": [
            Expected(
                title: "The Judy's -- The Moo Song",
                tags: ["kitty", "cat", "big dog", "yarn", "fluffy", "Ace Ventura - Pet Detective", "blah"])
        ],
        "Podcast.xml": [Expected(title: "Episode 1: Introduction"), Expected(title: "Episode 2: Advanced Topics")],
        "RSS.xml": [
            Expected(
                title: "Seventh Heaven! Ryan Hurls Another No Hitter",
                url: "http://dallas.example.com/1991/05/02/nolan.htm", date: "2007-10-05T15:00:00Z",
                authors: ["Joe Bob Briggs"], tags: ["movies", "1983/V"]),
            Expected(
                title: "Seventh Heaven! Ryan Hurls Another No Hitter",
                url: "http://dallas.example.com/1991/05/02/nolan.htm", date: "2007-10-05T15:00:00Z",
                authors: ["Joe Bob Briggs"], tags: ["movies", "1983/V"]),
        ],
        "RSSAtom.xml": [], "Syndication.xml": [],
        "RSSDC.xml": [
            Expected(title: "title", date: "2000-01-01T12:00:00Z", authors: ["creator"], tags: ["subject"])
        ],
        "YouTube.xml": [
            Expected(title: "Untitled", url: "https://www.youtube.com/watch?v=51QO4pavK3A"),
            Expected(title: "Untitled", url: "https://www.youtube.com/watch?v=j1HGOY32s2Y"),
        ],
        "iTunes.xml": [
            Expected(
                title: "Dan Carlin's Hardcore History", authors: ["Dan Carlin"],
                tags: [
                    "Persia", "Achaemenid", "Xerxes", "Darius", "Artaxerxes", "Greek", "Macedonian", "ancient history",
                    "military", "Philip", "Alexander", "Spartan", "Athens", "Herodotus", "Leonidas", "podcast",
                    "Plataea",
                    "Issus", "Salamis", "Gaugamela",
                ])
        ],
    ]

    private static func articles(_ name: String) async throws -> [Article] {
        let storage = try TemporaryDatabase()
        let repository = storage.articles
        let report = try await ArticleImporter(repository: repository).runKeepingRejections([.path("\(feeds)/\(name)")])
        #expect(report.rejections == [], "\(name)")
        let page = try await repository.list(ArticleQuery(), after: nil, limit: 50)
        var articles: [Article] = []
        for summary in page.summaries.sorted(by: { $0.id < $1.id }) {
            articles.append(try #require(try await repository.article(id: summary.id)))
        }
        return articles
    }

    @Test("Real feeds have their titles, links, dates, authors, and subjects")
    func all() async throws {
        for (name, expected) in Self.expected {
            let articles = try await Self.articles(name)
            #expect(articles.map(\.title) == expected.map(\.title), "\(name)")
            #expect(articles.map(\.sourceURL) == expected.map(\.url), "\(name)")
            #expect(articles.map(\.authors) == expected.map(\.authors), "\(name)")
            #expect(articles.map(\.tags) == expected.map(\.tags), "\(name)")
            for (article, expected) in zip(articles, expected) {
                guard let date = expected.date else { continue }
                #expect(RFC3339.string(from: article.published) == date, "\(name)")
            }
        }
    }

    @Test("A real feed that claims to be Latin and is UTF-8 is readable")
    func misdeclared() async throws {
        let articles = try await Self.articles("Ampersand.xml")
        #expect(articles.count == 20)
        #expect(articles.first?.title == "OB er uskarpe - Esbjerg er effektive")
        #expect(articles.dropFirst().first?.title == "Brøndby til fans: Tag ikke til Horsens")
        #expect(articles.allSatisfy { !$0.body.contains("Ã") && !$0.body.contains("\u{FFFD}") && !$0.authors.isEmpty })
        #expect(articles.allSatisfy { $0.sourceURL?.hasPrefix("https://www.bold.dk/fodbold/nyheder/") == true })
        #expect(articles.first.map { RFC3339.string(from: $0.published) } == "2019-03-14T15:10:02Z")
    }

    @Test("All real feeds are imported, and only the license is skipped")
    func folder() async throws {
        let storage = try TemporaryDatabase()
        let repository = storage.articles
        let report = try await ArticleImporter(repository: repository).runKeepingRejections([.path(feeds)])
        #expect(report.rejections == [])
        #expect(report.skippedFiles == 1)
        #expect(report.inserted == 20 + Self.expected.reduce(0) { $0 + $1.value.count })
    }
}
