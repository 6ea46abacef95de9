import ArticleStore
import PostgreSQL
import PostgreSQLStores
import StoreEngines
import Testing
import Text

@Suite("Query plans of lists on PostgreSQL", .withServer)
struct PlanTests {
    private static let rows: [Statement] = [
        "INSERT INTO account SELECT 1, 'ada', 'DE', 'hash', 0, 0, 'reader', NULL",
        """
        INSERT INTO source SELECT i, md5(i::text), 's' || i, 's' || i, 'stream', NULL, NULL, NULL, NULL, 0, '[]'
        FROM generate_series(1, 20) AS i
        """,
        """
        INSERT INTO article SELECT i, 1 + i % 20, 'k' || i, NULL, false, 'slug' || i, 'Title', md5(i::text), '[]', '[]', '',
            CASE WHEN i % 7 = 0 THEN 'zh' ELSE 'en' END, i * 1000, 0, 0, 1
        FROM generate_series(1, 20000) AS i
        """,
        """
        INSERT INTO article_appearance (source_id, key, article_id, appeared_at, published_at, title_key, title)
        SELECT 1 + (id + 3) % 20, 'x' || id, id, 0, published_at, title_key, title FROM article WHERE id % 7 = 0
        """,
        "INSERT INTO label (kind, key) SELECT 'tag', 't' || i FROM generate_series(1, 100) AS i",
        "INSERT INTO article_label SELECT id, 1 + id % 100, published_at, title_key FROM article",
        "INSERT INTO article_star SELECT 1, i * 100, true, 0 FROM generate_series(1, 100) AS i",
        "INSERT INTO article_read SELECT 1, i * 2, true, 0 FROM generate_series(1, 10000) AS i",
        "ANALYZE",
    ]

    @Test("A page can be read in the order of an index, and a list of marks is read from the marks")
    func pages() async throws {
        let schema = try await schema()
        var starred = ArticleQuery()
        starred.marks.userID = 1
        starred.marks.isStarred = true
        let lists: [(ArticleQuery, order: String)] = [
            (ArticleQuery(), ""), (ArticleQuery(source: "s3"), "source_and_"),
            (ArticleQuery(language: "zh"), "language_and_"), (ArticleQuery(tag: "t5"), "label"),
            (ArticleQuery(tag: "t5", language: "en"), "label"),
            (ArticleQuery(source: "s3", language: "zh"), "source_and_"),
        ]
        for (list, order) in lists {
            var query = list
            for sort in [ArticleQuery.Sort.newest, .oldest, .title] {
                query.sort = sort
                let name = sort == .title ? "title" : "date"
                let index = order == "label" ? "article_label_by_\(name)" : "article_by_\(order)\(name)"
                let position: Cursor.Position =
                    sort == .title ? .title(key: "8", id: 5) : .date(Date(timeIntervalSince1970: 9_000_000), id: 5)
                for (position, isBackward) in [(nil, false), (position, false), (position, true), (nil, true)] {
                    let plan = try await plan(query, position, isBackward, in: schema)
                    // The two branches of a source are in order, and the rows of both are sorted.
                    let isOfSource = order == "source_and_"
                    let sorts = plan.matches(of: try Regex("Sort  \\(cost")).count
                    #expect(plan.contains(index) && sorts == (isOfSource ? 1 : 0), "\(plan)")
                    #expect(plan.contains("article_appearance_by_\(name)") == isOfSource, "\(plan)")
                }
            }
        }
        let plan = try await plan(starred, nil, false, in: schema)
        #expect(plan.contains("CTE Scan on marked") && !plan.contains("article_by_date"), "\(plan)")
    }

    /// The average user has five marks of each kind, so that the planner expects few rows for a user.
    private static let manyMarks: [Statement] =
        [
            """
            INSERT INTO account SELECT i, 'user' || i, 'DE', 'hash', 0, 0, 'reader', NULL
            FROM generate_series(2, 5000) AS i
            """,
            "DELETE FROM article_read", "DELETE FROM article_star",
        ]
        + [("read", "true"), ("star", "true"), ("later", "true"), ("place", "1"), ("note", "'note'")].flatMap {
            [
                Statement("INSERT INTO article_\($0) SELECT 1, i, \($1), 0 FROM generate_series(1, 20000) AS i"),
                Statement("INSERT INTO article_\($0) SELECT i, i, \($1), 0 FROM generate_series(2, 5000) AS i"),
            ]
        } + [
            "INSERT INTO own_tag SELECT 1, 'tag', 'Tag'",
            "INSERT INTO own_tag SELECT i, 'tag', 'Tag' FROM generate_series(2, 5000) AS i",
            "INSERT INTO article_own_tag SELECT 1, 'tag', i, true, 0 FROM generate_series(1, 20000) AS i",
            "INSERT INTO article_own_tag SELECT i, 'tag', i, true, 0 FROM generate_series(2, 5000) AS i",
            "ANALYZE",
        ]

    @Test("The marks of a page are looked up for its articles, so that not all marks of the user are read")
    func marks() async throws {
        let schema = try await schema(with: Self.manyMarks)
        let page = ArticleListStatement.page(.init(), from: nil, isBackward: false, limit: 51, markedBy: 1)
        let plan = try await explain(page, in: schema)
        for table in ["read", "star", "later", "place", "note", "own_tag"] {
            #expect(plan.contains("Index Scan using article_\(table)_by_article on article_\(table)"), "\(plan)")
            #expect(plan.matches(of: try Regex(" on article_\(table) ")).count == 1, "\(plan)")
        }
    }

