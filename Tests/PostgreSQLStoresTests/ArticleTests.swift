import ArticleImporting
import ArticleStore
import AuthService
import PostgreSQL
import PostgreSQLStores
import StoreEngines
import Synchronization
import TestSupport
import Testing
import Text

@Suite("PostgreSQLArticleRepository", .withServer)
struct ArticleTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private static func repository(_ pool: ConnectionPool) -> PostgreSQLArticleRepository {
        PostgreSQLArticleRepository(LibraryServer(pool), clock: { now })
    }

    private static func drafts(_ numbers: some Sequence<Int>, slug: String? = nil) -> [ArticleDraft] {
        numbers.map {
            ArticleDraft(key: ExactText("k\($0)"), slug: slug, title: "Title \($0)", body: "Body.", tags: ["a"])
        }
    }

    @Test("A write of many drafts needs a few round trips, a page of a list needs one, and a search three")
    func roundTrips() async throws {
        let count = Atomic(0)
        let schema = try await TemporarySchema(onRoundTrip: { count.add(1, ordering: .relaxed) })
        let repository = PostgreSQLArticleRepository(schema.server, clock: { Self.now })
        func roundTrips(_ body: () async throws -> Void) async throws -> Int {
            let before = count.load(ordering: .relaxed)
            try await body()
            return count.load(ordering: .relaxed) - before
        }
        // All drafts want the same slug.
        let drafts = Self.drafts(0..<100, slug: "same")
        #expect(try await roundTrips { try await repository.upsert(drafts) } <= 4)
        let changed = drafts.map { ArticleDraft(key: $0.key, title: $0.title + "!", body: $0.body, tags: ["b"]) }
        #expect(try await roundTrips { try await repository.upsert(changed) } <= 4)
        #expect(
            try await roundTrips { _ = try await repository.list(.init(), after: nil, limit: 50, counts: true) } == 1)
        // The first search after a write also reads the languages of the articles.
        for trips in [4, 3, 3] {
            #expect(
                try await roundTrips { _ = try await repository.list(.init(text: "title"), after: nil, limit: 50) }
                    == trips)
        }
        #expect(try await repository.list(.init(text: "title"), after: nil, limit: 1000).summaries.count == 100)
    }

    @Test("Languages that were read before a change are not kept")
    func languages() async throws {
        let languages = KnownLanguages()
        var reads = 0
        for changesMeanwhile in [true, false, false] {
            _ = try await languages.current {
                reads += 1
                if changesMeanwhile { languages.forget() }
                return ["de"]
            }
        }
        #expect(reads == 2)
        languages.forget()
        _ = try await languages.current {
            reads += 1
            return []
        }
        #expect(reads == 3)
    }

    @Test("After a large write, merging leaves no words that wait for the index")
    func merging() async throws {
        let schema = try await TemporarySchema()
        let repository = PostgreSQLArticleRepository(schema.server, clock: { Self.now })
        let clean: Statement = "SELECT gin_clean_pending_list('article_search_by_word')"
        func waitingPages() async throws -> Int { try await schema.pool.write([clean])[0].first?.value(0) ?? 0 }
        // Several parts, each of which has a few hundred KiB of text.
        let drafts = (0..<40).map { number in
            let words = (0..<4000).map { "word\(number)x\($0)" }
            return ArticleDraft(key: ExactText("k\(number)"), title: "Title", body: words.joined(separator: " "))
        }
        try await repository.upsert(drafts)
        #expect(try await repository.mergeSearch() == false)
        #expect(try await waitingPages() == 0)
        #expect(try await repository.list(.init(text: "word39x3999"), after: nil, limit: 2).summaries.count == 1)
        try await repository.upsert([ArticleDraft(key: "one", title: "Title", body: "More words.")])
        #expect(try await waitingPages() > 0)
    }

    @Test("A feed whose entries are all stories of other sources is imported in a few round trips")
    func stories() async throws {
        let count = Atomic(0)
        let schema = try await TemporarySchema(onRoundTrip: { count.add(1, ordering: .relaxed) })
        let repository = PostgreSQLArticleRepository(schema.server, clock: { Self.now })
        let drafts = (0..<200).map { number in
            ArticleDraft(
                key: ExactText("k\(number)"), title: "Title \(number)", body: "Body.",
                sourceURL: "https://example.org/\(number)?utm_source=one")
        }
        try await repository.upsert(drafts, into: SourceFacts(name: "one", kind: .feed))
        // Some articles are from before addresses had hashes. They are found by their spelling.
        try await schema.pool.write(["UPDATE article SET address_hash = NULL WHERE id % 2 = 0"])
        try await schema.pool.write([
            "UPDATE article_body SET source_url = replace(source_url, '?utm_source=one', '/') WHERE article_id % 2 = 0"
        ])
        let two = try await repository.write(needing: WriteNeeds()) { writer in
            try writer.source(SourceFacts(name: "two", kind: .feed))
        }
        var options = ImportOptions(source: "two")
        (options.existingSource, options.mergesStories) = (two.id, true)
        let entries = (0..<200).map { number in
            "<item><guid>g\(number)</guid><title>Other \(number)</title>"
                + "<link>http://example.org/\(number)</link><description>Comment.</description></item>"
        }
        let folder = try TemporaryFolder()
        try folder.write("feed.xml", "<rss><channel><title>T</title>\(entries.joined())</channel></rss>")
        let importer = ArticleImporter(repository: repository, options: options)
        for _ in 1...2 {
            let before = count.load(ordering: .relaxed)
            let report = try await importer.run([.path(folder.file("feed.xml"))])
            #expect(report.unchanged == 200 && report.inserted == 0)
            #expect(count.load(ordering: .relaxed) - before <= 14)
        }
        #expect(try await repository.articleCounts() == [1: 200, two.id: 200])
        let article = try #require(try await repository.article(id: 2))
        #expect(article.appearances.map(\.key) == ["g1"] && article.appearances.map(\.text?.body) == ["Comment."])
        // The source is removed in a few round trips, too.
        let before = count.load(ordering: .relaxed)
        #expect(try await repository.removeSources(["one"]) == 0)
        #expect(count.load(ordering: .relaxed) - before <= 6)
        #expect(try await repository.articleCounts().filter { $0.value > 0 } == [two.id: 200])
    }

    @Test("The event of a change is recorded in its transaction, once, and not if nothing changes")
    func events() async throws {
        let schema = try await TemporarySchema()
        let (repository, accounts) = (Self.repository(schema.pool), PostgreSQLAccountStore(schema.server))
        let isAsked = Atomic(false)
        let recording = repository.recordingChanges {
            // As in a command, only the first change has an event.
            guard !isAsked.exchange(true, ordering: .relaxed) else { return nil }
            return AuditEvent(.libraryChanged, at: Self.now, client: "test")
        }
        try await recording.write { _ in }
        let isAskedWithoutChange = isAsked.load(ordering: .relaxed)
        #expect(!isAskedWithoutChange)
        // The records of the source are not known at the first run of the body, so it runs again.
        try await recording.upsert(Self.drafts(0..<3), into: .init(name: "s", kind: .stream))
        try await recording.upsert(Self.drafts(3..<4), into: .init(name: "s", kind: .stream))
        #expect(try await accounts.events(matching: AuditQuery(limit: 9)).map(\.event.kind) == [.libraryChanged])
        #expect(try await accounts.verifyAuditLog() == nil)
        // A log that cannot be written prevents the change.
        try await schema.run("DELETE FROM audit_chain")
        isAsked.store(false, ordering: .relaxed)
        await #expect(throws: StoreError.self) {
            try await recording.upsert(Self.drafts(4..<5), into: .init(name: "s", kind: .stream))
        }
        #expect(try await repository.count(.init()) == 4)
    }

    @Test("Articles of two servers that write at the same time get consecutive numbers, and arrive in their order")
    func twoServers() async throws {
        let schema = try await TemporarySchema()
        let repositories = [Self.repository(schema.pool), Self.repository(try schema.otherPool())]
        try await withThrowingTaskGroup { group in
            for batch in 0..<10 {
                group.addTask {
                    let drafts = Self.drafts(batch * 5..<batch * 5 + 5)
                    try await repositories[batch % 2].upsert(drafts, into: .init(name: "s\(batch % 3)", kind: .stream))
                }
            }
            try await group.waitForAll()
        }
        let numbers = try await repositories[0].numbers(of: .init(), latestFirst: false, limit: 1000)
        #expect(numbers == Array(1...50))
        let arrivals = try await repositories[0].arrivals(of: numbers)
        #expect(numbers.map { arrivals[$0]?.microseconds ?? 0 } == arrivals.values.map(\.microseconds).sorted())
        #expect(try await repositories[0].articleCounts().values.reduce(0, +) == 50)
    }

    @Test("A client that follows the library while two servers write misses no article")
    func following() async throws {
        let schema = try await TemporarySchema()
        let repositories = [Self.repository(schema.pool), Self.repository(try schema.otherPool())]
        let isOver = Atomic(false)
        async let followed = {
            var position: LogPosition?
            var found: Set<Int64> = []
            while true {
                let isLast = isOver.load(ordering: .acquiring)
                let changes = try await repositories[0].changes(after: position, limit: 10)
                found.formUnion(changes.articles.map(\.id))
                position = changes.position
                if isLast, !changes.goesOn { return found }
            }
        }()
        try await withThrowingTaskGroup { group in
            for batch in 0..<20 {
                group.addTask { try await repositories[batch % 2].upsert(Self.drafts(batch * 3..<batch * 3 + 3)) }
            }
            try await group.waitForAll()
        }
        isOver.store(true, ordering: .releasing)
        #expect(try await followed == Set(1...60))
    }

    @Test(
        "A write whose answer is lost happens once, whether or not the server received its commit",
        arguments: [true, false])
    func lostAnswer(isDelivered: Bool) async throws {
        let schema = try await TemporarySchema()
        let proxy = try CuttingProxy(
            cutAt: "COMMIT", before: TemporarySchema.folder, isDelivered: isDelivered, times: 1)
        defer { proxy.stop() }
        let repository = Self.repository(try schema.otherPool(through: proxy.folder))
        let upserts = try await repository.upsert(Self.drafts(0..<3))
        #expect(upserts.map(\.id) == [1, 2, 3])
        #expect(upserts.map(\.outcome) == [.inserted, .inserted, .inserted])
        #expect(try await Self.repository(schema.pool).count(.init()) == 3)
    }

    /// A text whose vector has reached the limit of positions for a word.
    private static let longText = (0..<12_000).map { $0 % 4 == 3 ? "the" : "n\($0)" }

    @Test("A search finds every phrase of a long text, also where two parts of it meet")
    func phrases() async throws {
        let schema = try await TemporarySchema()
        let repository = Self.repository(schema.pool)
        let words = Self.longText
        try await repository.upsert([
            ArticleDraft(key: "a", title: "Long", body: words.joined(separator: " ")),
            // A word that fills the parts does not stop the index.
            ArticleDraft(key: "b", title: "One", body: String(repeating: "word ", count: 2_000) + "end"),
        ])
        for start in stride(from: 0, to: words.count, by: 29) {
            let phrase = words[start..<min(start + 30, words.count)].joined(separator: " ")
            #expect(try await repository.count(.init(text: "\"\(phrase)\"")) == 1, "\(start)")
        }
        #expect(try await repository.count(.init(text: "\"word word word end\"")) == 1)
        #expect(try await repository.count(.init(text: "\"word end word\"")) == 0)
    }

    @Test("A field that is too long for a vector is searched to its end")
    func longFields() async throws {
        let schema = try await TemporarySchema()
        let repository = Self.repository(schema.pool)
        let title = (0..<120_000).map { "n\($0)" }.joined(separator: " ")
        try await repository.upsert([
            ArticleDraft(key: "a", title: title, body: "last"),
            ArticleDraft(key: "b", title: "B", body: "n119999"),
        ])
        for (search, keys) in [
            ("title:n0", ["a"]), ("title:n119999", ["a"]), ("title:n119999 title:n5", ["a"]), ("title:last", []),
            ("title:b", ["b"]), ("n119999", ["b", "a"]), ("title:n11999*", ["a"]), ("n119999 -title:n119999", ["b"]),
            ("title:\"n119998 n119999\"", ["a"]), ("title:b OR title:n119999", ["b", "a"]),
        ] {
            let found = try await repository.list(.init(text: search, sort: .newest), after: nil, limit: 9).summaries
            #expect(found.map { $0.title == "B" ? "b" : "a" } == keys, "\(search)")
        }
    }

    @Test("A word that fills a field is also found in the next fields")
    func repeatedWords() async throws {
        let schema = try await TemporarySchema()
        let repository = Self.repository(schema.pool)
        let many = String(repeating: "word ", count: 400)
        try await repository.upsert([
            ArticleDraft(key: "a", title: many, authors: [many, "word b"], body: many, tags: ["word"]),
            ArticleDraft(key: "b", title: "b", authors: ["b"], body: many + many, tags: ["b"]),
        ])
        for field in ["title", "author", "tag"] {
            let found = try await repository.list(.init(text: "\(field):word"), after: nil, limit: 9).summaries
            #expect(found.map(\.title) == [many], "\(field)")
        }
        // As an older version has stored them.
        try await schema.run("UPDATE article_search SET gap = 1 WHERE gap = 2")
        #expect(try await repository.count(.init(text: "author:word")) == 0)
        try await Self.markOutdatedWords(of: "fields", in: schema)
        _ = try await repository.advanceSearch(briefly: true)
        #expect(try await repository.count(.init(text: "author:word")) == 1)
    }

    @Test("The counters of labels follow all changes of articles")
    func labels() async throws {
        let schema = try await TemporarySchema()
        let repository = Self.repository(schema.pool)
        func check(_ expected: [String: Int]) async throws {
            let labels = try await repository.labels(.tag)
            #expect(Dictionary(labels.map { ($0.name, $0.articles) }) { $0 + $1 } == expected)
            let wrong =
                try await schema.pool.read([
                    """
                    SELECT count(*) FROM label AS l
                    WHERE articles <> (SELECT count(*) FROM article_label AS k WHERE k.label_id = l.id)
                    """
                ])[0].first?.value(0) as Int?
            #expect(wrong == 0)
        }
        func draft(_ key: ExactText, _ tags: [String]) -> ArticleDraft {
            ArticleDraft(key: key, title: "T", body: "text", tags: tags)
        }
        let entries = try await repository.upsert([draft("a", ["x", "y"]), draft("b", ["x"]), draft("c", ["x"])])
        try await check(["x": 3, "y": 1])
        try await repository.upsert([draft("a", ["y", "z"])])
        try await check(["x": 2, "y": 1, "z": 1])
        try await repository.write { writer in
            for entry in entries.prefix(2) { _ = try writer.delete(id: entry.id, forGood: false) }
        }
        try await check(["x": 1])
    }

    @Test("An article that becomes short again loses its parts, and one that is deleted too")
    func shortened() async throws {
        let schema = try await TemporarySchema()
        let repository = Self.repository(schema.pool)
        func parts() async throws -> Int {
            try #require(try await schema.pool.read(["SELECT count(*) FROM article_search_part"])[0].first).value(0)
        }
        let body = Self.longText.joined(separator: " ")
        let id = try await repository.upsert([ArticleDraft(key: "a", title: "A", body: body)])[0].id
        #expect(try await parts() > 1)
        try await repository.upsert([ArticleDraft(key: "a", title: "A", body: "short text")])
        #expect(try await parts() == 0)
        #expect(try await repository.count(.init(text: "\"short text\"")) == 1)
        #expect(try await repository.count(.init(text: "\"n1 n2\"")) == 0)
        try await repository.upsert([ArticleDraft(key: "a", title: "A", body: body)])
        try await repository.write { _ = try $0.delete(id: id, forGood: false) }
        #expect(try await parts() == 0)
    }

    /// Runs the statement of a migration that marks the words which the program must store again.
    private static func markOutdatedWords(of name: String, in schema: TemporarySchema) async throws {
        let steps = try await schema.server.schemaSteps()
        let migration = try #require(steps.first { $0.migration.name == name }).migration.sql
        let update = try #require(migration.ranges(of: "UPDATE article_search").first)
        let end = try #require(migration[update.lowerBound...].firstIndex(of: ";"))
        try await schema.run(String(migration[update.lowerBound..<end]))
    }

    @Test("The words that an older version has stored are stored again, and only those of long texts")
    func outdated() async throws {
        let schema = try await TemporarySchema()
        let repository = Self.repository(schema.pool)
        let body = Self.longText.joined(separator: " ")
        try await repository.upsert(
            [ArticleDraft(key: "s", title: "S", body: "short")]
                + (0..<3).map { ArticleDraft(key: ExactText("\($0)"), title: "T", body: body) })
        try await schema.run(
            "DELETE FROM article_search_part",
            "UPDATE article_search SET gap = 0, words = ts_delete(words, U&'\\0005')")
        let phrase = ArticleQuery(text: "\"the n11988 n11989 n11990\"")
        #expect(try await repository.count(phrase) == 0)
        try await Self.markOutdatedWords(of: "long_texts", in: schema)
        #expect(try await repository.advanceSearch(briefly: true) == 1)
        #expect(try await repository.advanceSearch(briefly: true) == 0)
        #expect(try await repository.count(phrase) == 3)
    }
}
