import Text
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite("ArticleRepository contract")
struct ArticleRepositoryTests {
    /// The arrival time of articles without a date.
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("An article is found by number, by slug, and by key, with all properties", arguments: StoreEngine.allCases)
    func find(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let draft = ArticleDraft(
            key: "k/1", slug: "first", title: "First", authors: ["Ada", "Grace"], summary: "Short.",
            body: "A body\0with NUL, 🏳️‍🌈.",
            format: .html, language: "pt_br", sourceURL: "https://example.com/a",
            baseURL: "https://example.com/b/", published: day(1), publishedOffset: -480, updated: day(2),
            tags: ["swift", "Ünïcode"], extra: #"{"layout":"post"}"#)
        let upsert = try await repository.upsert(draft)
        #expect(upsert.outcome == .inserted)
        let article = try #require(try await repository.article(id: upsert.id))
        let source = try #require(try await repository.sources().first)
        #expect(source.facts == .library)
        #expect(
            article
                == Article(
                    id: upsert.id, source: source.reference, key: "k/1", slug: "first", title: "First",
                    authors: ["Ada", "Grace"], summary: "Short.",
                    body: "A body\0with NUL, 🏳️‍🌈.", format: .html, language: "pt-BR", sourceURL: "https://example.com/a",
                    baseURL: "https://example.com/b/", published: day(1), publishedOffset: -480, updated: day(2),
                    tags: ["swift", "Ünïcode"], readingMinutes: 1,
                    extra: #"{"layout":"post"}"#))
        #expect(try await repository.article(slug: "first") == article)
        let summary = ArticleSummary(article)
        #expect(try await repository.summaries(keys: ["k/1", "K/1", "k/1\0"], in: source.id) == ["k/1": summary])
        #expect(try await repository.summaries(keys: ["k/1"], in: source.id + 1) == [:])
        let number = ArticleReference(String(article.id))
        #expect(
            try await repository.summaries(of: ["first", "First", "first\0", number, "99"])
                == ["first": summary, number: summary])
        #expect(try await repository.sourceIDs(of: [article.id, 99]) == [article.id: source.id])
        #expect(try await repository.article(id: upsert.id + 1) == nil)
        #expect(try await repository.article(slug: "First") == nil)
        let page = try await repository.list(ArticleQuery(), after: nil, limit: 10)
        #expect(page == ArticlePage(summaries: [ArticleSummary(article)], next: nil, lastNumber: article.id))
        #expect(try await repository.sourceURLs(of: [article.id, 99]) == [article.id: "https://example.com/a"])
    }

    @Test("Articles are found by the addresses of their originals", arguments: StoreEngine.allCases)
    func addresses(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let long = "https://example.org/" + String(repeating: "a", count: 3_000)
        let addresses = [("a", "https://e.org/1"), ("b", "https://e.org/2"), ("c", nil), ("d", "https://e.org/1")]
        for (key, address) in addresses {
            try await repository.upsert(
                ArticleDraft(key: ExactText(key), title: key, body: "Text.", sourceURL: address))
        }
        try await repository.upsert(ArticleDraft(key: "e", title: "e", body: "Text.", sourceURL: long))
        #expect(try await repository.articleIDs(at: ["https://e.org/1", "https://e.org/3", long]) == [1, 4, 5])
        #expect(
            try await repository.articleIDs(at: ["https://e.org/2", "HTTP://E.org/1/?utm_source=x#a", ""]) == [1, 2, 4])
        #expect(try await repository.articleIDs(at: []) == [])
    }

