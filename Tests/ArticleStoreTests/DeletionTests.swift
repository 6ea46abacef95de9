import ArticleImporting
import Text
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite("ArticleRepository contract: deletion")
struct DeletionTests {
    private let facts = SourceFacts(name: "feed", kind: .feed)

    private func draft(_ key: ExactText, _ title: String = "Post") -> ArticleDraft {
        ArticleDraft(key: key, title: title, body: "Body.")
    }

    @Test("A deleted article stays away, whatever happens in its source", arguments: StoreEngine.allCases)
    func staysAway(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let upserts = try await repository.upsert([draft("a"), draft("b", "Other"), draft("c", "Third")], into: facts)
        #expect(
            try await repository.delete(forGood: upserts.prefix(2).map(\.id) + [99]) == Set(upserts.prefix(2).map(\.id))
        )
        let again = try await repository.upsert([draft("a"), draft("b", "Changed"), draft("c", "Third")], into: facts)
        #expect(again.map(\.outcome) == [.deleted, .deleted, .unchanged])
        #expect(again.map(\.id) == [0, 0, upserts[2].id])
        #expect(try await repository.count(ArticleQuery()) == 1)
        // The same key in another source is another article.
        #expect(try await repository.upsert(draft("a")).outcome == .inserted)
    }

    @Test("A deleted article returns as a new one if edits are discarded", arguments: StoreEngine.allCases)
    func broughtBack(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let id = try await repository.upsert(draft("a"), into: facts).id
        #expect(try await repository.delete(id: id, forGood: true))
        #expect(try await repository.delete(id: id, forGood: true) == false)
        let back = try await repository.write { writer in
            try writer.upsert(draft("a"), into: try writer.source(facts), overwritesEdits: true)
        }
        #expect(back.outcome == .inserted)
        // This deletion was not permanent, so nothing is remembered of it.
        #expect(try await repository.delete(id: back.id))
        #expect(try await repository.upsert(draft("a"), into: facts).outcome == .inserted)
    }

    @Test(
        "A deletion is forgotten with its source, and if another article takes its key", arguments: StoreEngine.allCases
    )
    func forgotten(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let upserts = try await repository.upsert([draft("a"), draft("b", "Other")], into: facts)
        try await repository.delete(id: upserts[0].id, forGood: true)
        let moved = try await repository.write { writer in
            try writer.upsert(draft("a", "Other"), into: try writer.source(facts), renamed: { upserts[1].id })
        }
        #expect(moved == Upsert(id: upserts[1].id, outcome: .renamed))
        try await repository.delete(id: moved.id)
        #expect(try await repository.upsert(draft("a"), into: facts).outcome == .inserted)

        try await repository.upsert(draft("b"), into: facts)
        for summary in try await repository.list(ArticleQuery(), after: nil, limit: 9).summaries {
            try await repository.delete(id: summary.id, forGood: true)
        }
        #expect(try await repository.removeSources(["feed"]) == 0)
        #expect(
            try await repository.upsert([draft("a"), draft("b")], into: facts).map(\.outcome) == [.inserted, .inserted])
    }

    @Test("An article of another source is not renamed", arguments: StoreEngine.allCases)
    func renamedElsewhere(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let other = try await repository.upsert(draft("b"), into: SourceFacts(name: "other", kind: .stream))
        let upsert = try await repository.write { writer in
            try writer.upsert(draft("a"), into: try writer.source(facts), renamed: { other.id })
        }
        #expect(upsert.outcome == .inserted)
        #expect(upsert.id != other.id)
    }

    @Test("An import counts deleted articles, also an import of a folder above")
    func imported() async throws {
        let storage = try TemporaryDatabase()
        let repository = storage.articles
        for name in ["a", "b"] { try storage.folder.write("blog/posts/\(name).md", "# \(name)") }
        func run(_ path: String, _ options: ImportOptions = ImportOptions()) async throws -> ImportReport {
            try await ArticleImporter(repository: repository, options: options)
                .run([.path(storage.folder.file(path))])
        }
        #expect(try await run("blog/posts").sources == ["posts"])
        try await repository.delete(id: try #require(try await repository.article(slug: "a")).id, forGood: true)
        let report = try await run("blog/posts")
        #expect((report.unchanged, report.deleted) == (1, 1))
        let above = try await run("blog")
        #expect((above.inserted, above.unchanged, above.deleted) == (0, 1, 1))
        #expect(above.sources == ["blog"])
        #expect(try await run("blog", ImportOptions(isDryRun: true)).sources == ["blog"])
        #expect(try await run("blog", ImportOptions(overwritesEdits: true)).inserted == 1)
    }

    @Test("A deleted article stays away if its file is renamed, also an edited one and a record")
    func renamed() async throws {
        let library = try ImportFixture()
        for name in ["a", "b", "c"] { try library.folder.write("in/\(name).md", "# \(name)") }
        try library.folder.write("in/r.jsonl", #"{"id":"1","title":"R","body":"b"}"#)
        #expect(try await library.run("in").inserted == 4)
        for title in ["a", "b", "R"] {
            let id = try #require(
                try await library.repository.list(ArticleQuery(), after: nil, limit: 9).summaries.first {
                    $0.title == title
                }
            ).id
            #expect(try await library.repository.delete(id: id, forGood: true))
        }
        try library.folder.write("in/b.md", "# b, changed")
        #expect(try await library.run("in").deleted == 3)
        for (old, new) in [("a.md", "sub/a2.md"), ("b.md", "b2.md"), ("r.jsonl", "r2.jsonl")] {
            try library.folder.write(
                "in/\(new)", try String(contentsOfFile: library.folder.file("in/\(old)"), encoding: .utf8))
            try FileManager.default.removeItem(atPath: library.folder.file("in/\(old)"))
        }
        for _ in 0..<2 {
            let report = try await library.run("in")
            #expect((report.deleted, report.inserted, report.unchanged) == (3, 0, 1))
        }
        // A copy beside the file is another article, as it is for existing articles.
        try library.folder.write("in/copy.md", "# a")
        let report = try await library.run("in")
        #expect((report.deleted, report.inserted, report.unchanged) == (3, 1, 1))
        // Deleted articles return if edits are discarded.
        #expect(try await library.run("in", ImportOptions(overwritesEdits: true)).inserted == 3)
    }
}
