import ArticleExporting
import ArticleImporting
import ArticleStore
import AuthService
import Foundation
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Appearances of articles in other sources")
struct AppearanceTests {
    /// Articles of “one”, of which each third one appears in “two”, which also has articles. Both are feeds.
    private struct Library {
        let stores: Stores
        let one: Source
        let two: Source
        let ada: Int64

        init(_ engine: StoreEngine, count: Int = 9) async throws {
            stores = try await engine.open()
            ada = try await stores.user("ada").id
            func drafts(_ start: Int) -> [ArticleDraft] {
                (0..<count).map { number in
                    ArticleDraft(
                        key: ExactText("\(start + number)"), title: "Title \(number * 7 % 10)", authors: ["Ada"],
                        body: "Body.", language: number % 2 == 0 ? "en" : nil,
                        sourceURL: "https://example.org/\(start + number)",
                        published: Date(timeIntervalSince1970: Double(number * 100_000 + start)), tags: ["tag"])
                }
            }
            (one, two) = try await stores.articles.write(needing: WriteNeeds()) { writer in
                (try writer.source(Self.feed("one")), try writer.source(Self.feed("two")))
            }
            try await stores.articles.upsert(drafts(0), into: one.facts)
            try await stores.articles.upsert(drafts(1_000), into: two.facts)
            for number in stride(from: 0, to: count, by: 3) { try await appear(number) }
        }

        static func feed(_ name: String) -> SourceFacts { SourceFacts(name: name, kind: .feed) }

        /// Adds an article of “one” to “two”.
        func appear(_ number: Int, title: String = "Elsewhere", key: String? = nil) async throws {
            let id = try #require(
                try await stores.articles.summaries(keys: [ExactText("\(number)")], in: one.id).values.first?.id)
            let appearance = ArticleAppearance(
                source: two.reference, key: ExactText(key ?? "other \(number)"), content: .max - 1, title: title,
                address: "https://example.org/\(number)?utm_source=two", text: .init("<p>Another text.", format: .html))
            try await stores.articles.write(needing: WriteNeeds()) { try $0.put(appearance, of: id) }
        }

