import ArticleStore
import Foundation
import StoreEngines
import Testing

@Suite("ArticleRepository contract: sources")
struct SourceContractTests {
    private func draft(_ key: String) -> ArticleDraft { ArticleDraft(key: ExactText(key), title: key, body: "Body.") }

    @Test("counts the articles of each source", arguments: StoreEngine.allCases)
    func counts(engine: StoreEngine) async throws {
        let stores = try engine.open()
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

    @Test("renames a source, and its articles are of it under the new name", arguments: StoreEngine.allCases)
    func rename(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let repository = stores.articles
        let id = try await repository.upsert(draft("a"), into: .init(name: "Blog", kind: .stream)).id
        let before = try #require(try await repository.source(named: "blog"))
        let after = try await repository.renameSource("BLOG", to: "  News ")
        #expect((after.id, after.uid, after.name) == (before.id, before.uid, "News"))
        #expect(try await repository.sources() == [after])
        #expect(try await repository.article(id: id)?.source == after.reference)
        #expect(try await repository.count(ArticleQuery(source: "news")) == 1)
        #expect(try await repository.count(ArticleQuery(source: "blog")) == 0)
        // Another spelling of its own name is free.
        #expect(try await repository.renameSource("news", to: "NEWS").name == "NEWS")
    }

    @Test("refuses a name that is taken or none, and a source that is not there", arguments: StoreEngine.allCases)
    func refused(engine: StoreEngine) async throws {
        let stores = try engine.open()
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

    @Test("removes sources with their articles, all or none", arguments: StoreEngine.allCases)
    func remove(engine: StoreEngine) async throws {
        let stores = try engine.open()
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

    @Test("gives the number of a source to no other, also when it is gone", arguments: StoreEngine.allCases)
    func numbers(engine: StoreEngine) async throws {
        let stores = try engine.open()
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
