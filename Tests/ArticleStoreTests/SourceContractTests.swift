import Text
import ArticleStore
import Foundation
import StoreEngines
import Testing

@Suite("ArticleRepository contract: sources")
struct SourceContractTests {
    private func draft(_ key: String) -> ArticleDraft { ArticleDraft(key: ExactText(key), title: key, body: "Body.") }

    @Test("The articles of each source are counted", arguments: StoreEngine.allCases)
    func counts(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        #expect(try await repository.articleCounts().isEmpty)
        try await repository.upsert([draft("a"), draft("b")], into: .init(name: "one", kind: .stream))
        try await repository.upsert(draft("a"), into: .init(name: "two", kind: .stream))
        let empty = try await repository.write { try $0.source(.init(name: "none", kind: .stream)) }
        let counts = try await repository.articleCounts()
        let numbers = try await repository.sources().map { counts[$0.id] ?? 0 }
        #expect(numbers == [2, 1, 0])
        #expect(counts[empty.id] ?? 0 == 0)
    }

    @Test("A renamed source keeps its articles under the new name", arguments: StoreEngine.allCases)
    func rename(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let id = try await repository.upsert(draft("a"), into: .init(name: "Blog", kind: .stream)).id
        let before = try #require(try await repository.source(named: "blog"))
        let after = try await repository.renameSource("BLOG", to: "  News ")
        #expect((after.id, after.uid, after.name) == (before.id, before.uid, "News"))
        #expect(try await repository.sources() == [after])
        #expect(try await repository.article(id: id)?.source == after.reference)
        #expect(try await repository.count(ArticleQuery(source: "news")) == 1)
        #expect(try await repository.count(ArticleQuery(source: "blog")) == 0)
        // A new spelling of its own name is not a conflict.
        #expect(try await repository.renameSource("news", to: "NEWS").name == "NEWS")
    }

    @Test("A taken or empty name is refused, and so is a missing source", arguments: StoreEngine.allCases)
    func refused(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        for name in ["One", "two"] { try await repository.upsert(draft("a"), into: .init(name: name, kind: .stream)) }
        await #expect(throws: SourceError.nameTaken("One")) { try await repository.renameSource("two", to: "ONE") }
        await #expect(throws: SourceError.noSource("three")) { try await repository.renameSource("three", to: "x") }
        for name in ["", " \n", "a\u{1B}[2J", "a\u{202E}b", String(repeating: "x", count: 201)] {
            await #expect(throws: SourceError.unusableName(name)) { try await repository.renameSource("two", to: name) }
        }
        #expect(try await repository.sources().map(\.name) == ["One", "two"])
        #expect(try SourceFacts.checkedName(String(repeating: "x", count: 200)).count == 200)
    }

