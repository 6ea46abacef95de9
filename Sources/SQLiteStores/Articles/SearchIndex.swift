import ArticleStore
import Database
import Text

/// The search index, and how it is updated after changes of articles.
///
/// New articles have higher numbers than the last indexed article. For changed and deleted articles, triggers record
/// the earlier content. A step indexes some of them. Each write includes a small step, so a user's change can be found
/// at once. The rest of a large import is indexed by further steps in other transactions.
package struct SearchIndex {
    /// The maximum amount of work in a step.
    struct StepBudget {
        var articles: Int
        var bytes: Int

        /// The step that is part of each write: a few hundredths of a second.
        static let small = StepBudget(articles: 256, bytes: 2 << 20)
        /// The step for which other writers wait.
        static let large = StepBudget(articles: 4096, bytes: 16 << 20)
    }

    let transaction: Transaction

    /// Indexes as much as a step allows, changed articles first.
    func advance(_ budget: StepBudget) throws {
        var rest = budget
        var end = try Self.end(in: transaction)
        if end == nil {
            try clear()
            end = 0
        }
        try indexChanges(&rest)
        guard rest.articles > 0, rest.bytes > 0, let end else { return }
        try indexNewArticles(after: end, &rest)
        guard rest.articles > 0, rest.bytes > 0, rest.articles < budget.articles else { return }
        _ = try merge(pages: 16)
    }

    /// The tables of FTS5.
    private static let tables = ["article_text", "article_name"]

    /// Merges segments of the index, where at least eight have about the same size. Each commit writes a segment, and a
    /// search reads all of them.
    ///
    /// - Parameter pages: the number of pages to write, each of 4 KB.
    /// - Returns: whether there may be more to merge.
    func merge(pages: Int = 2048) throws -> Bool {
        var mayHaveMore = false
        for table in Self.tables {
            let before = transaction.changeCount
            try transaction.run("INSERT INTO \(table) (\(table), rank) VALUES ('merge', ?)", [Value(pages)])
            // Fewer than two changes mean that nothing was merged. Source: <https://www.sqlite.org/fts5.html#the_merge_command>.
            if transaction.changeCount - before >= 2 { mayHaveMore = true }
        }
        return mayHaveMore
    }

    /// Indexes as much as a step allows. If the index is damaged, it is emptied and built again, so that writes still
    /// succeed.
    func advanceOrClear(_ budget: StepBudget) throws {
        do {
            try transaction.savepoint { try advance(budget) }
        } catch DatabaseError.damaged {
            try clear()
        }
    }

    /// Returns the number of the last indexed article; nil if the index was built with other rules.
    static func end(in connection: some Queryable) throws -> Int64? {
        try connection.first("SELECT version, indexed_to FROM search_state") { row -> Int64? in
            try row.value(0) == SearchWords.version ? try row.value(1) : nil
        } ?? nil
    }

    /// Returns the number of articles that searches cannot find in their present form. Deleted articles do not count,
    /// because searches omit them anyway.
    static func unsearchedCount(in connection: some Queryable) throws -> Int {
        try backlog(in: connection, changed: countChanged)
    }

    /// Counts the articles that have changed since they were indexed. For `IN (SELECT id FROM article)`, SQLite would look up
    /// each article of the library in the queue.
    package static let countChanged =
        "SELECT count(*) FROM search_queue AS q WHERE EXISTS (SELECT 1 FROM article WHERE id = q.article_id)"

    /// Returns the number of articles that must still be added to the index or removed from it.
    static func backlog(in connection: some Queryable) throws -> Int {
        try backlog(in: connection, changed: "SELECT count(*) FROM search_queue")
    }

    private static func backlog(in connection: some Queryable, changed sql: String) throws -> Int {
        let end = try end(in: connection)
        let changed: Int = end == nil ? 0 : try connection.first(sql) { try $0.value(0) } ?? 0
        let last: Int64 = try connection.first("SELECT ifnull(max(id), 0) FROM article") { try $0.value(0) } ?? 0
        guard last > end ?? 0 else { return changed }
        let new: Int =
            try connection.first("SELECT count(*) FROM article WHERE id > ?", [Value(end ?? 0)]) { try $0.value(0) }
            ?? 0
        return changed + new
    }

    /// Rebuilds the index from the articles.
    func rebuild() throws {
        try clear()
        repeat { try advance(.large) } while try Self.backlog(in: transaction) > 0
        while try merge() {}
    }

    /// Empties the index. All articles then wait to be indexed.
    func clear() throws {
        for table in Self.tables {
            try transaction.run("INSERT INTO \(table) (\(table)) VALUES ('delete-all')")
            // By default, FTS5 merges 4 segments as soon as they exist. A large import would write the index several
            // times, so merge only after it (`merge(pages:)`), unless there are many segments.
            try transaction.run("INSERT INTO \(table) (\(table), rank) VALUES ('automerge', 64)")
            try transaction.run("INSERT INTO \(table) (\(table), rank) VALUES ('crisismerge', 128)")
            try transaction.run("INSERT INTO \(table) (\(table), rank) VALUES ('usermerge', 8)")
        }
        try transaction.run("DELETE FROM search_queue")
        try transaction.run(
            "INSERT OR REPLACE INTO search_state (id, version, indexed_to) VALUES (1, ?, 0)",
            [Value(SearchWords.version)])
    }

    /// Whether the index contains exactly the indexed articles and their words. It may not, because another program can
    /// write without the triggers. Articles that have changed since are in the index in their earlier form.
    static func agrees(in snapshot: Snapshot) throws -> Bool {
        do {
            return try hasCounts(in: snapshot) && hasWords(in: snapshot)
        } catch DatabaseError.damaged {
            return false
        }
    }

    private static func hasWords(in snapshot: Snapshot) throws -> Bool {
        struct Differs: Error {}
        guard let end = try end(in: snapshot) else { return true }
        var expected = IndexedWords()
        do {
            try snapshot.forEach(Self.indexed, [Value(end)]) { row in
                // The index of names has only the first three columns.
                let sizes = expected.add(try text(row).text)
                let (text, name): ([UInt8]?, [UInt8]?) = (try row.value(8), try row.value(9))
                guard text == Array(sizes.joined()), name == Array(sizes.prefix(3).joined()) else { throw Differs() }
            }
        } catch is Differs {
            return false
        }
        return try words(of: "article_text", in: snapshot).sums == expected.sums
            && words(of: "article_name", in: snapshot).sums.prefix(3) == expected.sums.prefix(3)
    }

    /// Selects the texts that should be in the index, and the number of words in each column of the index.
    private static let indexed = """
        SELECT t.*, (SELECT sz FROM article_text_docsize WHERE id = t.id),
            (SELECT sz FROM article_name_docsize WHERE id = t.id)
        FROM (
            \(select) WHERE a.id <= ?1 AND a.id NOT IN (SELECT article_id FROM search_queue)
            UNION ALL SELECT article_id, title, authors, tags, summary, language, format, body FROM search_queue
        ) AS t
        """

    private static func words(of table: String, in snapshot: Snapshot) throws -> IndexedWords {
        let columns: [String: IndexedText.Column] = [
            "title": .title, "authors": .authors, "tags": .tags, "summary": .summary, "body": .body,
        ]
        var words = IndexedWords()
        let name = "temp.\(table)_words"
        try snapshot.makeTemporary("CREATE VIRTUAL TABLE IF NOT EXISTS \(name) USING fts5vocab(main, \(table), col)")
        try snapshot.forEach("SELECT term, col, cnt FROM \(name)") { row in
            guard let column = columns[try row.value(1)] else { return }
            words.add(try row.utf8(0), in: column, count: try row.value(2))
        }
        return words
    }

    private static func hasCounts(in snapshot: Snapshot) throws -> Bool {
        guard let end = try end(in: snapshot) else { return true }
        let counts: [Int]? = try snapshot.first(
            """
            SELECT (SELECT count(*) FROM article_text_docsize), (SELECT count(*) FROM article_name_docsize),
                (SELECT count(*) FROM article WHERE id <= ?1)
                + (SELECT count(*) FROM search_queue WHERE article_id NOT IN (SELECT id FROM article)),
                (SELECT count(*) FROM search_queue WHERE article_id > ?1)
            """, [Value(end)]
        ) { row in try (0..<4).map { try row.value($0) } }
        return counts.map { $0[0] == $0[2] && $0[1] == $0[2] && $0[3] == 0 } ?? false
    }

    // MARK: Steps

    private func indexChanges(_ rest: inout StepBudget) throws {
        let old = try texts(
            """
            SELECT article_id, title, authors, tags, summary, language, format, body FROM search_queue
            ORDER BY article_id LIMIT ?
            """,
            [Value(rest.articles)], &rest)
        for (id, text) in old {
            try run(.delete, id, text)
            let now = try transaction.first(Self.select + " WHERE a.id = ?", [Value(id)], Self.text)
            if let now { try run(.insert, id, now.text) }
            try transaction.run("DELETE FROM search_queue WHERE article_id = ?", [Value(id)])
        }
    }

    private func indexNewArticles(after end: Int64, _ rest: inout StepBudget) throws {
        let new = try texts(
            Self.select + " WHERE a.id > ? ORDER BY a.id LIMIT ?", [Value(end), Value(rest.articles)], &rest)
        for (id, text) in new { try run(.insert, id, text) }
        guard let last = new.last?.id else { return }
        try transaction.run("UPDATE search_state SET indexed_to = ?", [Value(last)])
    }

    private static let select = """
        SELECT a.id, a.title, a.authors, a.tags, a.summary, a.language, ifnull(b.format, 'plain'), ifnull(b.body, '')
        FROM article AS a LEFT JOIN article_body AS b ON b.article_id = a.id
        """

    private struct Enough: Error {}

    /// Returns the next texts for a step. All are read before anything is written, because a statement must not read a
    /// table while it is changed.
    private func texts(
        _ sql: String, _ values: [Value], _ rest: inout StepBudget
    ) throws -> [(id: Int64, text: IndexedText)] {
        var found: [(id: Int64, text: IndexedText)] = []
        do {
            try transaction.forEach(sql, values) { row in
                found.append(try Self.text(row))
                rest.articles -= 1
                rest.bytes -= try row.utf8(7).count
                if rest.bytes <= 0 { throw Enough() }
            }
        } catch is Enough {}
        return found
    }

    private static func text(_ row: Row) throws -> (id: Int64, text: IndexedText) {
        let text = IndexedText(
            title: try row.value(1), authors: ArticleRow.names(try row.utf8(2)),
            tags: ArticleRow.names(try row.utf8(3)), summary: try row.value(4),
            language: try row.value(5), body: try row.value(7),
            format: try row.value(6) { Article.Format(rawValue: $0) })
        return (try row.value(0), text)
    }

    private enum Change { case insert, delete }

    private func run(_ change: Change, _ id: Int64, _ text: IndexedText) throws {
        let values = [Value(id)] + text.columns.map { Value($0) }
        let names = Array(values.prefix(4))
        switch change {
        case .insert:
            try transaction.run(
                "INSERT INTO article_text (rowid, title, authors, tags, summary, body) VALUES (?, ?, ?, ?, ?, ?)",
                values)
            try transaction.run("INSERT INTO article_name (rowid, title, authors, tags) VALUES (?, ?, ?, ?)", names)
        case .delete:
            try transaction.run(
                """
                INSERT INTO article_text (article_text, rowid, title, authors, tags, summary, body)
                VALUES ('delete', ?, ?, ?, ?, ?, ?)
                """, values)
            try transaction.run(
                "INSERT INTO article_name (article_name, rowid, title, authors, tags) VALUES ('delete', ?, ?, ?, ?)",
                names)
        }
    }
}
