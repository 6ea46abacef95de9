import Text
import SQLiteStores
import ArticleStore
import Database
import FoundationEssentials
import StoreEngines
import Testing

@Suite("Marks in SQLite")
struct SQLiteMarkRepositoryTests {
    private let storage: TemporaryDatabase
    private let articles: SQLiteArticleRepository
    private let marks: SQLiteMarkRepository
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        storage = try TemporaryDatabase()
        articles = SQLiteArticleRepository(
            database: storage.database, clock: { Date(timeIntervalSince1970: 1_700_000_000) })
        marks = SQLiteMarkRepository(database: storage.database)
        try storage.database.write { transaction in
            try transaction.run(
                """
                INSERT INTO user (id, username, region, password_hash, created_at, password_changed_at)
                VALUES (1, 'ada', 'SE', '', 0, 0), (2, 'bob', 'SE', '', 0, 0)
                """)
        }
    }

    /// Inserts this many articles.
    private func seed(_ count: Int) async throws -> [Int64] {
        try await articles.upsert((0..<count).map { ArticleDraft(key: ExactText("k\($0)"), title: "T", body: "B") })
            .map(\.id)
    }

    private func number(_ sql: String) throws -> Int64? {
        try storage.database.first(sql) { try $0.value(0) }
    }

    @Test("Marking everything as read is one row, however many articles there are")
    func allRead() async throws {
        _ = try await seed(100)
        #expect(try await marks.change(.read(true), of: .all, by: 1, at: now) == 100)
        #expect(try number("SELECT count(*) FROM article_mark") == 0)
        #expect(try await marks.changes(of: 1, after: 0, limit: 1).allRead?.changed == now)
        #expect(try await marks.changes(of: 2, after: 0, limit: 1).allRead == nil)
    }

    @Test("If nearly all articles were marked one by one, unread ones are found without a scan of the others")
    func settled() async throws {
        let ids = try await seed(2_100)
        let (unread, read) = (ids.filter { $0 % 700 == 5 }, ids.filter { $0 % 700 != 5 })
        var query = ArticleQuery(marks: MarkCondition(userID: 1, isRead: false))
        try await marks.change(.read(true), of: .ids(Array(read.prefix(40))), by: 1, at: now)
        #expect(try number("SELECT count(*) FROM all_read") == 0, "nothing to gain yet")
        try await marks.change(.starred(true), of: .ids(unread), by: 1, at: now)
        try await marks.change(.read(true), of: .ids(read), by: 1, at: now)
        #expect(try number("SELECT up_to FROM all_read WHERE user_id = 1") == ids.last)
        #expect(try number("SELECT count(*) FROM article_mark WHERE is_read = 0") == Int64(unread.count))
        #expect(try await articles.list(query, after: nil, limit: 9).summaries.map(\.id).sorted() == unread)
        #expect(try await marks.marks(of: unread, by: 1).values.allSatisfy { !$0.read.value && $0.read.changed == nil })
        #expect(try await marks.marks(of: [read[0]], by: 1)[read[0]]?.read == .init(true, changed: now))
        #expect(try await marks.counts(of: 1).unread == unread.count)
        query.marks.userID = 2
        #expect(try await articles.count(query) == ids.count)
        #expect(try MarkCheck(database: storage.database).findings().isEmpty)
    }

    @Test("Wrong counts are found, and computed again")
    func counts() async throws {
        let ids = try await seed(5)
        try await marks.change(.read(true), of: .ids([ids[0]]), by: 1, at: now)
        try await marks.change(.read(true), of: .all, by: 2, at: now)
        try await articles.write(needing: WriteNeeds()) { writer in
            let other = try writer.source(SourceFacts(name: "other", kind: .feed))
            for id in ids.prefix(2) {
                try writer.put(ArticleAppearance(source: other.reference, key: "\(id)", title: "T"), of: id)
            }
        }
        let check = MarkCheck(database: storage.database)
        for fault in [
            "UPDATE source_size SET appearances = 4", "UPDATE source_read SET appearances = 4",
            "UPDATE article_appearance SET published_at = 1", "UPDATE article_appearance SET title_key = 'z'",
            "UPDATE source_size SET articles = 4", "DELETE FROM source_size",
            "UPDATE source_read SET articles = 2 WHERE user_id = 1", "DELETE FROM source_read WHERE user_id = 2",
        ] {
            #expect(try check.findings().isEmpty)
            _ = try await storage.database.write { try $0.run(fault) }
            #expect(try check.findings().map(\.kind) == [.count], "\(fault)")
            try check.repair()
        }
        #expect(try check.findings().isEmpty)
        #expect(try await marks.counts(of: 1).unread == 4)
        // The triggers keep the counts right when rows disappear.
        #expect(try await marks.readCounts(of: 2).sources.values.sorted() == [2, 5])
        _ = try await articles.delete(id: ids[0])
        #expect(try check.findings().isEmpty)
        try await articles.removeSources(["other"])
        #expect(try check.findings().isEmpty)
        #expect(try await marks.readCounts(of: 2).sources.values.sorted() == [4])
    }

    @Test("An article that moves to the source in which it appeared first keeps the counts right")
    func moved() async throws {
        let ids = try await seed(3)
        try await marks.change(.read(true), of: .ids([ids[0]]), by: 1, at: now)
        let own = try #require(try await articles.sources().first?.name)
        try await articles.write(needing: WriteNeeds()) { writer in
            for name in ["one", "two"] {
                let source = try writer.source(SourceFacts(name: name, kind: .feed))
                try writer.put(ArticleAppearance(source: source.reference, key: "k", title: "T"), of: ids[0])
            }
        }
        for removed in [own, "one", "two"] {
            #expect(try MarkCheck(database: storage.database).findings().isEmpty)
            try await articles.removeSources([removed])
        }
        #expect(try MarkCheck(database: storage.database).findings().isEmpty)
        #expect(try await articles.size().articles == 0)
    }
}