    @Test("Sources get tags, and a list has the articles of a tag", arguments: StoreEngine.allCases)
    func tags(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        for (name, keys) in [("one", ["a", "b"]), ("two", ["c"]), ("three", ["d"])] {
            try await repository.upsert(keys.map(draft), into: .init(name: name, kind: .stream))
        }
        let (news, tech) = (try TagName(" News "), try TagName("Täch & co"))
        try await repository.changeSource("ONE", tags: .some(adding: [tech, news], removing: []))
        let two = try await repository.changeSource("two", name: "Two", tags: .all([try TagName("NEWS")]))
        #expect(two.name == "Two" && two.facts.tags.map(\.name) == ["NEWS"])
        #expect(
            try await repository.sources().map { $0.facts.tags.map(\.name) } == [["News", "Täch & co"], ["NEWS"], []])
        func keys(_ query: ArticleQuery) async throws -> [String] {
            let list = try await repository.articles(query, after: nil, limit: 10).articles.map(\.key.text).sorted()
            #expect(try await repository.count(query) == list.count)
            #expect(try await repository.numbers(of: query, latestFirst: true, limit: 10).count == list.count)
            return list
        }
        #expect(try await keys(ArticleQuery(sourceTag: "news")) == ["a", "b", "c"])
        #expect(try await keys(ArticleQuery(sourceTag: "TACH & CO", sort: .title)) == ["a", "b"])
        #expect(try await keys(ArticleQuery(source: "two", sourceTag: "news")) == ["c"])
        #expect(try await keys(ArticleQuery(sourceTag: "none")) == [])
        // Neither a rename nor an import of the same source removes a tag.
        try await repository.renameSource("one", to: "first")
        try await repository.upsert(draft("e"), into: .init(name: "first", kind: .stream))
        #expect(try await keys(ArticleQuery(sourceTag: "news")) == ["a", "b", "c", "e"])
        // If a source already has the new tag, it has it once.
        #expect(try await repository.replaceSourceTag(tech, with: try TagName("news")) == 1)
        #expect(try await repository.replaceSourceTag(news, with: try TagName("nEws")) == 2)
        #expect(try await repository.sources().map { $0.facts.tags.map(\.name) } == [["nEws"], ["nEws"], []])
        #expect(try await repository.replaceSourceTag(news, with: nil) == 2)
        #expect(try await repository.sources().allSatisfy { $0.facts.tags.isEmpty })
        for name in ["", " ", "a,b", "a\u{1B}b", "a\nb", String(repeating: "x", count: 101)] {
            #expect(throws: TagError(name: name)) { try TagName(name) }
        }
        await #expect(throws: SourceError.noSource("none")) {
            try await repository.tagSources(["three", "none"], .some(adding: [news], removing: []))
        }
        #expect(try await repository.source(named: "three")?.facts.tags == [])
        #expect(try await repository.tagSources(["three", "TWO"], .all([news])).map(\.name) == ["three", "Two"])
        let many = try (0...SourceFacts.mostTags).map { try TagName("tag \($0)") }
        await #expect(throws: SourceError.tooManyTags) { try await repository.changeSource("Two", tags: .all(many)) }
        try await repository.changeSource("Two", tags: .all(Array(many.dropLast())))
        try await repository.removeSources(["Two"])
        #expect(try await keys(ArticleQuery(sourceTag: "tag 0")) == [])
    }

    @Test(
        "A list of a source tag has pages, and refuses the cursor of another list",
        arguments: StoreEngine.allCases)
    func taggedPages(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try await repository.upsert(["a", "b", "c"].map(draft), into: .init(name: "one", kind: .stream))
        try await repository.upsert(draft("d"), into: .init(name: "two", kind: .stream))
        try await repository.changeSource("one", tags: .all([try TagName("News")]))
        let query = ArticleQuery(sourceTag: "news")
        let first = try await repository.list(query, after: nil, limit: 2)
        let next = try #require(first.next)
        let second = try await repository.list(ArticleQuery(sourceTag: "NEWS"), after: next, limit: 2)
        #expect(Set((first.summaries + second.summaries).map(\.title)) == ["a", "b", "c"] && second.next == nil)
        await #expect(throws: CursorError.ofAnotherQuery) {
            try await repository.list(ArticleQuery(sourceTag: "other"), after: next, limit: 2)
        }
    }

    @Test("Sources are removed with their articles, all or none", arguments: StoreEngine.allCases)
    func remove(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        for (name, keys) in [("one", ["a", "b"]), ("two", ["c"]), ("three", ["d"])] {
            try await repository.upsert(keys.map(draft), into: .init(name: name, kind: .stream))
        }
        await #expect(throws: SourceError.noSource("four")) { try await repository.removeSources(["one", "four"]) }
        #expect(try await repository.count(ArticleQuery()) == 4)
        #expect(try await repository.removeSources(["ONE", "three"]) == 3)
        #expect(try await repository.sources().map(\.name) == ["two"])
        #expect(try await repository.count(ArticleQuery()) == 1)
        #expect(try await repository.article(slug: "a") == nil)
    }

    @Test("The number of a removed source is never used again", arguments: StoreEngine.allCases)
    func numbers(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        func add(_ name: String) async throws -> Source.ID {
            try await repository.write { try $0.source(.init(name: name, kind: .stream)) }.id
        }
        #expect(try await [add("one"), add("two"), add("three")] == [1, 2, 3])
        _ = try await repository.removeSources(["two", "three"])
        #expect(try await add("four") == 4)
        _ = try await repository.removeSources(["one", "four"])
        #expect(try await add("five") == 5)
    }
}
