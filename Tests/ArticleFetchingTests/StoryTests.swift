import ArticleFetching
import ArticleImporting
import ArticleStore
import FetchingSupport
import Foundation
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("One story from several feeds")
struct StoryTests {
    private static let first = "https://first.example/feed"
    private static let second = "https://second.example/feed"
    private static let story = "https://first.example/posts/1"

    /// Two subscriptions of servers in memory.
    private struct Feeds {
        let web: FakeWeb
        let first: Source.ID
        let second: Source.ID
        var articles: any ArticleRepository { web.stores.articles }

        init(_ engine: StoreEngine) async throws {
            web = FakeWeb(try await engine.open())
            first = try await web.subscribe(to: StoryTests.first, name: "First")
            second = try await web.subscribe(to: StoryTests.second, name: "Second")
        }

        struct Entry {
            var id: String
            var link: String
            var title = "A story"
            var text = "The text."
            var date = 1_700_000_000
        }

        /// Serves a feed with these entries, and fetches it.
        @discardableResult
        func fetch(_ address: String, _ entries: [Entry]) async throws -> FetchResult.Outcome? {
            let items = entries.map { entry in
                let time = Date(timeIntervalSince1970: Double(entry.date)).formatted(.iso8601)
                return """
                    <entry><id>\(entry.id)</id><title>\(entry.title)</title><link href="\(entry.link)"/>\
                    <updated>\(time)</updated><published>\(time)</published><content>\(entry.text)</content></entry>
                    """
            }
            // The comment changes the response, so that an unchanged entry is imported again.
            web.serve(
                address,
                body: #"<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>"# + items.joined()
                    + "</feed><!-- \(web.requests.count) -->")
            let source = address == StoryTests.first ? first : second
            var outcome: FetchResult.Outcome?
            let left = try await web.fetcher().fetch([source]) { outcome = $0.outcome }
            #expect(left.isEmpty)
            return outcome
        }

        /// All articles, by number.
        func all() async throws -> [Article] {
            let page = try await articles.list(ArticleQuery(), after: nil, limit: 1_000)
            return try await articles.articles(ids: page.summaries.map(\.id).sorted(), upTo: .max).map(\.article)
        }
    }

    @Test(
        "Entries of two feeds that link to the same page are one article, which is marked once and lists its sources",
        arguments: StoreEngine.allCases)
    func merged(engine: StoreEngine) async throws {
        let feeds = try await Feeds(engine)
        let ada = try await feeds.web.user("ada")
        let entries: [Feeds.Entry] = [
            .init(
                id: "b1", link: "http://FIRST.example/posts/1/?utm_source=second#comments", title: "Seen elsewhere",
                text: "A comment."),
            .init(id: "b2", link: "https://second.example/own"),
        ]
        #expect(try await feeds.fetch(Self.first, [.init(id: "a1", link: Self.story)]) == .imported(new: 1, changed: 0))
        #expect(try await feeds.fetch(Self.second, entries) == .imported(new: 1, changed: 0))
        let article = try #require(try await feeds.all().first)
        #expect(try await feeds.all().count == 2)
        #expect(article.source.id == feeds.first && article.title == "A story" && article.body == "The text.")
        let appearance = try #require(article.appearances.first)
        #expect(article.appearances.count == 1 && appearance.source.name == "Second" && appearance.key == "b1")
        #expect(appearance.title == "Seen elsewhere" && appearance.text?.body == "A comment.")
        #expect(appearance.address == entries[0].link)
        #expect(try await feeds.articles.articleCounts() == [feeds.first: 1, feeds.second: 2])
        var query = ArticleQuery(source: "Second")
        #expect(try await feeds.articles.list(query, after: nil, limit: 9).summaries.map(\.id).sorted() == [1, 2])
        try await feeds.web.stores.marks.change([.read(true)], of: .ids([1]), by: ada, at: feeds.web.clock.now)
        query.marks = MarkCondition(userID: ada, isRead: false)
        #expect(try await feeds.articles.list(query, after: nil, limit: 9).summaries.map(\.id) == [2])
        #expect(try await feeds.articles.count(query) == 1)
        // Unchanged entries write nothing.
        let position = try await feeds.web.stores.articles.changes(after: nil, limit: 9).position
        #expect(try await feeds.fetch(Self.second, entries) == .imported(new: 0, changed: 0))
        #expect(try await feeds.web.stores.articles.changes(after: position, limit: 9).position == position)
        #expect(try await feeds.all().first == article)
    }

