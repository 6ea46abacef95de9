import SQLiteStores
import ArticleStore
import Database
import Foundation
import StoreEngines
import Testing

@Suite("Query plans of lists")
struct QueryPlanTests {
    /// Every combination of conditions and orders, with and without a cursor at either end.
    static let shapes: [Shape] = (0..<64).flatMap { bits in
        var query = ArticleQuery()
        if bits & 1 != 0 { query.author = "Ada" }
        if bits & 2 != 0 { query.tag = "swift" }
        if bits & 4 != 0 { query.language = "en" }
        if bits & 8 != 0 { query.since = Date(timeIntervalSince1970: 0) }
        if bits & 16 != 0 { query.until = Date(timeIntervalSince1970: 9) }
        if bits & 32 != 0 { query.source = "blog" }
        return [ArticleQuery.Sort.newest, .oldest, .title].flatMap { sort in
            query.sort = sort
            return Shape.Cursor.allCases.map { Shape(query: query, cursor: $0) }
        }
    }

    struct Shape: CustomTestStringConvertible {
        let query: ArticleQuery
        let cursor: Cursor

        enum Cursor: String, CaseIterable { case none, after, before, end }

        var statement: ArticleListStatement {
            let position: ArticleStore.Cursor.Position =
                query.sort == .title ? .title(key: "k", id: 5) : .date(Date(timeIntervalSince1970: 5), id: 5)
            return switch cursor {
            case .none: ArticleListStatement(query, after: nil, limit: 51)
            case .after: ArticleListStatement(query, after: position, limit: 51)
            case .before: ArticleListStatement(query, before: position, limit: 51)
            case .end: ArticleListStatement(query, before: nil, limit: 51)
            }
        }

        var testDescription: String {
            let conditions = [
                query.author.map { _ in "author" }, query.tag.map { _ in "tag" }, query.source.map { _ in "source" },
                query.language.map { _ in "language" }, query.since.map { _ in "since" },
                query.until.map { _ in "until" }, "\(cursor.rawValue) a cursor", query.sort.rawValue,
            ]
            return conditions.compactMap(\.self).joined(separator: " ")
        }

        /// The plan that SQLite must report: the index whose order it follows, the bounds of the search, and the
        /// lookups.
        var plan: [String] {
            let byTitle = query.sort == .title
            let name = byTitle ? "title_key" : "published_at"
            // Bounds on the columns of the order; a date is not a bound in a list by title.
            let isDescending = (query.sort == .newest) != (cursor == .before)
            let hasCursor = cursor == .after || cursor == .before
            let (isBegun, isEnded) = (hasCursor && !isDescending, hasCursor && isDescending)
            let hasLower = isBegun || (!byTitle && query.since != nil)
            let hasUpper = isEnded || (!byTitle && query.until != nil)
            let id = query.author == nil && query.tag == nil ? "number" : "article_id"
            func bound(_ comparison: String, isRow: Bool) -> String {
                isRow ? "(\(name),\(id))\(comparison)(?,?)" : "\(name)\(comparison)?"
            }
            var bounds: [String] = []
            if hasLower { bounds.append(bound(">", isRow: isBegun)) }
            if hasUpper { bounds.append(bound("<", isRow: isEnded)) }
            // The name of the source is looked up for each article, and the number of a source or label once.
            var plan = ["SEARCH s USING INTEGER PRIMARY KEY (rowid=?)"]
            let label = [
                "SCALAR SUBQUERY", "SEARCH label USING COVERING INDEX sqlite_autoindex_label_1 (kind=? AND key=?)",
            ]
            let source = [
                "SCALAR SUBQUERY", "SEARCH source USING COVERING INDEX sqlite_autoindex_source_2 (name_key=?)",
            ]
            if query.author == nil && query.tag == nil {
                var first = ""
                if query.source != nil {
                    first = "source_and_"
                    bounds.insert("source_id=?", at: 0)
                } else if query.language != nil {
                    first = "language_and_"
                    bounds.insert("language=?", at: 0)
                }
                let seek = bounds.isEmpty ? "" : " (\(bounds.joined(separator: " AND ")))"
                let index = "article_by_\(first)\(byTitle ? "title" : "date")"
                plan += ["\(bounds.isEmpty ? "SCAN" : "SEARCH") a USING INDEX \(index)\(seek)"]
                guard query.source != nil else { return plan }
                // The source's number is used twice: for the condition and for the articles. The articles that appear there
                // are merged in the same order.
                let appearances = "COVERING INDEX article_appearance_by_\(byTitle ? "title" : "date")"
                return plan + source + ["REUSE SUBQUERY", "MERGE (UNION ALL)", "LEFT", "RIGHT"] + source + [
                    "SEARCH k USING \(appearances)\(seek.replacing("number", with: "article_id"))",
                    "SEARCH a USING INTEGER PRIMARY KEY (rowid=?)", "SEARCH s USING INTEGER PRIMARY KEY (rowid=?)",
                ]
            }
            if query.source != nil {
                plan +=
                    source + source + [
                        "CORRELATED SCALAR SUBQUERY",
                        "SEARCH p USING COVERING INDEX sqlite_autoindex_article_appearance_2 (article_id=? AND source_id=?)",
                    ]
            }
            bounds.insert("label_id=?", at: 0)
            plan += ["SEARCH k USING PRIMARY KEY (\(bounds.joined(separator: " AND ")))"] + label
            if query.author != nil && query.tag != nil {
                plan +=
                    ["CORRELATED SCALAR SUBQUERY", "SEARCH t USING PRIMARY KEY (article_id=? AND label_id=?)"] + label
            }
            return plan + ["SEARCH a USING INTEGER PRIMARY KEY (rowid=?)"]
        }
    }