    @Test("An article with a key is added once, and again after it was deleted", arguments: StoreEngine.allCases)
    func known(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let draft = ArticleDraft(key: "https://e.org/1", title: "One", body: "Text.")
        let first = try await repository.addUnlessKnown(draft, to: .savedPages)
        #expect(first.isNew)
        #expect((first.article.key, first.article.source.name) == ("https://e.org/1", "saved pages"))
        let changed = ArticleDraft(key: "https://e.org/1", title: "Two", body: "Text.")
        let second = try await repository.addUnlessKnown(changed, to: .savedPages)
        #expect(!second.isNew)
        #expect(second.article == first.article)
        try await repository.delete(first.article)
        #expect(try await repository.addUnlessKnown(draft, to: .savedPages).isNew)
        try await repository.upsert(draft, into: SourceFacts(name: "feed", kind: .feed))
        await #expect(throws: SourceError.self) {
            try await repository.addUnlessKnown(draft, to: SourceFacts(name: "Feed", kind: .stream))
        }
    }

    @Test("Articles are found by names that links use", arguments: StoreEngine.allCases)
    func linkCandidates(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        func draft(_ key: ExactText, _ slug: String) -> ArticleDraft {
            ArticleDraft(key: key, slug: slug, title: "T", body: "", sourceURL: "https://example.org/\(slug)")
        }
        try await repository.upsert(
            [draft("guides/Setup.md", "a"), draft("b.md", "setup"), draft("c.md", "c")],
            into: SourceFacts(name: "one", kind: .folder, location: "/srv/one"))
        try await repository.upsert(
            [draft("setup.md", "d"), draft("e.md", "notes")],
            into: SourceFacts(name: "two", kind: .folder, location: "/srv/two"))
        let source = try #require(try await repository.sources().first { $0.name == "one" }).id
        let candidates = try await repository.linkCandidates(named: ["setup", "notes"], in: source)
        #expect(candidates.map(\.slug) == ["a", "setup", "notes"])
        var articles: [Article] = []
        for candidate in candidates { articles += [try #require(try await repository.article(id: candidate.id))] }
        #expect(candidates == articles.map { LinkCandidate($0) })
        #expect(try await repository.linkCandidates(named: [], in: source) == [])
    }

    @Test("A search without words finds nothing, with any other condition", arguments: StoreEngine.allCases)
    func emptySearch(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try await repository.upsert([ArticleDraft(title: "A", authors: ["Ada"], body: "", language: "en", tags: ["t"])])
        var queries = [
            ArticleQuery(), .init(author: "Ada"), .init(tag: "t"), .init(language: "en"), .init(source: "library"),
            .init(tag: "t", language: "en"),
        ]
        for isSet in [true, false] {
            for key in [\MarkCondition.isRead, \.isStarred, \.isReadLater, \.isHidden] {
                var query = ArticleQuery()
                query.marks.userID = 1
                query.marks[keyPath: key] = isSet
                queries.append(query)
            }
        }
        for text in ["\"\"", "!", "title:*", "()", "-\"\""] {
            for sort in ArticleQuery.Sort.allCases {
                for var query in queries {
                    (query.text, query.sort) = (text, sort)
                    #expect(try await repository.list(query, after: nil, limit: 9).summaries.isEmpty, "\(query)")
                    #expect(try await repository.count(query) == 0, "\(query)")
                    #expect(try await repository.numbers(of: query, latestFirst: true, limit: 9).isEmpty, "\(query)")
                }
            }
        }
    }

    /// A database may limit the keys of its indexes. A text of different letters cannot be compressed to fit.
    private static let letters = (0..<4_000).map { UnicodeScalar(0x3400 + $0).map(String.init) ?? "" }

    @Test("Slugs, titles, keys, addresses, and names may be long", arguments: StoreEngine.allCases)
    func longValues(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let text = Self.letters.joined()
        for length in 80...90 {
            // A name of each length, because a word of the index that ends inside of a character is refused.
            let name = Self.letters.prefix(length).joined()
            try await repository.upsert([ArticleDraft(title: name, authors: [name], body: "", tags: [name])])
            #expect(try await repository.list(.init(tag: name), after: nil, limit: 2).summaries.map(\.title) == [name])
        }
        let slugs = ["x", "y"].map { text + $0 }
        try await repository.upsert(
            slugs.map {
                ArticleDraft(
                    key: ExactText($0 + "k"), slug: $0, title: $0, authors: [$0], body: $0,
                    sourceURL: "https://example.com/" + $0, tags: [$0])
            })
        for slug in slugs { #expect(try await repository.article(slug: slug)?.title == slug) }
        #expect(try await repository.slugs(beginningWith: String(text.prefix(300)), limit: 9) == slugs)
        #expect(try await repository.slugs(beginningWith: slugs[1], limit: 9) == [slugs[1]])
        let tagged = try await repository.list(.init(tag: slugs[0]), after: nil, limit: 9).summaries
        #expect(tagged.map(\.slug) == [slugs[0]])
    }

    @Test("Names are completed from their beginnings, in order", arguments: StoreEngine.allCases)
    func beginnings(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        func draft(_ slug: String, by author: String, _ language: String?) -> ArticleDraft {
            ArticleDraft(
                slug: slug, title: slug, authors: [author], body: "", language: language, published: day(1),
                tags: ["Swift \(slug)", "other"])
        }
        try await repository.upsert([
            draft("b-2", by: "Zoë", "sv"), draft("b-1", by: "ZOE", "en"), draft("a", by: "Ada", "sv"),
            draft("bz", by: "zed", nil),
        ])
        #expect(try await repository.slugs(beginningWith: "b", limit: 9) == ["b-1", "b-2", "bz"])
        #expect(try await repository.slugs(beginningWith: "", limit: 2) == ["a", "b-1"])
        #expect(try await repository.slugs(beginningWith: "B", limit: 9).isEmpty)
        let tags = try await repository.labels(.tag, beginningWith: "sWiFt b", limit: 2)
        #expect(tags.map(\.name) == ["Swift b-1", "Swift b-2"])
        #expect(tags.map(\.articles) == [1, 1])
        let authors = try await repository.labels(.author).map(\.key)
        #expect(try await repository.labels(.author, beginningWith: "", limit: 9).map(\.key) == authors)
        #expect(try await repository.labels(.author, beginningWith: "zE", limit: 9).map(\.name) == ["zed"])
        #expect(try await repository.languages() == ["en", "sv"])
    }

    @Test("A mistyped slug has the similar slugs with its first letter", arguments: StoreEngine.allCases)
    func similarSlugs(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try await repository.upsert(
            ["welcome", "welcomes", "farewell", "well"].map { ArticleDraft(slug: $0, title: "T", body: "") })
        #expect(try await repository.slugs(similarTo: "welcmoe") == ["welcome", "welcomes"])
        #expect(try await repository.slugs(similarTo: "wel") == ["welcome", "welcomes", "well"])
        #expect(try await repository.slugs(similarTo: "WELCOME") == ["welcome"])
        for nothing in ["", "arewell", "xyz", "42"] {
            #expect(try await repository.slugs(similarTo: nothing).isEmpty, "\(nothing)")
        }
    }

    @Test("A search that ends early says so, and one without a limit is complete", arguments: StoreEngine.allCases)
    func searchLimits(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try await repository.upsert((0..<200).map { ArticleDraft(slug: "a\($0)", title: "Word \($0)", body: "word") })
        let query = ArticleQuery(text: "word", sort: .oldest)
        let limited = try await repository.limitingSearches(to: .zero).list(query, after: nil, limit: 200)
        #expect(limited.summaries.count == 200 || limited.search?.isCut == true)
        let whole = try await repository.limitingSearches(to: .zero).limitingSearches(to: nil)
            .list(query, after: nil, limit: 200)
        #expect(whole.summaries.count == 200)
        #expect(whole.search?.isCut == false)
    }

    @Test("The same draft again is unchanged", arguments: StoreEngine.allCases)
    func unchanged(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let draft = ArticleDraft(slug: "a", title: "A", authors: ["X"], body: "Body.", tags: ["t"])
        let first = try await repository.upsert(draft)
        let second = try await repository.upsert(draft)
        #expect(second == Upsert(id: first.id, outcome: .unchanged))
        #expect(try await repository.count(ArticleQuery()) == 1)
    }

    @Test("An update keeps the number of an article, and only the new values find it", arguments: StoreEngine.allCases)
    func updated(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let first = try await repository.upsert(
            ArticleDraft(slug: "a", title: "A", authors: ["X"], body: "Body.", published: day(1), tags: ["t"]))
        let second = try await repository.upsert(
            ArticleDraft(slug: "a", title: "B", authors: ["Y"], body: "Other.", published: day(5), tags: ["u"]))
        #expect(second == Upsert(id: first.id, outcome: .updated))
        let article = try #require(try await repository.article(id: first.id))
        #expect(article.title == "B")
        #expect(article.body == "Other.")
        #expect(article.published == day(5))
        #expect(try await repository.titles(ArticleQuery(author: "x")) == [])
        #expect(try await repository.titles(ArticleQuery(tag: "t")) == [])
        #expect(try await repository.titles(ArticleQuery(author: "y", sort: .title)) == ["B"])
        #expect(try await repository.titles(ArticleQuery(tag: "u", since: day(5))) == ["B"])
    }

    @Test("A change of each property is noticed", arguments: StoreEngine.allCases)
    func changes(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        func draft(
            _ title: String = "A", _ authors: [String] = ["X"], _ summary: String = "S", _ body: String = "B",
            _ format: Article.Format = .markdown, _ language: String? = "en", _ url: String? = nil, _ day: Int = 1,
            _ tags: [String] = ["t"], _ extra: String = "{}"
        ) -> ArticleDraft {
            ArticleDraft(
                slug: "a", title: title, authors: authors, summary: summary, body: body, format: format,
                language: language, sourceURL: url, published: self.day(day), updated: self.day(day), tags: tags,
                extra: extra)
        }
        let changes = [
            draft("é"), draft("e\u{301}"), draft("A", ["Y"]), draft("A", ["X"], "T"), draft("A", ["X"], "S", "C"),
            draft("A", ["X"], "S", "B", .plain), draft("A", ["X"], "S", "B", .markdown, nil),
            draft("A", ["X"], "S", "B", .markdown, nil, "http://a"),
            draft("A", ["X"], "S", "B", .markdown, nil, nil, 2),
            draft("A", ["X"], "S", "B", .markdown, nil, nil, 2, []),
            draft("A", ["X"], "S", "B", .markdown, nil, nil, 2, [], "{\"a\":1}"),
        ]
        try await repository.upsert(draft())
        for change in changes {
            #expect(try await repository.upsert(change).outcome == .updated)
            #expect(try await repository.upsert(change).outcome == .unchanged)
        }
    }

    @Test("An update keeps dates that the draft does not have", arguments: StoreEngine.allCases)
    func dates(engine: StoreEngine) async throws {
        let stores = try await engine.open(clock: TestClock(now))
        let repository = stores.articles
        let draft = ArticleDraft(slug: "a", title: "A", body: "Body.")
        let id = try await repository.upsert(draft).id
        let article = try #require(try await repository.article(id: id))
        #expect(article.published == now)
        #expect(article.updated == now)

        try await repository.upsert(
            ArticleDraft(slug: "b", title: "B", body: "Body.", published: day(1)))
        #expect(try await repository.article(slug: "b")?.updated == day(1))
        try await repository.upsert(ArticleDraft(slug: "b", title: "B", body: "Changed."))
        #expect(try await repository.article(slug: "b")?.published == day(1))
        #expect(try await repository.article(slug: "b")?.updated == now)
    }

    @Test("A write that throws leaves nothing", arguments: StoreEngine.allCases)
    func atomicity(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        struct Refused: Error {}
        try await repository.upsert(ArticleDraft(slug: "a", title: "A", body: "Body."))
        await #expect(throws: Refused.self) {
            try await repository.write { writer in
                let source = try writer.source(.library)
                _ = try writer.upsert(ArticleDraft(slug: "b", title: "B", body: "Body."), into: source)
                _ = try writer.upsert(ArticleDraft(slug: "a", title: "Changed", body: "Body."), into: source)
                throw Refused()
            }
        }
        #expect(try await repository.titles(ArticleQuery()) == ["A"])
    }

    @Test("A batch is inserted in its order", arguments: StoreEngine.allCases)
    func batch(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let drafts = [("a", "a0"), ("b", "b1"), ("a", "a2")].map {
            ArticleDraft(slug: $0.0, title: $0.1, body: "Body.")
        }
        let outcomes = try await repository.upsert(drafts)
        #expect(outcomes.map(\.outcome) == [.inserted, .inserted, .updated])
        #expect(outcomes[0].id == outcomes[2].id)
        #expect(try await repository.titles(ArticleQuery(sort: .title)) == ["a2", "b1"])
    }

    @Test("A deleted article is in no list", arguments: StoreEngine.allCases)
    func deletion(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let id = try await repository.upsert(
            ArticleDraft(slug: "a", title: "A", authors: ["X"], body: "Body.", tags: ["t"])
        ).id
        #expect(try await repository.delete(id: id))
        #expect(try await repository.delete(id: id) == false)
        #expect(try await repository.article(slug: "a") == nil)
        for query in [ArticleQuery(), ArticleQuery(author: "X"), ArticleQuery(tag: "t")] {
            #expect(try await repository.count(query) == 0)
            #expect(try await repository.titles(query) == [])
        }
        // The deleted number belonged to another article.
        #expect(try await repository.upsert(ArticleDraft(slug: "b", title: "B", body: "Body.")).id > id)
    }

    @Test("Authors, tags, and languages match in any case", arguments: StoreEngine.allCases)
    func folding(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try await repository.upsert(
            ArticleDraft(
                slug: "a", title: "A", authors: ["Ådne Straße", "X"], body: "Body.", language: "de-at",
                tags: ["Développement"]))
        for author in ["ådne straße", "A\u{30A}DNE STRASSE", " Ådne Straße "] {
            #expect(try await repository.titles(ArticleQuery(author: author)) == ["A"], "\(author)")
            #expect(try await repository.count(ArticleQuery(author: author)) == 1)
        }
        #expect(try await repository.titles(ArticleQuery(tag: "DÉVELOPPEMENT")) == ["A"])
        #expect(try await repository.titles(ArticleQuery(tag: "developpement")) == ["A"])
        #expect(try await repository.titles(ArticleQuery(language: "DE_AT")) == ["A"])
        #expect(try await repository.titles(ArticleQuery(language: "de")) == [])
    }

    /// Compares every combination of conditions and orders, with pages of every size, with a plain filter and sort.
    @Test("Every list is complete and in order, with pages of any size", arguments: StoreEngine.allCases)
    func pages(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        var drafts: [ArticleDraft] = []
        var random = SeededGenerator(seed: 42)
        for index in 0..<60 {
            drafts.append(
                ArticleDraft(
                    slug: "article-\(index)",
                    title: ["Ärger", "apple", "Banana", "banana", "Zebra"].shuffled(using: &random)[0],
                    authors: Array(["Ada", "Grace", "Alan"].shuffled(using: &random).prefix(index % 3)), body: "Body.",
                    language: [nil, "en", "de"].shuffled(using: &random)[0],
                    // Many articles of one day, so that pages begin among equal dates.
                    published: day(Int.random(in: 1...4, using: &random)),
                    tags: Array(["swift", "c", "zig"].shuffled(using: &random).prefix(index % 4))))
        }
        let ids = try await repository.upsert(drafts).map(\.id)
        for bits in 0..<32 {
            for sort in ArticleQuery.Sort.allCases {
                let query = ArticleQuery(
                    author: bits & 1 == 0 ? nil : "ada", tag: bits & 2 == 0 ? nil : "SWIFT",
                    language: bits & 4 == 0 ? nil : "en", since: bits & 8 == 0 ? nil : day(2),
                    until: bits & 16 == 0 ? nil : day(4), sort: sort)
                let expected = zip(ids, drafts).filter { query.holds($1) }.sorted { query.orders($0, $1) }.map(\.0)
                #expect(try await repository.count(query) == expected.count)
                for limit in [1, 3, 7, 1000] {
                    var found: [Int64] = []
                    var cursor: Cursor?
                    repeat {
                        let page = try await repository.list(query, after: cursor, limit: limit)
                        #expect(page.summaries.count <= limit)
                        found += page.summaries.map(\.id)
                        cursor = try page.next.map { try Cursor($0.description) }
                    } while cursor != nil && found.count <= expected.count
                    #expect(found == expected, "\(query) by \(limit)")
                    #expect(
                        try await repository.list(query, before: nil, limit: limit).map(\.id) == expected.suffix(limit))
                    found = []
                    while let last = expected.dropLast(found.count).last, let end = try await repository.summary(last) {
                        let cursor = Cursor(after: end, in: query)
                        let page = try await repository.list(query, before: cursor, limit: limit)
                        guard !page.isEmpty, page.count <= limit else { break }
                        found = page.map(\.id) + found
                    }
                    #expect(found == expected, "\(query) backwards by \(limit)")
                }
            }
        }
    }

    @Test("Batches return whole articles, however large they are", arguments: StoreEngine.allCases)
    func batches(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let large = String(repeating: "word ", count: 400_000)
        try await repository.upsert(
            (0..<12).map { index in
                ArticleDraft(
                    slug: "article-\(index)", title: "T", body: index % 2 == 0 ? large : "Body.",
                    published: day(index / 5), tags: index < 9 ? ["t"] : [])
            })
        for query in [ArticleQuery(), ArticleQuery(tag: "t", sort: .oldest), ArticleQuery(text: "t", sort: .title)] {
            let expected = try await repository.list(query, after: nil, limit: 100).summaries
            for limit in [-1, 1, 5, 100] {
                var articles: [Article] = []
                var cursor: Cursor?
                repeat {
                    let batch = try await repository.articles(query, after: cursor, limit: limit)
                    #expect((1...max(1, limit)).contains(batch.articles.count))
                    articles += batch.articles
                    cursor = batch.next
                } while cursor != nil && articles.count <= expected.count
                #expect(articles.map(\.id) == expected.map(\.id))
                #expect(articles.allSatisfy { $0.body == large || $0.body == "Body." })
            }
            await #expect(throws: CursorError.ofAnotherQuery) {
                let cursor = Cursor(after: try #require(expected.first), in: query)
                _ = try await repository.articles(ArticleQuery(author: "Ada"), after: cursor, limit: 1)
            }
        }
        #expect(
            try await repository.articles(ArticleQuery(tag: "u"), after: nil, limit: 9)
                == .init(articles: [], next: nil))
    }

    @Test("The cursor of another list is refused", arguments: StoreEngine.allCases)
    func otherCursor(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try await repository.upsert(
            (0..<3).map { ArticleDraft(slug: "\($0)", title: "T", authors: ["Ada"], body: "B") })
        let cursor = try #require(try await repository.list(ArticleQuery(), after: nil, limit: 1).next)
        for other in [
            ArticleQuery(sort: .oldest), ArticleQuery(sort: .title), ArticleQuery(author: "Ada"),
            ArticleQuery(tag: "Ada"), ArticleQuery(language: "en"), ArticleQuery(since: day(1)),
            ArticleQuery(until: day(1)), ArticleQuery(text: "Ada"),
        ] {
            await #expect(throws: CursorError.ofAnotherQuery) {
                try await repository.list(other, after: cursor, limit: 1)
            }
            await #expect(throws: CursorError.ofAnotherQuery) {
                try await repository.list(other, before: cursor, limit: 1)
            }
        }
    }

    @Test(
        "The cursor of another search is refused, and that of the same words accepted", arguments: StoreEngine.allCases)
    func cursorOfSearch(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try await repository.upsert((0..<3).map { ArticleDraft(slug: "\($0)", title: "One two", body: "B") })
        let query = ArticleQuery(text: "one two")
        #expect(query.search?.description == "“one” and “two”")
        let cursor = try #require(try await repository.list(query, after: nil, limit: 1).next)
        let same = try await repository.list(ArticleQuery(text: " ÖNE\n TWO "), after: cursor, limit: 5)
        #expect(same.summaries.count == 2)
        for other in [ArticleQuery(), ArticleQuery(text: "one"), ArticleQuery(text: "onetwo")] {
            await #expect(throws: CursorError.ofAnotherQuery) {
                try await repository.list(other, after: cursor, limit: 1)
            }
        }
    }

    @Test(
        "A search finds words in title, authors, tags, summary, and body",
        arguments: StoreEngine.allCases,
        [
            ("swift", true), ("SWIFT", true), ("wif", false), ("wif*", false), ("swi*", true), ("swift grace", true),
            ("grace  swift\tlinux", true), ("swift java", false), ("swift -java", true), ("swift -linux", false),
            ("-java", true), ("-swift", false), ("corpus", true), ("sum", true), ("\"swift on linux\"", true),
            ("\"linux on swift\"", false), ("\"swift on linux", true), ("\"on lin\"*", true), ("“on linux”", true),
            ("title:swift", true), ("title:corpus", false), ("author:hopper", true), ("author:swift", false),
            ("author:\"grace amazing\"", true), ("tag:straße", true), ("tag:STRASSE", true), ("tag:stra", false),
            ("tag:\"two words\"", true), ("tag:two", false), ("-tag:linux", true), ("-tag:profiles", false),
            ("lang:de", true), ("-lang:de", false), ("lang:en", false), ("before:1970-01-03", true),
            ("before:1970-01-02", false), ("after:1970-01-02", true), ("after:1970-01-03", false),
            ("source:library", true), ("source:other", false), ("-source:other", true), ("is:unread", true),
            ("is:starred", false), ("tag:mine:x", false), ("is:odd", false), ("title:", false), ("%", false),
            ("swift title:", true), ("swift %", true), ("*", false), ("\"", false), ("-", false), ("\0", false),
            ("swift OR java", true), ("java OR swift", true), ("java OR perl", false), ("java OR perl OR swift", true),
            ("java OR swift grace", true), ("java OR swift perl", false), ("grace java OR swift -linux", false),
            ("title:java OR author:hopper", true), ("java OR sum*", true), ("swift OR", true), ("OR swift", false),
            ("swift OR -java", true), ("swift \"OR\" java", false), ("swift or java", false),
            ("NEAR(swift linux)", false), ("swift AND", true), ("swift AND java", false),
            ("title : swift", true),
            ("muller", true), ("MÜLLER", true), ("mu\u{308}ller", true), ("mueller", false), ("istanbul", true),
            ("İSTANBUL", true), ("ıstanbul", true), ("👩‍👩‍👧", true), ("👩", true), ("🏳️‍🌈", false), ("ﬁle", true),
            ("file", true), ("temp", true), ("' OR 1=1 --", false), ("\u{200B}swift\u{200B}", true),
            ("C++", true), ("c++", true), ("C", true), ("C#", false), (".NET", true), ("net", true), ("dotnet", false),
            ("wasm32", true), ("async/await", true), ("await/async", false), ("F#", true), ("snake_case", true),
            ("東京", true), ("京都", true), ("東", true), ("都", true), ("\"東京都 swift\"", false), ("ﾄｳｷｮｳ", true),
            ("トウキョウ", true), ("ประเทศ", true), ("ทศไทย", true), ("ไทยประ", false), ("서울", true), ("에서", true),
        ] as [(String, Bool)])
    func words(engine: StoreEngine, search: (text: String, isFound: Bool)) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let title = "Swift on Linux – 👩‍👩‍👧 ﬁle title C++, .NET and F#"
        try await repository.upsert(
            ArticleDraft(
                slug: "a", title: title, authors: [#"Grace "Amazing" Hopper"#, "Müller", #"C:\Temp"#], summary: "sum",
                body: "The **corpus** of wasm32 has async/await, snake_case, 東京都、トウキョウ、ประเทศไทย 서울에서.", language: "de",
                published: day(1), tags: ["Straße", "İstanbul", "profiles", "Two words"]))
        try await repository.upsert(
            ArticleDraft(slug: "b", title: "Other", body: "B", language: "en", published: day(9)))
        for sort in ArticleQuery.Sort.allCases {
            let query = ArticleQuery(text: search.text, sort: sort)
            let found = try await repository.titles(query).contains(title)
            #expect(found == search.isFound, "\(sort)")
            let last = try await repository.list(query, before: nil, limit: 5)
            #expect(last.contains { $0.slug == "a" } == search.isFound, "\(sort)")
        }
        let count = try await repository.count(ArticleQuery(text: search.text, language: "de"))
        #expect(count == (search.isFound ? 1 : 0))
    }

    /// Texts beyond the limits of one row in PostgreSQL's index: 16,383 positions, 255 of a word, and 1 MiB of words.
    @Test(
        "A search finds and excludes words, phrases, and beginnings anywhere in a long text",
        arguments: StoreEngine.allCases)
    func longTexts(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        func filler(_ numbers: Range<Int>) -> String {
            numbers.map { $0 % 4 == 0 ? "the" : "n\($0)" }.joined(separator: " ")
        }
        func text(_ middle: Int, _ end: Int) -> String {
            """
            keyset pages \(filler(0..<middle)) 東京都庁舎 e-mail C++ outer joins \(filler(middle..<end)) sorted rows \
            中華人民共和国 co-author lastword joins
            """
        }
        try await repository.upsert([
            ArticleDraft(slug: "short", title: "Short", authors: ["Ada"], body: "keyset rows n39999", tags: ["a"]),
            // A word occurs more than 255 times.
            ArticleDraft(
                slug: "repeated", title: "Repeated keyset", authors: ["Ada"], body: text(1_500, 2_000), tags: ["a"]),
            ArticleDraft(slug: "long", title: "Long", authors: ["Bob"], body: text(16_370, 40_000), tags: ["b"]),
            ArticleDraft(slug: "huge", title: "Huge", authors: ["Ada"], body: text(90_000, 110_000), tags: ["a"]),
        ])
        while try await repository.advanceSearch() > 0 {}
        let (all, long): (Set, Set) = (["short", "repeated", "long", "huge"], ["repeated", "long", "huge"])
        let cases: [(String, Set<String>)] = [
            ("keyset", all), ("-keyset", []), ("lastword", long), ("-lastword", ["short"]), ("lastw*", long),
            ("\"keyset pages\"", long), ("\"pages keyset\"", []), ("-\"keyset pages\"", ["short"]),
            ("\"outer joins\"", long), ("-\"outer joins\"", ["short"]), ("\"outer jo\"*", long),
            ("\"joins outer\"", []),
            ("\"sorted rows\"", long), ("\"rows sorted\"", []), ("rows -\"sorted rows\"", ["short"]),
            ("\"sorted ro\"*", long), ("\"lastword joins\"", long), ("-\"lastword joins\"", ["short"]),
            ("東京都庁舎", long), ("-東京都庁舎", ["short"]), ("京都庁", long), ("都庁東", []), ("中華人民共和国", long),
            ("-中華人民共和国", ["short"]), ("人民共和", long), ("民人", []), ("国", long),
            ("e-mail", long), ("-e-mail", ["short"]), ("mail-e", []), ("co-author", long), ("-co-author", ["short"]),
            ("c++", long), ("\"c++ outer\"", long), ("\"the n16370\"", []), ("\"n16369 東京都庁舎\"", ["long"]),
            ("\"the n16381 n16382 n16383\"", ["long", "huge"]), ("-\"n16383 the n16385\"", ["short", "repeated"]),
            ("\"n39998 n39999 sorted\"", ["long"]), ("n39999", ["short", "long", "huge"]),
            ("\"the n109997 n109998 n109999 sorted\"", ["huge"]), ("n109999", ["huge"]),
            ("-n109999", all.subtracting(["huge"])),
            ("n109999*", ["huge"]), ("n10999*", ["long", "huge"]), ("n109999 keyset", ["huge"]),
            ("n109999 nowhere", []),
            ("title:keyset", ["repeated"]), ("title:keyset lastword", ["repeated"]),
            ("-title:keyset lastword", ["long", "huge"]),
            ("author:ada \"sorted rows\"", ["repeated", "huge"]), ("tag:b \"sorted rows\"", ["long"]),
            ("tag:a -\"sorted rows\"", ["short"]), ("\"nowhere else\" OR \"sorted rows\"", long),
            ("\"nowhere else\" OR n109999", ["huge"]),
            ("\"keyset pages\" \"sorted rows\" -n109999", ["repeated", "long"]),
        ]
        for (text, expected) in cases {
            for sort in [ArticleQuery.Sort.newest, .relevance] {
                let page = try await repository.list(ArticleQuery(text: text, sort: sort), after: nil, limit: 9)
                #expect(Set(page.summaries.map(\.slug)) == expected, "\(text), \(sort)")
            }
            #expect(try await repository.count(ArticleQuery(text: text)) == expected.count, "\(text)")
        }
    }

    /// Each word of any title finds it, in upper case and in lower case.
    @Test("A search finds a title by any of its words, in any script", arguments: StoreEngine.allCases)
    func scripts(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let blocks: [ClosedRange<UInt32>] = [
            // U+019B is left out: its upper case is newer than the tables of many systems.
            0x20...0x7E, 0x80...0xFF, 0x100...0x19A, 0x19C...0x24F, 0x300...0x36F, 0x370...0x52F, 0x531...0x5FF,
            0x900...0x97F, 0xE00...0xE7F, 0x1100...0x11FF, 0x1E00...0x1EFF, 0x1F00...0x1FFF, 0x2000...0x206F,
            0x3040...0x30FF, 0x4E00...0x4EFF, 0xAC00...0xACFF, 0xFB00...0xFB06, 0xFDF0...0xFDFF, 0xFF00...0xFFEF,
            0x1F300...0x1F3FF, 0x1D400...0x1D4FF,
        ]
        var random = SeededGenerator(seed: 3)
        let titles = (0..<600).map { index in
            // Some characters of one block only, some of all.
            let block = index % 3 == 0 ? nil : blocks.randomElement(using: &random)
            let scalars = (0..<12).compactMap { _ in
                (block ?? blocks.randomElement(using: &random)).flatMap {
                    Unicode.Scalar(UInt32.random(in: $0, using: &random))
                }
            }
            return String(String.UnicodeScalarView(scalars))
        }
        try await repository.upsert(
            titles.enumerated().map { ArticleDraft(slug: "\($0)", title: $1, authors: ["N\($0)"], body: "B") })
        while try await repository.advanceSearch() > 0 {}
        for (index, title) in titles.enumerated() {
            for word in title.split(whereSeparator: { $0.isWhitespace || "\"“”„«»".contains($0) }) {
                for text in [String(word), word.lowercased(), word.uppercased()] {
                    let query = ArticleQuery(text: "\"\(text)\"", author: "N\(index)")
                    guard query.search?.isEmpty == false else { continue }
                    let isFound = try await repository.count(query) == 1
                    #expect(isFound, "\(text.unicodeScalars.map(\.value)) in \(title.unicodeScalars.map(\.value))")
                }
            }
        }
    }

    /// Compares pages of searches from either end, with every other condition and order, with a plain filter.
    @Test(
        "Every search is complete and in order, from either end, with pages of any size",
        arguments: StoreEngine.allCases)
    func searches(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let words = ["Ärger", "swift", "Straße", "100", "case", "naïve", "Жук", "wasm32", "x\u{302}"]
        var random = SeededGenerator(seed: 5)
        func some(_ count: Int) -> [String] { Array(words.shuffled(using: &random).prefix(count)) }
        let drafts = (0..<48).map { index in
            ArticleDraft(
                slug: "article-\(index)", title: some(2).joined(separator: " "), authors: some(index % 3),
                body: some(2).joined(separator: ", "), language: index % 2 == 0 ? "en" : "de",
                published: day(Int.random(in: 1...4, using: &random)), tags: some(index % 4))
        }
        let ids = try await repository.upsert(drafts).map(\.id)
        let texts =
            words.enumerated().map { $0 % 2 == 0 ? $1.uppercased() : $1 }
            + ["strasse SWIFT", "ärger 100 case", "nothing", "naive Swift"]
        for (index, text) in texts.enumerated() {
            for sort in ArticleQuery.Sort.allCases {
                let bits = index + (sort == .title ? 1 : 0)
                let query = ArticleQuery(
                    text: text, author: bits % 5 == 1 ? "swift" : nil, tag: bits % 5 == 2 ? "SWIFT" : nil,
                    language: bits % 3 == 1 ? "en" : nil, since: bits % 4 == 1 ? day(2) : nil,
                    until: bits % 4 == 2 ? day(4) : nil, sort: sort)
                let held = zip(ids, drafts).filter { query.holds($1) }
                // The test does not check the score of an article, only that the order is the same for every page.
                let expected =
                    sort == .relevance
                    ? try await repository.list(query, after: nil, limit: 1000).summaries.map(\.id)
                    : held.sorted { query.orders($0, $1) }.map(\.0)
                #expect(expected.sorted() == held.map(\.0).sorted())
                #expect(try await repository.count(query) == expected.count, "\(query)")
                for limit in [1, 7, 1000] {
                    var (found, cursor): ([Int64], Cursor?) = ([], nil)
                    repeat {
                        let page = try await repository.list(query, after: cursor, limit: limit)
                        found += page.summaries.map(\.id)
                        cursor = page.next
                    } while cursor != nil && found.count <= expected.count
                    #expect(found == expected, "\(query) by \(limit)")
                    (found, cursor) = ([], nil)
                    while found.count < expected.count {
                        let page = try await repository.list(query, before: cursor, limit: limit)
                        guard page.count <= limit, !page.isEmpty else { break }
                        found = page.map(\.id) + found
                        guard let last = expected.dropLast(found.count).last,
                            let end = try await repository.summary(last)
                        else {
                            break
                        }
                        cursor = Cursor(after: end, in: query)
                    }
                    #expect(found == expected, "\(query) backwards by \(limit)")
                }
            }
        }
    }

    @Test(
        "Words in the title rank above those of authors and tags, and these above others",
        arguments: StoreEngine.allCases)
    func relevance(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let often = String(repeating: "needle ", count: 50)
        let drafts = [
            ArticleDraft(slug: "summary", title: "B", summary: "needle", body: "Other"),
            ArticleDraft(slug: "tag", title: "C", body: "Other", tags: ["needle"]),
            ArticleDraft(slug: "title", title: "A needle", body: "Other"),
            ArticleDraft(slug: "body", title: "D", body: often),
            ArticleDraft(slug: "none", title: "E", body: "Other"),
        ]
        try await repository.upsert(drafts)
        let page = try await repository.list(ArticleQuery(text: "needle", sort: .relevance), after: nil, limit: 9)
        #expect(page.summaries.prefix(2).map(\.slug) == ["title", "tag"])
        #expect(Set(page.summaries.dropFirst(2).map(\.slug)) == ["summary", "body"])
    }

    @Test("A word is as rare as its most frequent form, and a form counts no more than the word itself")
    func relevanceOfForms() async throws {
        let stores = try await StoreEngine.sqlite.open()
        let repository = stores.articles
        var drafts = (0..<40).map { number in
            ArticleDraft(slug: "title\(number)", title: "Servers", body: "Other \(number)", language: "en")
        }
        drafts.append(ArticleDraft(slug: "german", title: "A", body: "Die server und mehr", language: "de"))
        drafts.append(
            ArticleDraft(slug: "author", title: "B", authors: ["servers"], body: "Other", language: "en"))
        drafts.append(
            ArticleDraft(slug: "body", title: "C", body: String(repeating: "servers ", count: 50), language: "en"))
        drafts += (0..<60).map { ArticleDraft(slug: "other\($0)", title: "Other", body: "Nothing", language: "en") }
        try await repository.upsert(drafts)
        for text in ["server", "servers", "servers OR nothingelse"] {
            let page = try await repository.list(ArticleQuery(text: text, sort: .relevance), after: nil, limit: 90)
            let order = page.summaries.map(\.slug)
            #expect(order.prefix(40).allSatisfy { $0.hasPrefix("title") }, "\(text)")
            if let author = order.firstIndex(of: "author"), let body = order.firstIndex(of: "body") {
                #expect(author < body, "\(text)")
            }
        }
    }

    @Test("A search never fails, whatever the user types", arguments: StoreEngine.allCases)
    func hostileSearches(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try await repository.upsert(ArticleDraft(slug: "a", title: "One \"two\" 東京", body: "NEAR(a b)"))
        var random = SeededGenerator(seed: 11)
        let pieces = [
            "\"", "“", "-", "*", ":", "title:", "author:", "tag:", "before:2000", "source:", "lang:", " ", "a", "ß",
            "東", "\0",
            "\u{2}", "\u{3}", "(", ")", " AND ", " NOT ", "NEAR(", "^", "{title}", "+", "'", ";", "\\", "👩‍👩‍👧", "\u{300}",
            "rank", "article_text:", "C++", "%", "\u{FFFD}", "\u{FB01}", "\u{FDFA}",
        ]
        for length in 0..<600 {
            let text = (0..<(length % 12)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let sort = ArticleQuery.Sort.allCases[length % ArticleQuery.Sort.allCases.count]
            let page = try await repository.list(ArticleQuery(text: text, sort: sort), after: nil, limit: 5)
            #expect(page.summaries.count <= 1, "\(text)")
        }
    }

    @Test("The marks of an excerpt are inside its line", arguments: StoreEngine.allCases)
    func markingBeyond(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let filler = String(repeating: "lorem ipsum ", count: 60)
        let phrase = Array(repeating: "abcdefghij", count: 21).joined(separator: " ")
        try await repository.upsert([
            ArticleDraft(slug: "twice", title: "A", body: "one needle \(filler) another needle"),
            ArticleDraft(slug: "phrase", title: "B", body: "\(phrase) \(filler)"),
            ArticleDraft(slug: "late", title: "C", body: String(repeating: filler, count: 400) + "straw"),
        ])
        let twice = try await repository.list(ArticleQuery(text: "needle"), after: nil, limit: 5).summaries.first
        #expect(twice?.found?.excerpt?.pieces.filter(\.isMarked).map(\.text) == ["needle"])
        #expect(twice?.found?.excerpt?.text.hasSuffix("…") == true)
        let long = try await repository.list(ArticleQuery(text: "\"\(phrase)\""), after: nil, limit: 5).summaries.first
        let marked = (long?.found?.excerpt?.pieces ?? []).filter(\.isMarked)
        #expect(marked.count == 1)
        #expect(phrase.hasPrefix(marked.first?.text ?? "none"))
        #expect((150...200).contains(marked.first?.text.utf8.count ?? 0))
        // A search reads only as much of a text as takes no noticeable time.
        let late = try #require(
            try await repository.list(ArticleQuery(text: "straw"), after: nil, limit: 5).summaries.first)
        #expect(late.slug == "late")
        #expect(late.found?.excerpt == nil)
    }

    @Test("A search marks the matches in the title and in a line of the text", arguments: StoreEngine.allCases)
    func marking(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let filler = String(repeating: "lorem ipsum ", count: 60)
        try await repository.upsert(
            ArticleDraft(
                slug: "a", title: "Žluťoučký kůň",
                body: "# Head\n\n\(filler)\nbefore **the [kun](http://x.y)** after 東京都に行く \(filler)"))
        for sort in [ArticleQuery.Sort.newest, .relevance] {
            let page = try await repository.list(ArticleQuery(text: "kun 京都", sort: sort), after: nil, limit: 5)
            let found = try #require(page.summaries.first?.found)
            #expect(found.title?.pieces.filter(\.isMarked).map(\.text) == ["kůň"])
            #expect(found.excerpt?.pieces.filter(\.isMarked).map(\.text) == ["kun", "京都"])
            let line = try #require(found.excerpt?.text)
            #expect(line.contains("before the kun after 東京都に行く"))
            #expect(line.hasPrefix("…") && line.hasSuffix("…") && line.utf8.count < 260)
        }
        let phrase = try await repository.list(ArticleQuery(text: #""the kun""#), after: nil, limit: 5).summaries.first
        #expect(phrase?.found?.excerpt?.pieces.filter(\.isMarked).map(\.text) == ["the kun"])
        let absent = try await repository.list(ArticleQuery(text: "-absent"), after: nil, limit: 5).summaries.first
        #expect(absent?.found == nil)
    }

    @Test(
        "A search finds other forms of a word by the rules of the article's language",
        arguments: StoreEngine.allCases,
        [
            ("migrations", ["named", "guessed"]), ("migrating", ["named", "guessed"]),
            ("Migrate", ["named", "guessed"]),
            ("title:migrations", ["named"]), ("migrations*", ["named", "guessed"]),
            ("-migrations", ["french", "german", "none"]),
            ("birds migrations", ["named"]), ("houses OR migrating", ["named", "guessed"]),
            // Quotation marks, and adjacent words, have their documented meaning.
            (#""migrations""#, []), (#""migration""#, ["named"]), ("bird/migrations", []), ("author:migrations", []),
            // The French plural of an English word, and accents that the user leaves out.
            ("maisons", ["french"]), ("ecoles", ["french"]), ("école", ["french"]), ("hauser", ["german"]),
            ("häusern", ["german"]),
            // The English stem of "dies" is an article in German.
            ("dies", []), ("running", ["none"]), ("runs", []),
        ] as [(String, [String])])
    func stems(engine: StoreEngine, search: (text: String, found: [String])) async throws {
        let stores = try await engine.open()
        try await stores.articles.upsert([
            ArticleDraft(
                slug: "named", title: "Bird migration", authors: ["Migration Board"], body: "x", language: "en-GB"),
            ArticleDraft(slug: "guessed", title: "A", body: "They migrated to the south with the wind."),
            ArticleDraft(slug: "french", title: "La maison", body: "Les écoles", language: "fr"),
            ArticleDraft(slug: "german", title: "Das Haus", body: "Die Häuser", language: "de"),
            ArticleDraft(slug: "none", title: "Running", body: "x", language: "xx"),
        ])
        for sort in ArticleQuery.Sort.allCases {
            let page = try await stores.articles.list(ArticleQuery(text: search.text, sort: sort), after: nil, limit: 9)
            #expect(Set(page.summaries.map(\.slug)) == Set(search.found), "\(sort)")
        }
    }

    @Test(
        "A search finds other forms of words in a language as soon as an article is in it",
        arguments: StoreEngine.allCases)
    func newLanguages(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        func found(_ text: String) async throws -> [String] {
            try await stores.articles.list(ArticleQuery(text: text), after: nil, limit: 9).summaries.map(\.slug)
        }
        for (slug, title, language, form) in [
            ("english", "Migration", "en", "migrated"), ("german", "Die Häuser", "de", "haus"),
            ("french", "Les maisons", "fr-CA", "maison"),
        ] {
            #expect(try await found(form) == [])
            try await stores.articles.upsert([
                ArticleDraft(slug: slug, title: title, body: "x", language: language)
            ])
            #expect(try await found(form) == [slug])
            #expect(try await stores.articles.count(ArticleQuery(text: form)) == 1)
        }
    }

    @Test("An excerpt has the words of a table without its signs", arguments: StoreEngine.allCases)
    func tables(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let table = """
            Read | this.

            | Name | Use |
            | :--- | ---: |
            | lathe | turns *wood* |
            saw | cuts

            In code, `a | b`.
            """
        try await stores.articles.upsert([
            ArticleDraft(slug: "a", title: "Tools", body: table),
            ArticleDraft(slug: "b", title: "Text", body: "| lathe |\n| --- |", format: .plain),
        ])
        let found = try await stores.articles.list(ArticleQuery(text: "lathe", sort: .title), after: nil, limit: 5)
        #expect(
            found.summaries.map { $0.found?.excerpt?.text } == [
                "| lathe | | --- |", "…lathe turns wood saw cuts In code, a | b.",
            ])
        #expect(found.summaries.last?.found?.excerpt?.pieces.filter(\.isMarked).map(\.text) == ["lathe"])
    }

    @Test("A search marks the other forms of a word", arguments: StoreEngine.allCases)
    func markedStems(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        try await stores.articles.upsert(
            ArticleDraft(slug: "a", title: "Migrations", body: "It migrated. Emigrants, too.", language: "en"))
        let page = try await stores.articles.list(ArticleQuery(text: "migrating"), after: nil, limit: 5)
        let found = try #require(page.summaries.first?.found)
        #expect(found.title?.pieces == [MarkedText.Piece("Migrations", isMarked: true)])
        #expect(found.excerpt?.pieces.map(\.text) == ["It ", "migrated", ". Emigrants, too."])
        let quoted = try await stores.articles.list(ArticleQuery(text: #""migrated""#), after: nil, limit: 5)
        #expect(quoted.summaries.first?.found?.title?.pieces == [MarkedText.Piece("Migrations")])
    }

    @Test("A cursor works after its article is deleted", arguments: StoreEngine.allCases)
    func lostCursor(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let ids = try await repository.upsert(
            (1...4).map { ArticleDraft(slug: "\($0)", title: "\($0)", body: "B", published: day($0)) }
        ).map(\.id)
        let page = try await repository.list(ArticleQuery(), after: nil, limit: 2)
        try await repository.delete(id: ids[2])
        try await repository.upsert(ArticleDraft(slug: "new", title: "new", body: "B", published: day(9)))
        let next = try await repository.list(ArticleQuery(), after: page.next, limit: 2)
        #expect(next.summaries.map(\.title) == ["2", "1"])
    }

    @Test("The size of a page is limited", arguments: StoreEngine.allCases)
    func limits(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try await repository.upsert((0..<3).map { ArticleDraft(slug: "\($0)", title: "T", body: "B") })
        #expect(try await repository.list(ArticleQuery(), after: nil, limit: 0).summaries.count == 1)
        #expect(try await repository.list(ArticleQuery(), after: nil, limit: .min).summaries.count == 1)
        #expect(try await repository.list(ArticleQuery(), after: nil, limit: .max).summaries.count == 3)
    }

    @Test("The since condition is inclusive and until is exclusive", arguments: StoreEngine.allCases)
    func bounds(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try await repository.upsert(ArticleDraft(slug: "a", title: "A", body: "B", published: day(1)))
        let second = day(1)
        #expect(try await repository.titles(ArticleQuery(since: second)) == ["A"])
        #expect(try await repository.titles(ArticleQuery(since: second.addingTimeInterval(0.5))) == [])
        #expect(try await repository.titles(ArticleQuery(until: second)) == [])
        #expect(try await repository.titles(ArticleQuery(until: second.addingTimeInterval(0.5))) == ["A"])
        #expect(try await repository.titles(ArticleQuery(since: .distantPast, until: .distantFuture)) == ["A"])
    }

    @Test("Articles are loaded together in the given order, up to a size", arguments: StoreEngine.allCases)
    func together(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        defer { withExtendedLifetime(stores) {} }
        let library = stores.articles
        let drafts = (1...4).map { ArticleDraft(slug: "a\($0)", title: "A", body: "0123456789") }
        let ids = try await library.upsert(drafts).map(\.id)
        let wanted = [ids[2], 99, ids[0], ids[3], ids[1]]
        let loaded = try await library.articles(ids: wanted, upTo: 25)
        #expect(loaded.map(\.article.id) == [ids[2], ids[0], ids[3]])
        let arrivals = try await library.arrivals(of: wanted)
        #expect(loaded.map(\.arrival) == [ids[2], ids[0], ids[3]].map { arrivals[$0] })
        #expect(loaded.allSatisfy { $0.arrival != nil && $0.article.body == "0123456789" })
        #expect(try await library.articles(ids: wanted, upTo: 1).map(\.article.id) == [ids[2]])
        #expect(try await library.articles(ids: [99], upTo: 1) == [])
        var all: [Int64] = []
        try await library.forEachArticle(ids: wanted) { all.append($0.id) }
        #expect(all == [ids[2], ids[0], ids[3], ids[1]])
    }

    @Test("Sources, ranges, and totals are returned for all rows together", arguments: StoreEngine.allCases)
    func totals(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        defer { withExtendedLifetime(stores) {} }
        let library = stores.articles
        func add(_ source: String, _ slugs: String...) async throws -> [Int64] {
            let drafts = slugs.map {
                ArticleDraft(key: ExactText($0), slug: $0, title: "A word", body: "Text.", tags: [source, "all"])
            }
            return try await library.upsert(drafts, into: .init(name: source, kind: .stream)).map(\.id)
        }
        let first = try await add("one", "a", "b")
        let second = try await add("two", "c")
        let third = try await add("one", "d")
        let sources = try await library.sources()
        let (one, two) = (sources[0].id, sources[1].id)
        #expect(try await library.articleRanges() == [one: first[0]...third[0], two: second[0]...second[0]])
        #expect(try await library.sourceIDs(of: ArticleQuery(tag: "ALL")) == [one, two])
        #expect(try await library.sourceIDs(of: ArticleQuery(tag: "two")) == [two])
        #expect(try await library.sourceIDs(of: ArticleQuery(author: "Nobody")) == [])
        #expect(try await library.sourceIDs(of: ArticleQuery(text: "word", source: "two")) == [two])
        for (query, total) in [(ArticleQuery(), 4), (ArticleQuery(tag: "one"), 3), (ArticleQuery(source: "two"), 1)] {
            for limit in [1, 2, 10] {
                #expect(try await library.list(query, after: nil, limit: limit, counts: true).total == total)
                #expect(try await library.list(query, after: nil, limit: limit, counts: false).total == nil)
            }
        }
        let page = try await library.list(ArticleQuery(), after: nil, limit: 3, counts: true)
        #expect(try await library.list(ArticleQuery(), after: page.next, limit: 3, counts: true).total == 4)
        // A part of a search is not counted.
        let search = ArticleQuery(text: "word")
        #expect(try await library.list(search, after: nil, limit: 2, counts: true).total == nil)
        #expect(try await library.list(search, after: nil, limit: 4, counts: true).total == 4)
    }

    private func day(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number) * 86_400) }
}

extension ArticleRepository {
    fileprivate func summary(_ id: Int64) async throws -> ArticleSummary? {
        try await article(id: id).map { ArticleSummary($0) }
    }

    fileprivate func titles(_ query: ArticleQuery) async throws -> [String] {
        try await list(query, after: nil, limit: 100).summaries.map(\.title)
    }
}

extension ArticleQuery {
    fileprivate func holds(_ draft: ArticleDraft) -> Bool {
        (author.map { author in draft.authors.contains { $0.lowercased() == author.lowercased() } } ?? true)
            && (tag.map { tag in draft.tags.contains { $0.lowercased() == tag.lowercased() } } ?? true)
            && (language.map { draft.language == $0 } ?? true)
            && (since.map { draft.published ?? .distantPast >= $0 } ?? true)
            && (until.map { draft.published ?? .distantFuture < $0 } ?? true)
            && (text ?? "").split(whereSeparator: \.isWhitespace).allSatisfy { word in
                ([draft.title, draft.body] + draft.authors + draft.tags).contains {
                    $0.folded.split(whereSeparator: { " ,".contains($0) }).contains { $0 == String(word).folded }
                }
            }
    }

    fileprivate func orders(_ left: (Int64, ArticleDraft), _ right: (Int64, ArticleDraft)) -> Bool {
        let dates = (left.1.published ?? .distantPast, right.1.published ?? .distantPast)
        return switch sort {
        case .newest, .relevance: (dates.0, left.0) > (dates.1, right.0)
        case .oldest: (dates.0, left.0) < (dates.1, right.0)
        case .title:
            (left.1.title.folded, left.0) < (right.1.title.folded, right.0)
        }
    }
}

extension String {
    fileprivate var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
