package import ArticleStore
package import Database
package import Text

/// The marks in the tables `article_mark`, `article_note`, `own_tag`, and the tables with counts.
package struct SQLiteMarkRepository: MarkRepository {
    let database: LibraryFile

    /// Creates a repository of the marks in `database`.
    package init(database: Database) { self.database = LibraryFile(database) }

    /// Returns the marks that a user gave articles. See `MarkRepository`.
    package func marks(of articles: [Int64], by user: Int64) async throws -> [Int64: ArticleMarks] {
        try database.read { try MarkRow.marks(of: articles, by: user, in: $0) }
    }

    /// Returns the articles with marks of a user. See `MarkRepository`.
    package func markedArticles(by user: Int64, after article: Int64, limit: Int) async throws -> [Int64] {
        try database.query(MarkRow.selectMarked, [Value(user), Value(article), Value(limit)]) { try $0.value(0) }
    }

    /// Changes the marks of articles. See `MarkRepository`.
    /// - Throws: `MarkError.noteIsTooLong`, `MarkError.tooManyTags`, `MarkError.tooManyOwnTags`, `StoreError`.
    @discardableResult
    package func change(
        _ changes: [MarkChange], of articles: ArticleSelection, by user: Int64, at time: Date
    ) async throws -> Int {
        try await write(by: user) {
            try MarkWriter(transaction: $0, user: user, time: time).make(changes, of: articles)
        } ?? 0
    }

    /// Changes the marks of an article depending on its present marks. See `MarkRepository`.
    /// - Throws: `MarkError.noteIsTooLong`, `MarkError.tooManyTags`, `MarkError.tooManyOwnTags`, `StoreError`;
    ///   the errors of `changes`.
    @discardableResult
    package func change(
        _ article: Int64, by user: Int64, at time: Date, as changes: (ArticleMarks) throws -> [MarkChange]
    ) async throws -> Int {
        try await write(by: user) { transaction in
            guard let marks = try MarkRow.marks(of: [article], by: user, in: transaction)[article] else { return 0 }
            return try MarkWriter(transaction: transaction, user: user, time: time)
                .make(changes(marks), of: .ids([article]))
        } ?? 0
    }

    /// Merges marks from elsewhere. See `MarkRepository`.
    /// - Throws: `StoreError`.
    @discardableResult
    package func merge(_ marks: [Int64: ArticleMarks], by user: Int64, at now: Date) async throws -> MarkMerge {
        try await write(by: user) { transaction in
            let own = try MarkRow.marks(of: Array(marks.keys), by: user, in: transaction)
            var plan = MarkMergePlan(marks, into: own, now: now)
            func make(_ step: MarkMergePlan.Step) throws {
                _ = try MarkWriter(transaction: transaction, user: user, time: step.time)
                    .make(step.change, of: .ids(step.articles))
            }
            for step in plan.firstSteps { try make(step) }
            let tags = plan.givesTags ? try MarkRow.ownTags(of: user, in: transaction) : []
            for step in plan.tagSteps(addingTo: tags) { try make(step) }
            for step in plan.confirmations {
                try MarkWriter(transaction: transaction, user: user, time: step.time)
                    .confirm(step.change, of: .ids(step.articles))
            }
            return plan.result
        } ?? MarkMerge()
    }

    /// Runs `body` in a transaction; does nothing and returns nil if the user does not exist.
    func write<T: Sendable>(by user: Int64, _ body: (Transaction) throws -> T) async throws -> T? {
        try await database.write { transaction in
            let isThere = try transaction.first("SELECT 1 FROM user WHERE id = ?", [Value(user)]) { _ in true }
            return isThere == true ? try body(transaction) : nil
        }
    }

    /// Returns the number of articles with each mark of a user. See `MarkRepository`.
    package func counts(of user: Int64) async throws -> MarkCounts {
        try database.read { snapshot in
            var counts = MarkCounts()
            try snapshot.forEach(MarkRow.counts, [Value(user)]) { row in
                counts.unread = try row.value(0)
                counts.starred = try row.value(1)
                counts.later = try row.value(2)
                counts.noted = try row.value(3)
                counts.hidden = try row.value(4)
            }
            try snapshot.forEach(MarkRow.tagCounts, [Value(user)]) { row in
                let articles: Int = try row.value(1)
                if articles > 0 { counts.tags.append(.init(TagName(stored: try row.value(0)), articles: articles)) }
            }
            return counts
        }
    }

    /// Returns the lists that a user reads from.
    static func outline(of user: Int64, sources limit: Int, in snapshot: Snapshot) throws -> ReadingOutline {
        let counts = try snapshot.first(MarkRow.unreadCounts, [Value(user)]) { row in
            (unread: try row.value(0) as Int, starred: try row.value(1) as Int)
        }
        return ReadingOutline(
            unread: counts?.unread ?? 0, unreadStarred: counts?.starred ?? 0,
            searches: try savedSearches(of: user, in: snapshot),
            sources: try snapshot.query(MarkRow.sourceProgress, [Value(user), Value(limit)]) { row in
                ReadingOutline.Source(try row.value(0), unread: try row.value(1))
            })
    }

    /// Returns the number of unread articles with each of a user's own tags. See `MarkRepository`.
    /// - Throws: `StoreError`.
    package func tagProgress(of user: Int64) async throws -> [TagProgress] {
        try database.query(MarkRow.tagProgress, [Value(user)]) { row in
            TagProgress(TagName(stored: try row.value(0)), unread: try row.value(1), newest: try row.value(2))
        }
    }

    /// Returns the number of articles that a user has read, for each source, author, and tag. See `MarkRepository`.
    package func readCounts(of user: Int64) async throws -> ReadCounts {
        try database.read { snapshot in
            var counts = ReadCounts()
            try snapshot.forEach(MarkRow.sourcesRead, [Value(user)]) {
                counts.sources[try $0.value(0)] = try $0.value(1)
            }
            try snapshot.forEach(MarkRow.labelsRead, [Value(user)]) { row in
                let (key, articles): (String, Int) = (try row.value(1), try row.value(2))
                if try row.value(0) == "author" { counts.authors[key] = articles } else { counts.tags[key] = articles }
            }
            return counts
        }
    }

    /// Returns the number of articles that a user marked as read on each day. See `MarkRepository`.
    package func readDays(of user: Int64) async throws -> [Int: Int] {
        let days = try database.query(MarkRow.days, [Value(user)]) { (try $0.value(0) as Int, try $0.value(1) as Int) }
        return Dictionary(days) { first, _ in first }
    }

    /// Returns the number of the last article up to which a user has marked everything as read (0 if as unread), and
    /// the time; nil if that never happened.
    static func allRead(by user: Int64, in connection: some Queryable) throws -> (upTo: Int64, changed: Date)? {
        try connection.first("SELECT up_to, changed_at FROM all_read WHERE user_id = ?", [Value(user)]) { row in
            (try row.value(0), try row.value(1))
        }
    }
}

extension SQLiteMarkRepository: MarkLog {
    /// Returns the marks that a user changed. See `MarkLog.changes(of:after:limit:)`.
    /// - Throws: `StoreError`.
    package func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges {
        let limit = ArticlePage.size(limit)
        return try database.read { snapshot in
            let rows = try snapshot.query(
                """
                SELECT sequence, article_id FROM mark_change WHERE user_id = ? AND sequence > ? ORDER BY sequence LIMIT ?
                """, [Value(user), Value(position), Value(limit + 1)]
            ) { (sequence: try $0.value(0) as Int64, article: try $0.value(1) as Int64) }
            let known = rows.prefix(limit)
            var changes = MarkChanges(position: known.last?.sequence ?? position)
            changes.marks = try MarkRow.marks(of: known.map(\.article), by: user, in: snapshot)
            changes.allRead = try Self.allRead(by: user, in: snapshot).map { .init(upTo: $0.upTo, changed: $0.changed) }
            changes.goesOn = rows.count > limit
            return changes
        }
    }
}