        /// Returns the articles of a list, after a comparison with its count, its numbers, and its pages in both directions.
        @discardableResult
        func list(_ query: ArticleQuery) async throws -> [ArticleSummary] {
            let all = try await stores.articles.list(query, after: nil, limit: 1_000, counts: true)
            var (found, cursor): ([ArticleSummary], Cursor?) = ([], nil)
            repeat {
                let page = try await stores.articles.list(query, after: cursor, limit: 2)
                let before = try await stores.articles.list(query, before: cursor, limit: 3)
                if cursor != nil { #expect(before == Array(found.suffix(3))) }
                found += page.summaries
                cursor = page.next
            } while cursor != nil
            #expect(found == all.summaries && (all.total ?? found.count) == found.count)
            #expect(Set(found.map(\.id)).count == found.count)
            #expect(try await stores.articles.list(query, before: nil, limit: 1_000) == found)
            #expect(try await stores.articles.count(query) == found.count)
            let numbers = try await stores.articles.numbers(of: query, latestFirst: true, limit: 1_000)
            #expect(numbers == found.map(\.id).sorted(by: >))
            #expect(try await stores.articles.articles(query, after: nil, limit: 1_000).articles.count == found.count)
            return found
        }

        /// Checks the stored counts of articles and of read articles against the articles.
        func checkCounts(sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let all = try await stores.articles.articles(ArticleQuery(), after: nil, limit: 1_000).articles
            let marks = try await stores.marks.marks(of: all.map(\.id), by: ada)
            var (sizes, read): ([Source.ID: Int], [Source.ID: Int]) = ([:], [:])
            for article in all {
                for source in [article.source.id] + article.appearances.map(\.source.id) {
                    sizes[source, default: 0] += 1
                    if marks[article.id]?.read.value == true { read[source, default: 0] += 1 }
                }
            }
            let counts = try await stores.articles.articleCounts().filter { $0.value != 0 }
            #expect(counts == sizes, sourceLocation: sourceLocation)
            let readCounts = try await stores.marks.readCounts(of: ada).sources.filter { $0.value != 0 }
            #expect(readCounts == read, sourceLocation: sourceLocation)
            #expect(try await stores.articles.count(ArticleQuery()) == all.count, sourceLocation: sourceLocation)
            let unread = try await stores.marks.counts(of: ada).unread
            #expect(unread == marks.values.count { !$0.read.value }, sourceLocation: sourceLocation)
            for source in [one, two] {
                var query = ArticleQuery(source: source.name)
                #expect(
                    try await stores.articles.count(query) == sizes[source.id] ?? 0, sourceLocation: sourceLocation)
                query.marks = MarkCondition(userID: ada, isRead: false)
                let unread = (sizes[source.id] ?? 0) - (read[source.id] ?? 0)
                #expect(try await stores.articles.count(query) == unread, sourceLocation: sourceLocation)
            }
        }
    }

    @Test("An article lists its appearances, and finds them by their keys", arguments: StoreEngine.allCases)
    func find(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let articles = library.stores.articles
        let article = try #require(try await articles.article(id: 1))
        #expect(article.source == library.one.reference)
        #expect(
            article.appearances == [
                ArticleAppearance(
                    source: library.two.reference, key: "other 0", content: .max - 1, title: "Elsewhere",
                    address: "https://example.org/0?utm_source=two", text: .init("<p>Another text.", format: .html))
            ])
        let bare = ArticleAppearance(
            source: library.two.reference, key: "bare\0", title: "Nul\0", text: .init("", format: .plain))
        // On a server, the body runs until it has all answers, so only the last result counts.
        let (one, two) = (library.one.id, library.two.id)
        let before = try await articles.write(needing: WriteNeeds()) { writer in
            (
                [
                    try writer.appearance(key: "other 3", of: two)?.id,
                    try writer.appearance(key: "other 3", of: one)?.id,
                    try writer.entry(key: "other 3", of: two)?.id,
                ], try writer.articlesAppearingElsewhere(from: one), try writer.articlesAppearingElsewhere(from: two)
            )
        }
        #expect(before.0 == [4, nil, nil] && before.1 == [1, 4, 7] && before.2 == [])
        // A write sees its own changes. Another key replaces the first one.
        let after = try await articles.write(needing: WriteNeeds()) { writer in
            for id in [Int64(1), 2, 4] { _ = try writer.article(id: id) }
            try writer.put(bare, of: 2)
            var moved = article.appearances[0]
            moved.key = "moved"
            try writer.put(moved, of: 1)
            try writer.deleteAppearance(in: two, of: 4)
            let keys: [ExactText] = ["bare\0", "moved", "other 0", "other 3"]
            return (
                try keys.map { try writer.appearance(key: $0, of: two)?.id },
                try writer.articlesAppearingElsewhere(from: one)
            )
        }
        #expect(after.0 == [2, 1, nil, nil] && after.1 == [1, 2, 7])
        #expect(try await articles.article(id: 1)?.appearances.map(\.key) == ["moved"])
        #expect(try await articles.article(id: 2)?.appearances == [bare])
        #expect(try await articles.article(id: 4)?.appearances == [])
        #expect(try await articles.view(ReadingParts(article: "2"), of: library.ada).article?.appearances == [bare])
        try await library.checkCounts()
        try await articles.renameSource("two", to: "zwei")
        #expect(try await articles.article(id: 1)?.appearances.first?.source.name == "zwei")
    }

    @Test("An address finds the articles of all sources in any spelling", arguments: StoreEngine.allCases)
    func addresses(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let written = "https://Example.org:443/Path/?b=2&utm_medium=x&a=1&fbclid=y#part"
        try await stores.articles.upsert(
            ArticleDraft(key: "k", title: "T", body: "B.", sourceURL: written), into: Library.feed("one"))
        let same = [
            written, "http://example.org/Path?b=2&a=1", "https://example.org/Path/?utm_source=f&b=2&a=1#other",
            "HTTP://EXAMPLE.ORG:80/Path///?b=2&a=1&gclid=1",
        ]
        let others = [
            "https://example.org/path?b=2&a=1", "https://example.org/Path?a=1&b=2", "https://example.org/Path",
            "https://example.org:8080/Path?b=2&a=1", "https://www.example.org/Path?b=2&a=1", "https://example.org/",
        ]
        let found = try await stores.articles.write(needing: WriteNeeds()) { writer in
            try (same + others).map { address in
                try StoryAddress(address).map { try writer.articles(at: $0) } ?? [:]
            }
        }
        #expect(found == same.map { _ in [1: 1] } + others.map { _ in [:] })
        for address in [
            "https://example.org", "http://example.org/#a", "https://example.org/?utm_source=x", "ftp://a/b",
        ] {
            #expect(StoryAddress(address) == nil)
        }
        // A second article makes the address ambiguous.
        try await stores.articles.upsert(
            ArticleDraft(key: "k", title: "T", body: "B.", sourceURL: same[1]), into: Library.feed("two"))
        let address = try #require(StoryAddress(written))
        // A write sees its own changes.
        let (before, after) = try await stores.articles.write(needing: WriteNeeds()) { writer in
            let before = try writer.articles(at: address)
            _ = try writer.delete(id: 1, forGood: false)
            return (before, try writer.articles(at: address))
        }
        #expect(before == [1: 1, 2: 2] && after == [2: 2])
    }

    @Test(
        "The lists of a source contain the articles that appear there, in every order and with every condition",
        arguments: StoreEngine.allCases)
    func lists(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.stores.marks.change(.read(true), of: .ids([1, 2, 10]), by: library.ada, at: .now)
        try await library.stores.marks.change(.starred(true), of: .ids([4, 5, 11]), by: library.ada, at: .now)
        var queries = [ArticleQuery(source: "two"), ArticleQuery(source: "TWO", language: "en")]
        queries.append(ArticleQuery(source: "two", author: "Ada"))
        queries.append(ArticleQuery(source: "two", tag: "tag"))
        queries.append(
            ArticleQuery(
                source: "two", since: Date(timeIntervalSince1970: 200_000), until: Date(timeIntervalSince1970: 600_500))
        )
        queries += ["body", "source:two", "bo* source:two", "-source:one", "source:two OR title"].map {
            ArticleQuery(text: $0)
        }
        queries.append(ArticleQuery(text: "body", source: "two"))
        for mark in [MarkCondition(isRead: false), MarkCondition(isRead: true), MarkCondition(isStarred: true)] {
            queries.append(ArticleQuery(source: "two", marks: mark))
        }
        var numbered = ArticleQuery(source: "two")
        numbered.numbers = 3..<12
        queries.append(numbered)
        // Titles without an appearance in a list of “two”, and with one, in order.
        for var query in queries {
            query.marks.userID = library.ada
            for sort in [ArticleQuery.Sort.newest, .oldest, .title] {
                query.sort = sort
                let found = try await library.list(query)
                #expect(!found.isEmpty, "\(query)")
                let expected = try await Self.model(of: query, in: library)
                #expect(found.map(\.id) == expected, "\(query)")
            }
        }
        let all = try await library.list(ArticleQuery(source: "two"))
        #expect(all.count == 12 && all.filter { $0.source == "one" }.map(\.id) == [7, 4, 1])
        #expect(try await library.list(ArticleQuery(source: "one")).count == 9)
        #expect(try await library.stores.articles.sourceIDs(of: ArticleQuery(source: "one")) == [1, 2])
        #expect(try await library.stores.articles.sourceIDs(of: ArticleQuery(text: "source:two OR nothing")) == [1, 2])
        #expect(try await library.stores.articles.articleRanges() == [1: 1...9, 2: 1...18])
        // The list of the sources with a tag.
        try await library.stores.articles.changeSource("two", tags: .all([TagName("Folder")]))
        for sort in [ArticleQuery.Sort.newest, .title] {
            var query = ArticleQuery(sourceTag: "folder", sort: sort)
            let found = try await library.list(query)
            query = ArticleQuery(source: "two", sort: sort)
            #expect(try await library.list(query) == found)
        }
    }

    /// Returns the articles of a list from the list of all articles.
    private static func model(of query: ArticleQuery, in library: Library) async throws -> [Int64] {
        var whole = query
        (whole.source, whole.search) = (nil, nil)
        let articles = try await library.stores.articles.articles(whole, after: nil, limit: 1_000).articles
        let isExcluded = query.text?.hasPrefix("-source") == true
        let needsTwo =
            query.source != nil || query.text?.contains("source:two") == true && query.text?.contains("OR") != true
        return articles.filter { article in
            let names = [article.source.name] + article.appearances.map(\.source.name)
            return isExcluded ? !names.contains("one") : !needsTwo || names.contains("two")
        }.map(\.id)
    }

    @Test("The list by date and by title follows a change of the article", arguments: StoreEngine.allCases)
    func reordered(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.stores.articles.upsert(
            ArticleDraft(
                key: "3", title: "Zebra", body: "Body.", published: Date(timeIntervalSince1970: 9_000_000)),
            into: library.one.facts)
        #expect(try await library.list(ArticleQuery(source: "two")).first?.id == 4)
        #expect(try await library.list(ArticleQuery(source: "two", sort: .title)).last?.id == 4)
        // The change of the article keeps its appearances.
        #expect(try await library.stores.articles.article(id: 4)?.appearances.count == 1)
    }

    @Test("A user marks an article once for all its sources", arguments: StoreEngine.allCases)
    func marks(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let (marks, ada) = (library.stores.marks, library.ada)
        try await library.checkCounts()
        try await marks.change(.read(true), of: .ids([1, 2]), by: ada, at: .now)
        try await library.checkCounts()
        #expect(try await marks.readCounts(of: ada).sources == [1: 2, 2: 1])
        try await library.appear(1)
        try await library.checkCounts()
        #expect(try await marks.readCounts(of: ada).sources == [1: 2, 2: 2])
        try await marks.change(.read(false), of: .ids([1]), by: ada, at: .now)
        try await library.checkCounts()
        // Everything in the list of the second source.
        let changed = try await marks.change(.read(true), of: .query(ArticleQuery(source: "two")), by: ada, at: .now)
        #expect(changed == 12)
        try await library.checkCounts()
        #expect(try await marks.readCounts(of: ada).sources == [1: 4, 2: 13])
        try await marks.change(.read(true), of: .all, by: ada, at: .now)
        try await library.checkCounts()
        try await library.appear(4)
        try await library.checkCounts()
        try await marks.change(.read(false), of: .all, by: ada, at: .now)
        try await library.checkCounts()
        try await marks.change(.read(true), of: .ids([1, 10]), by: ada, at: .now)
        _ = try await library.stores.articles.delete(id: 1)
        try await library.checkCounts()
        try await library.stores.articles.write(needing: WriteNeeds()) { writer in
            try writer.deleteAppearance(in: library.two.id, of: 4)
        }
        try await library.checkCounts()
    }

    @Test(
        "An article of a removed source moves to the source in which it appeared first, with its marks",
        arguments: StoreEngine.allCases)
    func removed(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let (stores, ada) = (library.stores, library.ada)
        let three = try await stores.articles.write(needing: WriteNeeds()) { writer in
            let three = try writer.source(Library.feed("three"))
            try writer.put(ArticleAppearance(source: three.reference, key: "3", title: "Third"), of: 1)
            return three
        }
        try await stores.marks.change(.read(true), of: .ids([1]), by: ada, at: .now)
        try await stores.marks.change(.starred(true), of: .ids([1]), by: ada, at: .now)
        let before = try #require(try await stores.articles.article(id: 1))
        #expect(try await stores.articles.count(onlyIn: [library.one.id]) == 6)
        #expect(try await stores.articles.count(onlyIn: [three.id]) == 0)
        #expect(try await stores.articles.removeSources(["one"]) == 6)
        let after = try #require(try await stores.articles.article(id: 1))
        #expect(after.source == library.two.reference && after.key == "other 0" && after.slug == before.slug)
        #expect(after.title == before.title && after.body == before.body)
        #expect(after.appearances.map(\.source.id) == [three.id])
        #expect(try await stores.marks.marks(of: [1], by: ada)[1]?.starred.value == true)
        let entry = try await stores.articles.write(needing: WriteNeeds()) { writer in
            try writer.entry(key: "other 0", of: library.two.id)
        }
        #expect(entry?.id == 1 && entry?.origin.content == .max - 1)
        try await library.checkCounts()
        #expect(try await stores.articles.size().articles == 12)
        // Both sources at once: the last one takes the article along.
        #expect(try await stores.articles.count(onlyIn: [library.two.id]) == 11)
        #expect(try await stores.articles.count(onlyIn: [library.two.id, three.id]) == 12)
        #expect(try await stores.articles.removeSources(["two", "three"]) == 12)
        #expect(try await stores.articles.size().articles == 0)
    }

    @Test(
        "The record of an export that appears in its source here stays an appearance", arguments: StoreEngine.allCases)
    func exportedAppearance(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        var article = try #require(try await library.stores.articles.article(id: 1))
        (article.source, article.key, article.appearances) = (library.two.reference, "other 0", [])
        let folder = try TemporaryFolder()
        let path = try folder.write("export.jsonl", ArticleJSON.object(article))
        let report = try await ArticleImporter(repository: library.stores.articles).run([.path(path)])
        #expect(report.inserted == 0 && report.unchanged == 1)
        #expect(try await library.stores.articles.removeSources(["one"]) == 6)
        #expect(try await library.stores.articles.article(id: 1)?.key == "other 0")
    }

    @Test("An article whose key in the other source is taken is removed", arguments: StoreEngine.allCases)
    func takenKey(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.stores.articles.upsert(
            ArticleDraft(key: "other 0", title: "Taken", body: "B."), into: library.two.facts)
        #expect(try await library.stores.articles.removeSources(["one"]) == 7)
        #expect(try await library.stores.articles.article(id: 1) == nil)
        try await library.checkCounts()
    }

    @Test(
        "If a source with appearances is removed, the articles stay in their own source",
        arguments: StoreEngine.allCases)
    func removedAppearances(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.stores.marks.change(.read(true), of: .ids([1]), by: library.ada, at: .now)
        let position = try await library.stores.articles.changes(after: nil, limit: 1_000).position
        #expect(try await library.stores.articles.removeSources(["two"]) == 9)
        let article = try #require(try await library.stores.articles.article(id: 1))
        #expect(article.source == library.one.reference && article.appearances.isEmpty)
        let counts = try await library.stores.articles.articleCounts().filter { $0.value != 0 }
        #expect(counts == [library.one.id: 9])
        // Clients that keep a copy get the articles without the source.
        let changes = try await library.stores.articles.changes(after: position, limit: 1_000)
        #expect(Set(changes.articles.map(\.id)) == [1, 4, 7])
    }

    @Test("Clients that follow the library get an article that appears elsewhere", arguments: StoreEngine.allCases)
    func log(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let articles = library.stores.articles
        var position = try await articles.changes(after: nil, limit: 1_000).position
        func changed() async throws -> [Int64] {
            let changes = try await articles.changes(after: position, limit: 1_000)
            position = changes.position
            return changes.articles.map(\.id)
        }
        try await library.appear(1)
        #expect(try await changed() == [2])
        try await library.appear(1, title: "Another title")
        #expect(try await changed() == [2])
        try await library.appear(1, title: "Another title", key: "new")
        #expect(try await changed() == [2])
        try await library.appear(1, title: "Another title", key: "new")
        #expect(try await changed() == [])
        try await articles.renameSource("two", to: "zwei")
        #expect(Set(try await changed()).isSuperset(of: [1, 2, 4, 7]))
    }

    @Test("An article that was deleted for good stays deleted in all its sources", arguments: StoreEngine.allCases)
    func deleted(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        #expect(try await library.stores.articles.delete(forGood: [1]) == [1])
        let (one, two, known) = try await library.stores.articles.write(needing: WriteNeeds()) { writer in
            (
                try writer.deletion(key: "0", of: library.one.id),
                try writer.deletion(key: "other 0", of: library.two.id),
                try writer.appearance(key: "other 0", of: library.two.id)
            )
        }
        #expect(one?.key == "0" && two?.content == .max - 1 && known == nil)
        try await library.checkCounts()
    }

    @Test(
        "An export and its import lose no appearance, in JSON Lines and as Markdown files", arguments: ["jsonl", "md"])
    func roundTrip(format: String) async throws {
        let library = try await Library(.memory)
        let folder = try TemporaryFolder()
        let first = try await library.stores.articles.articles(ArticleQuery(sort: .oldest), after: nil, limit: 100)
            .articles
        if format == "jsonl" {
            let lines = first.map { ArticleJSON.object($0) }
            #expect(lines[0].contains(#""title":"Elsewhere""#) && lines[0].contains(#""body":"<p>Another text.""#))
            try folder.write("export.jsonl", lines.joined(separator: "\n"))
        } else {
            for article in first { try folder.write("export/\(article.slug).md", ArticleMarkdown.text(of: article)) }
        }
        let stores = try await StoreEngine.memory.open()
        let importer = ArticleImporter(repository: stores.articles)
        for _ in 1...2 {
            _ = try await importer.run([.path(folder.file(format == "jsonl" ? "export.jsonl" : "export"))])
            let second = try await stores.articles.articles(ArticleQuery(sort: .oldest), after: nil, limit: 100)
                .articles
            func places(_ articles: [Article]) -> [String] {
                articles.map { article in
                    let others = article.appearances.map {
                        "\($0.source.uid) \($0.source.name) \($0.key) \($0.title) \($0.address ?? "") \($0.text?.body ?? "")"
                    }
                    return "\(article.source.uid) \(article.key) \(others)"
                }
            }
            #expect(places(second) == places(first))
        }
    }
}
