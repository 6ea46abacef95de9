import SQLiteStores
import ArticleStore
import Database
import Foundation
import StoreEngines
import Testing
import Text

@Suite("The SQLite repository")
struct SQLiteArticleRepositoryTests {
    @Test(
        "An article from before addresses had hashes is found by its address with both schemes and with a slash at the end"
    )
    func addressWithoutHash() async throws {
        let storage = try TemporaryDatabase()
        try await storage.articles.upsert(
            ArticleDraft(key: "k", title: "T", body: "B.", sourceURL: "http://example.org/a/"))
        _ = try await storage.database.write { try $0.run("UPDATE article SET address_hash = NULL") }
        try await storage.articles.write(needing: WriteNeeds()) { writer in
            for address in ["http://example.org/a/", "https://example.org/a", "HTTPS://EXAMPLE.org/a#b"] {
                let found = try StoryAddress(address).map { try writer.articles(at: $0) }
                #expect(found == [1: 1], "\(address)")
            }
            let other = try StoryAddress("http://example.org/b").map { try writer.articles(at: $0) }
            #expect(other == [:])
        }
        // A change stores the hash.
        try await storage.articles.upsert(
            ArticleDraft(key: "k", title: "T!", body: "B.", sourceURL: "http://example.org/a/"))
        let hash: Int64?? = try storage.database.first("SELECT address_hash FROM article") { try $0.value(0) }
        #expect(hash == StoryAddress("https://example.org/a")?.hash)
    }

    @Test("A deleted or changed article leaves no rows")
    func rows() async throws {
        let storage = try TemporaryDatabase()
        let database = storage.database
        let repository = SQLiteArticleRepository(database: database, clock: { Date(timeIntervalSince1970: 0) })
        let draft = ArticleDraft(slug: "x", title: "A", authors: ["A", "B"], body: "B", tags: ["s", "t"])
        let id = try await repository.upsert(draft).id
        func rows() throws -> [Int] {
            try database.read { snapshot in
                try [
                    "article", "article_body", "article_label", "label_by_date", "label_by_title", "label",
                ].map { table in
                    try snapshot.first("SELECT count(*) FROM \(table)") { try $0.value(0) } ?? -1
                }
            }
        }
        #expect(try rows() == [1, 1, 4, 4, 4, 4])
        try await repository.upsert(ArticleDraft(slug: "x", title: "A", authors: ["B"], body: "B", tags: ["S", "s"]))
        #expect(try rows() == [1, 1, 2, 2, 2, 2])
        try await repository.upsert(ArticleDraft(slug: "x", title: "C", authors: ["B"], body: "B", tags: ["S", "s"]))
        #expect(try rows() == [1, 1, 2, 2, 2, 2])
        try await repository.delete(id: id)
        #expect(try rows() == [0, 0, 0, 0, 0, 0])
        try await repository.upsert(draft)
        let source = try #require(try await repository.sources().first)
        #expect(try await repository.write { try $0.deleteSource(id: source.id) } == 1)
        #expect(try rows() == [0, 0, 0, 0, 0, 0])
        #expect(try database.integrityProblems() == [])
    }
}