    @Test("A list uses the order of an index, without sorting or reading bodies", arguments: [false, true])
    func plans(isAnalyzed: Bool) throws {
        let storage = try TemporaryDatabase()
        let database = storage.database
        if isAnalyzed { try database.write { try $0.execute("ANALYZE") } }
        try database.read { snapshot in
            for shape in Self.shapes {
                let statement = shape.statement
                let plan: [String] = try snapshot.query("EXPLAIN QUERY PLAN " + statement.sql, statement.values) {
                    try $0.value(3)
                }
                #expect(
                    plan.map(unnumbered).sorted() == shape.plan.sorted(), "\(shape.testDescription): \(statement.sql)")
            }
        }
    }

    /// Returns a step of a plan without the number that SQLite gives to a subquery.
    private func unnumbered(_ step: String) -> String {
        step.contains("SUBQUERY") ? String(step.prefix { !$0.isNumber }.dropLast()) : step
    }

    @Test("A count uses the narrowest index, or the table if it must check each article", arguments: [false, true])
    func counts(isAnalyzed: Bool) throws {
        let storage = try TemporaryDatabase()
        let database = storage.database
        if isAnalyzed { try database.write { try $0.execute("ANALYZE") } }
        try database.read { snapshot in
            for shape in Self.shapes where shape.cursor == .none {
                let query = shape.query
                let statement = ArticleListStatement(counting: query)
                let plan: [String] = try snapshot.query("EXPLAIN QUERY PLAN " + statement.sql, statement.values) {
                    try $0.value(3)
                }
                let isBounded = query.since != nil || query.until != nil
                let start =
                    query.author != nil || query.tag != nil
                    ? "SEARCH k USING PRIMARY KEY (label_id=?"
                    : query.source != nil
                        ? "SEARCH a USING I#article_by_source_and_date (source_id=?"
                        : query.language != nil
                            ? "SEARCH a USING I#article_by_language_and_date (language=?"
                            : isBounded
                                ? "SEARCH a USING I#article_by_date" : "SCAN article USING I#article_by_date"
                let kind = query.source != nil && query.language != nil ? "INDEX " : "COVERING INDEX "
                let steps = plan.filter { $0.hasPrefix("SEARCH") || $0.hasPrefix("SCAN a") }
                #expect(
                    steps.first?.hasPrefix(start.replacingOccurrences(of: "I#", with: kind)) == true,
                    "\(shape.testDescription): \(plan)")
                if start.contains("source_and_") {
                    #expect(
                        steps.contains {
                            $0.hasPrefix("SEARCH k USING COVERING INDEX article_appearance_by_date (source_id=?")
                        }, "\(shape.testDescription): \(plan)")
                }
                #expect(!plan.contains { $0.contains("body") || $0.contains("TEMP") })
            }
        }
    }

    private func plan(
        _ sql: String, _ values: [Value] = [], in storage: TemporaryDatabase
    ) throws -> [String] {
        try storage.database.read { snapshot in
            try snapshot.query("EXPLAIN QUERY PLAN " + sql, values) { try $0.value(3) }
        }
    }

    @Test("The number of articles of a source or label is known without reading articles")
    func sizes() throws {
        let storage = try TemporaryDatabase()
        #expect(try plan(SourceRow.counts, in: storage) == ["SCAN source_size"])
        for kind in [ArticleLabel.Kind.author, .tag] {
            let plan = try plan(LabelRow.select(kind), ["x"], in: storage)
            #expect(plan.first?.hasPrefix("SEARCH l USING INDEX sqlite_autoindex_label_1 (kind=?)") == true, "\(plan)")
            #expect(plan.contains("SEARCH k USING PRIMARY KEY (label_id=?)"))
            #expect(!plan.contains { $0.contains("TEMP") || $0.hasPrefix("SCAN a") })
        }
        for query in [
            ArticleQuery(), ArticleQuery(source: "s"), ArticleQuery(author: "a"), ArticleQuery(tag: "t"),
        ] {
            for isRead in [nil, false] {
                var query = query
                query.marks = MarkCondition(userID: 1, isRead: isRead)
                let count = try #require(KnownCount(query))
                #expect(
                    try !plan(count.sql, count.values, in: storage).contains {
                        $0.contains("article_mark") && !$0.contains("INDEX article_mark_hidden (user_id=?")
                            || $0.hasPrefix("SCAN a")
                    })
            }
        }
    }

    @Test("The articles that wait for the search index are counted from its queue")
    func waiting() throws {
        let plan = try plan(SearchIndex.countChanged, in: TemporaryDatabase())
        #expect(plan.first == "SCAN q", "\(plan)")
        #expect(plan.last == "SEARCH article USING INTEGER PRIMARY KEY (rowid=?)", "\(plan)")
    }

    @Test("The articles that a source does not keep are found by its index, and due sources by theirs")
    func fetching() throws {
        let storage = try TemporaryDatabase()
        for retention in [Retention.newest(5), .days(5)] {
            let statement = try #require(
                ExpiredArticles(of: 1, keeping: retention, limit: 500, at: Date(timeIntervalSince1970: 0)))
            let plan = try plan(statement.sql, statement.values, in: storage)
            let start = "SEARCH a USING INDEX article_by_source_and_date (source_id=? AND published_at<?)"
            #expect(plan.first == start, "\(plan)")
            // Only the users are few enough to go through all of them.
            #expect(
                plan.allSatisfy { !$0.hasPrefix("SCAN") || $0.hasPrefix("SCAN u ") || $0.hasPrefix("SCAN user") },
                "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP") }, "\(plan)")
        }
        let due = try plan(SQLiteSubscriptionRepository.due, [1, 2], in: storage)
        #expect(due.contains { $0.contains("INDEX subscription_by_next_fetch") }, "\(due)")
    }

    @Test("The rows of a page are looked up by number, slug, or key, each once")
    func together() throws {
        let storage = try TemporaryDatabase()
        for (sql, lookups) in [
            (
                ArticleRow.selectArrived,
                ["SEARCH b USING INTEGER PRIMARY KEY", "SEARCH arrival USING INTEGER PRIMARY KEY"]
            ),
            (ArticleRow.selectSummaries, []),
            (ArticleRow.selectNamed, ["SEARCH article USING COVERING INDEX sqlite_autoindex_article_1 (slug=?)"]),
        ] {
            let plan = try plan(sql, ["[]"], in: storage)
            for lookup in lookups + ["SEARCH a USING INTEGER PRIMARY KEY"] {
                #expect(plan.contains { $0.hasPrefix(lookup) }, "\(plan)")
            }
            #expect(plan.filter { $0.hasPrefix("SCAN") } == ["SCAN j VIRTUAL TABLE INDEX 1:"], "\(plan)")
        }
        let keys = try plan(ArticleRow.selectByKeys, ["[]", 1], in: storage)
        #expect(keys.contains("SEARCH a USING INDEX sqlite_autoindex_article_2 (source_id=? AND key=?)"), "\(keys)")
        let ranges = try plan(SourceRow.ranges, in: storage)
        #expect(
            ranges.filter { $0.hasPrefix("SCAN") } == [
                "SCAN article USING COVERING INDEX article_by_source_and_date",
                "SCAN article_appearance USING COVERING INDEX article_appearance_by_date",
            ] && !ranges.contains { $0.contains("TEMP") }, "\(ranges)")
    }

    /// Each condition on marks, with the lookup of the rows.
    private static let marks: [(MarkCondition, String, String?)] = [
        (
            .init(userID: 1, isRead: false), "SEARCH m USING PRIMARY KEY (user_id=? AND article_id=?)",
            "SEARCH article_mark USING COVERING INDEX article_mark_unread (user_id=? AND article_id<?)"
        ),
        (.init(userID: 1, isRead: true), "SEARCH m USING PRIMARY KEY (user_id=? AND article_id=?)", nil),
        (
            .init(userID: 1, isStarred: true), "SEARCH m USING ",
            "SEARCH article_mark USING COVERING INDEX article_mark_starred (user_id=?)"
        ),
        (
            .init(userID: 1, isReadLater: true), "SEARCH m USING ",
            "SEARCH article_mark USING COVERING INDEX article_mark_later (user_id=?)"
        ),
        (
            .init(userID: 1, isNoted: true), "SEARCH m USING PRIMARY KEY (user_id=? AND article_id=?)",
            "SEARCH article_note USING PRIMARY KEY (user_id=?)"
        ),
        (
            .init(userID: 1, tag: "t"), "SEARCH m USING PRIMARY KEY (tag_id=? AND article_id=?)",
            "SEARCH article_own_tag USING PRIMARY KEY (tag_id=?)"
        ),
    ]

    @Test("A list of marked articles looks up each by its key, in the order of the list", arguments: marks.indices)
    func marked(index: Int) throws {
        let storage = try TemporaryDatabase()
        let (condition, lookup, _) = Self.marks[index]
        for shape in Self.shapes where shape.query.text == nil {
            var query = shape.query
            query.marks = condition
            let statement = Shape(query: query, cursor: shape.cursor).statement
            let plan = try plan(statement.sql, statement.values, in: storage)
            #expect(plan.contains { $0.hasPrefix(lookup) }, "\(shape.testDescription): \(plan)")
            #expect(
                !plan.contains { $0.contains("TEMP") || $0.hasPrefix("SCAN m") }, "\(shape.testDescription): \(plan)")
            let isOfLabel = query.author != nil || query.tag != nil
            #expect(
                plan.contains {
                    $0.hasPrefix(isOfLabel ? "SEARCH k USING PRIMARY KEY (label_id=?" : "SEARCH a USING INDEX")
                        || !isOfLabel && $0.hasPrefix("SCAN a USING INDEX article_by_")
                }, "\(shape.testDescription): \(plan)")
        }
    }

    @Test(
        "A list of few marked articles begins with the marks, and reads each article by number",
        arguments: marks.indices)
    func fewMarked(index: Int) throws {
        let storage = try TemporaryDatabase()
        let (condition, _, seek) = Self.marks[index]
        let criterion = try #require(ArticleQuery(marks: condition).markConditions.first)
        #expect((criterion.candidates == nil) == (seek == nil))
        guard let seek, let candidates = criterion.candidates else { return }
        let count = try plan(candidates.count, candidates.countValues, in: storage)
        #expect(!count.contains { $0.hasPrefix("SCAN a") }, "\(count)")
        for shape in Self.shapes where shape.query.text == nil {
            let position: Cursor.Position =
                shape.query.sort == .title ? .title(key: "k", id: 5) : .date(Date(timeIntervalSince1970: 5), id: 5)
            var query = shape.query
            query.marks = condition
            let statement = ArticleListStatement(query, after: position, limit: 51, from: candidates)
            let plan = try plan(statement.sql, statement.values, in: storage)
            #expect(plan.contains(seek), "\(shape.testDescription): \(plan)")
            #expect(plan.contains("SEARCH a USING INTEGER PRIMARY KEY (rowid=?)"), "\(shape.testDescription): \(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN a") }, "\(shape.testDescription): \(plan)")
        }
    }

    @Test("A search sorts only few articles, and reads no body")
    func searches() throws {
        let storage = try TemporaryDatabase()
        for sort in [ArticleQuery.Sort.newest, .oldest, .title] {
            for (words, start, sorts) in [
                (ArticleListStatement.Words.among("[1,2]"), "SCAN j VIRTUAL TABLE", true),
                (.unchecked, "SCAN a USING INDEX article_by_", false),
            ] {
                let query = ArticleQuery(text: "swift", sort: sort)
                let statement = ArticleListStatement(query, after: nil, limit: 51, words: words)
                let plan: [String] = try storage.database.query(
                    "EXPLAIN QUERY PLAN " + statement.sql, statement.values
                ) { try $0.value(3) }
                #expect(plan.contains { $0.hasPrefix(start) }, "\(plan)")
                #expect(plan.contains { $0.contains("TEMP") } == sorts, "\(plan)")
                #expect(!plan.contains { $0.contains("body") || $0.contains("article_text") }, "\(plan)")
            }
        }
    }

    @Test("The SQL text of a search does not depend on its words, however many there are")
    func constantText() {
        let texts = ["a", "a b", String(repeating: "many words ", count: 10_000), #"'; DROP TABLE article; --"#]
        let statements = texts.map { ArticleListStatement(counting: ArticleQuery(text: $0)) }
        #expect(Set(statements.map(\.sql)).count == 1)
        #expect(statements.allSatisfy { $0.values.count == 1 })
    }
}
