import ArticleStore
import Database
import Foundation
import StoreEngines
import Testing

@Suite("The plans of lists")
struct QueryPlanTests {
    /// Every combination of conditions, orders, and with or without a cursor to go on from or to end at.
    static let shapes: [Shape] = (0..<64).flatMap { bits in
        var query = ArticleQuery()
        if bits & 1 != 0 { query.author = "Ada" }
        if bits & 2 != 0 { query.tag = "swift" }
        if bits & 4 != 0 { query.language = "en" }
        if bits & 8 != 0 { query.since = Date(timeIntervalSince1970: 0) }
        if bits & 16 != 0 { query.until = Date(timeIntervalSince1970: 9) }
        if bits & 32 != 0 { query.text = "swift" }
        return ArticleQuery.Sort.allCases.flatMap { sort in
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
                query.author.map { _ in "author" }, query.tag.map { _ in "tag" },
                query.language.map { _ in "language" }, query.since.map { _ in "since" },
                query.until.map { _ in "until" }, query.text.map { _ in "text" }, "\(cursor.rawValue) a cursor",
                query.sort.rawValue,
            ]
            return conditions.compactMap(\.self).joined(separator: " ")
        }

        /// What SQLite must say it does: where it reads in order, by which bounds it seeks, and how it fetches the
        /// rest.
        var plan: [String] {
            let byTitle = query.sort == .title
            let name = byTitle ? "title_key" : "published_at"
            // Bounds on what the list is in the order of; a date is none in a list by title.
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
            var plan: [String] = []
            if query.author == nil && query.tag == nil {
                let isByLanguage = query.language != nil && query.text == nil
                if isByLanguage { bounds.insert("language=?", at: 0) }
                let index = "article_by_\(isByLanguage ? "language_and_" : "")\(byTitle ? "title" : "date")"
                let seek = bounds.isEmpty ? "" : " (\(bounds.joined(separator: " AND ")))"
                let kind = isByLanguage ? "INDEX" : "COVERING INDEX"
                return ["\(bounds.isEmpty ? "SCAN" : "SEARCH") a USING \(kind) \(index)\(seek)"]
            }
            let kind = query.author == nil ? "tag" : "author"
            bounds.insert("\(kind)_key=?", at: 0)
            let index = byTitle ? "COVERING INDEX article_\(kind)_by_title" : "PRIMARY KEY"
            plan.append("SEARCH k USING \(index) (\(bounds.joined(separator: " AND ")))")
            if query.author != nil && query.tag != nil {
                plan.append("CORRELATED SCALAR SUBQUERY 1")
                plan.append("SEARCH t USING PRIMARY KEY (tag_key=? AND published_at=? AND article_id=?)")
            }
            plan.append("SEARCH a USING INTEGER PRIMARY KEY (rowid=?)")
            return plan
        }
    }

    @Test("seek in the order of the list, sort nothing and touch no body", arguments: [false, true])
    func plans(isAnalyzed: Bool) throws {
        let storage = try TemporaryDatabase()
        let database = storage.database
        if isAnalyzed { try database.write { try $0.execute("ANALYZE") } }
        try database.read { snapshot in
            try snapshot.define(.articleHolds)
            for shape in Self.shapes {
                let statement = shape.statement
                let plan: [String] = try snapshot.query("EXPLAIN QUERY PLAN " + statement.sql, statement.values) {
                    try $0.value(3)
                }
                #expect(plan.sorted() == shape.plan.sorted(), "\(shape.testDescription): \(statement.sql)")
            }
        }
    }

    @Test("of searches count in the index that has the words, or by the key of another condition")
    func counts() throws {
        let storage = try TemporaryDatabase()
        let database = storage.database
        try database.read { snapshot in
            try snapshot.define(.articleHolds)
            for shape in Self.shapes where shape.query.text != nil && shape.cursor == .none {
                let statement = ArticleListStatement(counting: shape.query)
                let plan: [String] = try snapshot.query("EXPLAIN QUERY PLAN " + statement.sql, statement.values) {
                    try $0.value(3)
                }
                let start =
                    shape.query.author == nil && shape.query.tag == nil
                    ? " a USING COVERING INDEX article_by_date" : "SEARCH k USING "
                #expect(plan.first?.contains(start) == true, "\(shape.testDescription): \(plan)")
                #expect(!plan.contains { $0.contains("body") || $0.contains("TEMP") })
            }
        }
    }

    @Test("of the articles of each source read an index once, and no table")
    func sourceCounts() throws {
        let storage = try TemporaryDatabase()
        let plan: [String] = try storage.database.read { snapshot in
            try snapshot.query("EXPLAIN QUERY PLAN " + SourceRow.counts, []) { try $0.value(3) }
        }
        #expect(plan.count == 1)
        #expect(plan.first?.hasPrefix("SCAN article USING COVERING INDEX") == true, "\(plan)")
    }

    @Test("have a text that depends on no word, however many there are")
    func constantText() {
        let texts = ["a", "a b", String(repeating: "many words ", count: 10_000), #"'; DROP TABLE article; --"#]
        let statements = texts.map { ArticleListStatement(ArticleQuery(text: $0), after: nil, limit: 51) }
        #expect(Set(statements.map(\.sql)).count == 1)
        #expect(statements.allSatisfy { $0.values.count == 2 })
    }
}
