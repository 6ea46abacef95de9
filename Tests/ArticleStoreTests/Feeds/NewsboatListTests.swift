import ArticleImporting
import ArticleStore
import SQLiteStores
import StoreEngines
import TestSupport
import Testing

@Suite("Lists of feeds of newsboat")
struct NewsboatListTests {
    private let storage: TemporaryDatabase

    init() throws { storage = try TemporaryDatabase() }

    private func seed(
        _ text: String, name: String = "urls", _ options: ImportOptions = ImportOptions()
    ) async throws -> ToldReport {
        try await ArticleImporter(
            repository: storage.articles, subscriptions: SQLiteSubscriptionRepository(database: storage.database),
            options: options
        ).runKeepingRejections([.path(try storage.folder.write(name, text))])
    }

    /// The names and the tags of the sources, by their addresses.
    private var sources: [String: [String]] {
        get async throws {
            let sources = try await storage.articles.sources()
            return Dictionary(
                sources.map { ($0.facts.feedURL ?? "", [$0.name] + $0.facts.tags.map(\.name)) },
                uniquingKeysWith: { $1 })
        }
    }

    private static let list = """
        # A comment
        http://test1.url.cc/feed.xml ~title tag1 tag2
        http://anotherfeed.com/

        http://onemorefeed.at/feed/\ttag1\t"~another title" tag3 # more
        "https://d.example/a b" nothing
        https://c.example/rss.xml?html ! "cool, \\"stuff\\"" "!hidden too"
        "query:Unread Articles:unread = \\"yes\\""
        "exec:curl --silent https://e.example/feed | sed 's#a#b#'"
        filter:~/bin/filter.pl:https://f.example/feed news
        file:///home/ada/feed.xml
        http://anotherfeed.com/ later
        """

    @Test("Each line becomes a subscription with its name and its tags, and other kinds of lines are reported")
    func lines() async throws {
        let report = try await seed(Self.list)
        #expect(
            try await sources == [
                "http://test1.url.cc/feed.xml": ["title", "tag1", "tag2"],
                "http://anotherfeed.com/": ["http://anotherfeed.com/", "later"],
                "http://onemorefeed.at/feed/": ["another title", "tag1", "tag3"],
                "https://c.example/rss.xml?html": ["https://c.example/rss.xml?html", "cool \"stuff\""],
            ])
        #expect(report.rejections.map(\.line) == [6, 8, 9, 10, 11])
        #expect(report.rejections.map(\.reason.isAboutQuery) == [false, true, false, false, false])
        let subscriptions = try await SQLiteSubscriptionRepository(database: storage.database).subscriptions()
        #expect(Set(subscriptions.map(\.address)) == Set(try await sources.keys))
        #expect(try await storage.articles.articleCounts().values.allSatisfy { $0 == 0 })
    }

    @Test(
        "A list with another name is recognized by what only newsboat writes",
        arguments: [
            ("feeds", "https://a.example/feed \"two words\"\n"), ("feeds.txt", "https://a.example/feed ~Name"),
            ("feeds", "query:All:unread = \"yes\"\nhttps://a.example/feed\n"),
            ("feeds", "https://a.example/feed\t!\n"), ("urls", "https://a.example/feed\n"),
            ("urls", "https://a.example/feed news tech\n"),
        ])
    func recognized(name: String, text: String) async throws {
        _ = try await seed(text, name: name)
        #expect(try await Array(sources.keys) == ["https://a.example/feed"])
        #expect(try await storage.articles.articleCounts().values.allSatisfy { $0 == 0 })
    }

    @Test("A list of links and a text about links stay what they are, unless the format is given")
    func links() async throws {
        #expect(try await seed("https://a.example/1\nhttps://a.example/2\n", name: "links").inserted == 2)
        #expect(try await seed("https://a.example/1 is a page\n", name: "notes.txt").inserted == 1)
        #expect(try await seed("https://a.example/1 \"is\" a page\n", name: "urls.md").inserted == 1)
        let count = try await storage.articles.sources().count
        _ = try await seed("https://b.example/1 tag\n", name: "more", ImportOptions(format: .newsboat))
        #expect(try await storage.articles.sources().count == count + 1)
        #expect(try await sources["https://b.example/1"] == ["https://b.example/1", "tag"])
    }
}

extension String {
    /// Whether it is about a query.
    fileprivate var isAboutQuery: Bool { contains("query") }
}