    @Test("The server plans a page of a list and an article once, and each search for its words")
    func planning() async throws {
        let schema = try await schema()
        let repository = PostgreSQLArticleRepository(schema.server, clock: { Date(timeIntervalSince1970: 0) })
        var unread = ArticleQuery()
        (unread.marks.userID, unread.marks.isRead) = (1, false)
        func plans(_ text: String) async throws -> [Int] {
            try await schema.pool.read([
                Statement(
                    "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE $1",
                    [.text(text)])
            ])[0].flatMap { [try $0.value(0), try $0.value(1)] }
        }
        for slug in ["slug1", "slug2", "slug3"] {
            let list = ReadingParts.List(unread, after: nil, limit: 50, counts: false)
            let parts = ReadingParts(article: ArticleReference(slug), list: list, sources: 20)
            _ = try await repository.view(parts, of: 1)
            _ = try await repository.list(ArticleQuery(text: slug, sort: .newest), after: nil, limit: 50)
        }
        #expect(try await plans("WITH page%") == [3, 0])
        #expect(try await plans("SELECT a.id%coalesce((SELECT id FROM article WHERE id = $1)%") == [3, 0])
        #expect(try await plans("SELECT count(*) FROM article_star%") == [3, 0])
        #expect(try await plans("SELECT a.id%article_search%") == [0, 3])
    }

    @Test("A search for a missing word reads neither texts nor articles")
    func rareWords() async throws {
        let schema = try await schema(with: [
            """
            INSERT INTO article_search (article_id, words, gap)
            SELECT id, to_tsvector('simple', 'word' || id || ' word' || id % 3), 0 FROM article
            """,
            "ANALYZE",
        ])
        let repository = PostgreSQLArticleRepository(schema.server, clock: { Date(timeIntervalSince1970: 0) })
        // The word has many forms, so that the planner takes it for frequent.
        var query = ArticleQuery(text: "coordinator")
        for sort in [ArticleQuery.Sort.newest, .title, .relevance] {
            query.sort = sort
            func reads() async throws -> Int {
                try await schema.pool.write(["SELECT pg_stat_force_next_flush()"])
                return try await schema.pool.write([
                    """
                    SELECT (sum(seq_tup_read) + sum(idx_tup_fetch))::bigint FROM pg_stat_user_tables
                    WHERE relid IN ('article_search'::regclass, 'article'::regclass)
                    """
                ])[0].first?.value(0) ?? 0
            }
            let before = try await reads()
            #expect(try await repository.list(query, after: nil, limit: 50).summaries.isEmpty)
            #expect(try await repository.count(query) == 0)
            #expect(try await repository.numbers(of: query, latestFirst: true, limit: 50).isEmpty)
            #expect(try await reads() - before < 100)
        }
    }

    @Test("A word in a field is found in the index of the field, without the texts that contain the word")
    func fields() async throws {
        let schema = try await schema(with: [
            """
            INSERT INTO article_search (article_id, words, gap)
            SELECT id, setweight(to_tsvector('simple', 'word' || id % 50), 'A') || to_tsvector('simple', 'word1 word2'), 0
            FROM article
            """,
            "ANALYZE",
        ])
        for field in ["title", "author", "tag"] {
            let words = try #require(ArticleListStatement.candidates(.init(text: "\(field):word1"), limit: 9))
            let plan = try await explain(words, in: schema, with: ["SET LOCAL enable_seqscan = off"])
            #expect(plan.contains("article_search_by_\(field)") && !plan.contains("by_word"), "\(plan)")
        }
    }

    private func schema(with statements: [Statement] = []) async throws -> TemporarySchema {
        let schema = try await TemporarySchema()
        for statement in Self.rows + statements { try await schema.pool.write([statement]) }
        return schema
    }

    private func plan(
        _ query: ArticleQuery, _ position: Cursor.Position?, _ isBackward: Bool, in schema: TemporarySchema
    ) async throws -> String {
        let statement = ArticleListStatement.page(query, from: position, isBackward: isBackward, limit: 51)
        // The planner sorts if there are few articles. Without sorting, it shows whether an index has the order.
        return try await explain(
            statement, in: schema, with: ["SET LOCAL enable_sort = off", "SET LOCAL enable_bitmapscan = off"])
    }

    /// Returns the plan that the server makes once for all values, which lists use.
    private func explain(
        _ statement: Statement, in schema: TemporarySchema, with settings: [Statement] = []
    ) async throws -> String {
        let types = statement.values.map { value in
            switch value {
            case .integer: "bigint"
            case .bool: "boolean"
            default: "text"
            }
        }
        func list(_ parts: [String]) -> String { parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))" }
        let rows = try await schema.pool.write { transaction in
            try await transaction.run(
                settings + [
                    "SET LOCAL plan_cache_mode = force_generic_plan",
                    Statement("PREPARE list\(list(types)) AS \(statement.sql)"),
                    Statement("EXPLAIN EXECUTE list" + list(types.map { _ in "NULL" })), "DEALLOCATE list",
                ])[settings.count + 2]
        }
        return try rows.map { try $0.value(0) as String }.joined(separator: "\n")
    }
}
