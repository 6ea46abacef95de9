import SQLiteStores
import ArticleStore
import Database
import Foundation
import StoreEngines
import Testing

@Suite("The SQLite repository")
struct SQLiteArticleRepositoryTests {
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