    @Test(
        "The own source changes the article, and another feed only its appearance", arguments: StoreEngine.allCases)
    func versions(engine: StoreEngine) async throws {
        let feeds = try await Feeds(engine)
        try await feeds.fetch(Self.first, [.init(id: "a1", link: Self.story)])
        try await feeds.fetch(Self.second, [.init(id: "b1", link: Self.story)])
        // The same text is not stored twice.
        #expect(try await feeds.all().first?.appearances.map(\.text) == [nil])
        #expect(
            try await feeds.fetch(Self.second, [.init(id: "b1", link: Self.story, title: "New", text: "Other.")])
                == .imported(new: 0, changed: 0))
        var article = try #require(try await feeds.all().first)
        #expect(article.title == "A story" && article.body == "The text.")
        #expect(article.appearances.map(\.title) == ["New"] && article.appearances.map(\.text?.body) == ["Other."])
        #expect(
            try await feeds.fetch(Self.first, [.init(id: "a1", link: Self.story, title: "Revised")])
                == .imported(new: 0, changed: 1))
        article = try #require(try await feeds.all().first)
        #expect(article.title == "Revised" && article.appearances.map(\.title) == ["New"])
        #expect(try await feeds.all().count == 1)
    }

    @Test("An entry whose ID changes while its link stays remains one appearance", arguments: StoreEngine.allCases)
    func changedID(engine: StoreEngine) async throws {
        let feeds = try await Feeds(engine)
        try await feeds.fetch(Self.first, [.init(id: "a1", link: Self.story)])
        for id in ["b1", "b2", "b3", "b2"] {
            try await feeds.fetch(Self.second, [.init(id: id, link: Self.story)])
            #expect(try await feeds.all().map { $0.appearances.map(\.key) } == [[ExactText(id)]])
        }
        // The own source keeps the article under a new ID as before.
        try await feeds.fetch(Self.first, [.init(id: "a2", link: Self.story)])
        #expect(try await feeds.all().map(\.key) == ["a2"])
        // With the old entry still there, the new one is another article.
        try await feeds.fetch(
            Self.second, [.init(id: "b2", link: Self.story), .init(id: "b4", link: Self.story, title: "More")])
        #expect(try await feeds.all().map(\.key) == ["a2", "b4"])
        try await feeds.fetch(
            Self.second, [.init(id: "b4", link: Self.story, title: "More"), .init(id: "b2", link: Self.story)])
        #expect(try await feeds.all().map { $0.appearances.map(\.key) } == [["b2"], []])
    }

    @Test(
        "Entries with an address that does not identify a story are articles of their own",
        arguments: StoreEngine.allCases)
    func ambiguous(engine: StoreEngine) async throws {
        let feeds = try await Feeds(engine)
        let (status, home) = ("https://first.example/status", "https://first.example/")
        try await feeds.fetch(
            Self.first,
            [
                .init(id: "a1", link: status), .init(id: "a2", link: status, title: "Again"),
                .init(id: "a3", link: home), .init(id: "a4", link: Self.story),
            ])
        try await feeds.fetch(
            Self.second,
            [
                .init(id: "b1", link: status), .init(id: "b3", link: home),
                .init(id: "b4", link: Self.story, title: "x"), .init(id: "b5", link: Self.story + "#2", title: "y"),
            ])
        #expect(try await feeds.all().map(\.key).sorted() == ["a1", "a2", "a3", "a4", "b1", "b3", "b4", "b5"])
        #expect(try await feeds.all().allSatisfy(\.appearances.isEmpty))
        // It stays so in later responses.
        try await feeds.fetch(Self.second, [.init(id: "b4", link: Self.story, title: "x")])
        try await feeds.fetch(Self.second, [.init(id: "b6", link: Self.story, title: "z")])
        #expect(try await feeds.all().count == 9)
        #expect(try await feeds.all().allSatisfy(\.appearances.isEmpty))
    }

    @Test("A feed that brings a saved page adds itself to its sources", arguments: StoreEngine.allCases)
    func savedPage(engine: StoreEngine) async throws {
        let feeds = try await Feeds(engine)
        _ = try await feeds.articles.addUnlessKnown(
            ArticleDraft(key: ExactText(Self.story), title: "Saved", body: "Page.", sourceURL: Self.story),
            to: .savedPages)
        try await feeds.fetch(Self.second, [.init(id: "b1", link: Self.story + "/")])
        #expect(try await feeds.all().map(\.title) == ["Saved"])
        #expect(try await feeds.all().first?.appearances.map(\.source.name) == ["Second"])
    }

    @Test("An import of files does not merge: an archive stays as it is", arguments: StoreEngine.allCases)
    func files(engine: StoreEngine) async throws {
        let feeds = try await Feeds(engine)
        try await feeds.fetch(Self.first, [.init(id: "a1", link: Self.story)])
        let folder = try TemporaryFolder()
        try folder.write(
            "feed.xml",
            #"<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>x</id><title>A story</title>"#
                + #"<link href="\#(Self.story)"/></entry></feed>"#)
        let report = try await ArticleImporter(repository: feeds.articles).run([.path(folder.file("feed.xml"))])
        #expect(report.inserted == 1)
        #expect(try await feeds.all().map(\.appearances.count) == [0, 0])
    }

    @Test(
        "An import of a file recognizes the entries of a feed that are stories already", arguments: StoreEngine.allCases
    )
    func knownEntries(engine: StoreEngine) async throws {
        let feeds = try await Feeds(engine)
        try await feeds.fetch(Self.first, [.init(id: "a1", link: Self.story)])
        try await feeds.fetch(Self.second, [.init(id: "b1", link: Self.story)])
        let folder = try TemporaryFolder()
        try folder.write(
            "feed.xml",
            #"<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link rel="self" href="\#(Self.second)"/>"#
                + #"<entry><id>b1</id><title>From a file</title><link href="\#(Self.story)"/></entry></feed>"#)
        let report = try await ArticleImporter(repository: feeds.articles).run([.path(folder.file("feed.xml"))])
        #expect(report.inserted == 0 && report.unchanged == 1)
        #expect(try await feeds.all().flatMap(\.appearances).map(\.title) == ["From a file"])
    }

    @Test(
        "After its source is removed, the article belongs to the other feed, which changes it from then on",
        arguments: StoreEngine.allCases)
    func removedSource(engine: StoreEngine) async throws {
        let feeds = try await Feeds(engine)
        let entry = Feeds.Entry(id: "b1", link: Self.story, text: "A comment.")
        try await feeds.fetch(Self.first, [.init(id: "a1", link: Self.story)])
        try await feeds.fetch(Self.second, [entry])
        #expect(try await feeds.articles.removeSources(["First"]) == 0)
        #expect(try await feeds.fetch(Self.second, [entry]) == .imported(new: 0, changed: 0))
        let article = try #require(try await feeds.all().first)
        #expect(article.id == 1 && article.source.id == feeds.second && article.body == "The text.")
        let next = Feeds.Entry(id: "b1", link: Self.story, text: "A better comment.")
        #expect(try await feeds.fetch(Self.second, [next]) == .imported(new: 0, changed: 1))
        #expect(try await feeds.all().map(\.body) == ["A better comment."])
    }

    @Test(
        "An article that its source does not keep stays in the other feed, and does not come back to its source",
        arguments: StoreEngine.allCases)
    func expired(engine: StoreEngine) async throws {
        let feeds = try await Feeds(engine)
        let ada = try await feeds.web.user("ada")
        let entries: [Feeds.Entry] = [
            .init(id: "a1", link: Self.story), .init(id: "a2", link: "https://first.example/2", title: "2"),
            .init(id: "a3", link: "https://first.example/3", title: "3", date: 1_700_000_001),
        ]
        try await feeds.fetch(Self.first, entries)
        try await feeds.fetch(Self.second, [.init(id: "b1", link: Self.story)])
        try await feeds.web.stores.marks.change([.read(true)], of: .all, by: ada, at: feeds.web.clock.now)
        #expect(try await feeds.articles.removeExpiredArticles(of: [feeds.first: .newest(1)]) == 1)
        #expect(try await feeds.all().map(\.id) == [1, 3])
        #expect(try await feeds.all().map(\.source.id) == [feeds.second, feeds.first])
        try await feeds.fetch(Self.first, entries)
        #expect(try await feeds.all().map(\.id) == [1, 3])
        #expect(try await feeds.articles.articleCounts().filter { $0.value > 0 } == [feeds.first: 1, feeds.second: 1])
    }

    @Test("A story that was deleted for good does not come back from any of its feeds", arguments: StoreEngine.allCases)
    func deleted(engine: StoreEngine) async throws {
        let feeds = try await Feeds(engine)
        try await feeds.fetch(Self.first, [.init(id: "a1", link: Self.story)])
        try await feeds.fetch(Self.second, [.init(id: "b1", link: Self.story)])
        #expect(try await feeds.articles.delete(forGood: [1]) == [1])
        for text in ["The text.", "Another text."] {
            try await feeds.fetch(Self.first, [.init(id: "a1", link: Self.story, text: text)])
            try await feeds.fetch(Self.second, [.init(id: "b1", link: Self.story, text: text)])
        }
        #expect(try await feeds.all().isEmpty)
    }

    @Test(
        "A story is read on arrival only if the source that brought it first is quiet", arguments: StoreEngine.allCases,
        [true, false])
    func quiet(engine: StoreEngine, isFirst: Bool) async throws {
        let feeds = try await Feeds(engine)
        let ada = try await feeds.web.user("ada")
        try await feeds.web.stores.subscriptions.setQuiet(true, [isFirst ? feeds.first : feeds.second], by: ada)
        try await feeds.fetch(Self.first, [.init(id: "a1", link: Self.story)])
        try await feeds.fetch(Self.second, [.init(id: "b1", link: Self.story)])
        #expect(try await feeds.web.stores.marks.marks(of: [1], by: ada)[1]?.read.value == isFirst)
        let counts = try await feeds.web.stores.marks.readCounts(of: ada).sources
        #expect(counts == (isFirst ? [feeds.first: 1, feeds.second: 1] : [:]))
    }

    @Test("A fetch reads only rows that it declared, and a repeated one takes few requests")
    func declared() async throws {
        let library = MemoryArticles(clock: { .now })
        for (name, text) in [("first", "One."), ("second", "Two."), ("second", "Three."), ("second", "Three.")] {
            let source = try await library.write(needing: WriteNeeds()) { writer in
                try writer.source(SourceFacts(name: name, kind: .feed))
            }
            var options = ImportOptions(source: name)
            (options.existingSource, options.mergesStories) = (source.id, true)
            let folder = try TemporaryFolder()
            try folder.write(
                "feed.xml",
                #"<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>\#(name)</id><title>A</title>"#
                    + #"<link href="\#(Self.story)"/><content>\#(text)</content></entry></feed>"#)
            _ = try await ArticleImporter(repository: library, options: options).run([.path(folder.file("feed.xml"))])
        }
        #expect(try await library.article(id: 1)?.appearances.map(\.text?.body) == ["Three."])
        #expect(library.undeclaredReads == [])
    }
}
