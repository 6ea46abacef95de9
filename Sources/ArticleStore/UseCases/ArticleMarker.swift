package import Text

/// Reads and changes the marks of a user.
package struct ArticleMarker: Sendable {
    let articles: any ArticleRepository
    let marks: any MarkRepository
    /// The ID of the user whose marks these are.
    package let userID: Int64
    let refusal: (any Error)?
    let clock: @Sendable () -> Date

    /// Creates a marker for a user.
    /// - Parameters:
    ///   - articles: the library.
    ///   - marks: the marks.
    ///   - userID: the ID of the user.
    ///   - refusal: the error for a caller that may only read the marks; nil for one that may change them.
    ///   - clock: returns the present time.
    package init(
        articles: any ArticleRepository, marks: any MarkRepository, userID: Int64, refusal: (any Error)?,
        clock: @escaping @Sendable () -> Date
    ) {
        (self.articles, self.marks, self.userID) = (articles, marks, userID)
        (self.refusal, self.clock) = (refusal, clock)
    }

    /// Whether the caller may change the marks.
    package var mayChange: Bool { refusal == nil }

    /// Returns an article.
    ///
    /// - Throws: ``ArticleError/noArticle(_:)``, and the errors of the repository.
    package func article(_ reference: ArticleReference) async throws -> Article {
        try await articles.existingArticle(reference)
    }

    /// Returns the marks of articles by their numbers, without those of unknown articles.
    ///
    /// - Throws: the errors of the repository.
    package func marks(of articles: [Int64]) async throws -> [Int64: ArticleMarks] {
        articles.isEmpty ? [:] : try await marks.marks(of: articles, by: userID)
    }

    /// Returns the marks of an article.
    ///
    /// - Throws: the errors of the repository.
    package func marks(of article: Article) async throws -> ArticleMarks {
        try await marks(of: [article.id])[article.id] ?? ArticleMarks()
    }

    /// Changes the marks of articles in one transaction.
    ///
    /// - Returns: the sum of the numbers of articles that each change affected.
    /// - Throws: ``SourceError/noSource(_:similar:)`` if a query names a source that does not exist; the refusal,
    ///   `MarkError`, and the errors of the repositories.
    @discardableResult
    package func change(_ changes: [MarkChange], of articles: ArticleSelection) async throws -> Int {
        if let refusal { throw refusal }
        if case .query(let query) = articles, let name = query.source {
            _ = try await self.articles.existingSource(named: name)
        }
        return try await marks.change(changes, of: articles, by: userID, at: clock())
    }

    /// Changes the marks of an article depending on its present marks, in one transaction.
    ///
    /// - Returns: the number of changes that had an effect.
    /// - Throws: the refusal, `MarkError`, the errors of `changes`, and those of the repository.
    @discardableResult
    package func change(_ article: Int64, as changes: (ArticleMarks) throws -> [MarkChange]) async throws -> Int {
        if let refusal { throw refusal }
        return try await marks.change(article, by: userID, at: clock(), as: changes)
    }

    /// Merges marks that the user set elsewhere. See ``MarkRepository/merge(_:by:at:)``.
    ///
    /// - Throws: the refusal, and the errors of the repository.
    package func merge(_ others: [Int64: ArticleMarks]) async throws -> MarkMerge {
        if let refusal { throw refusal }
        return try await marks.merge(others, by: userID, at: clock())
    }

    /// Changes a mark of named articles.
    ///
    /// - Returns: the number of articles that the change affected.
    /// - Throws: ``ArticleError`` before any article is changed; the refusal, and the errors of the repositories.
    package func change(_ change: MarkChange, of references: [ArticleReference]) async throws -> Int {
        let summaries = try await articles.existingSummaries(of: references)
        return try await self.change([change], of: .ids(summaries.map(\.id)))
    }

    /// Changes a mark of all articles of a list.
    ///
    /// - Returns: the number of articles that the change affected.
    /// - Throws: ``SourceError/noSource(_:similar:)``, the refusal, and the errors of the repositories.
    package func change(_ change: MarkChange, of query: ArticleQuery) async throws -> Int {
        try await self.change([change], of: .query(query.withMarks(ofUser: userID)))
    }

    /// Marks a shown article as read. If it is already read, or the caller may not change marks, nothing is written.
    package func markRead(_ reference: ArticleReference) async throws {
        guard mayChange, let article = try await articles.summaries(of: [reference])[reference],
            try await marks(of: [article.id])[article.id]?.read.value != true
        else { return }
        try await change([.read(true)], of: .ids([article.id]))
    }

    /// Saves the reading position in an article, in thousandths; nil for the beginning. If the article was deleted,
    /// nothing is saved.
    ///
    /// - Throws: the errors of the repositories.
    package func saveReadingPosition(_ position: Int?, in reference: ArticleReference) async throws {
        guard let article = try await articles.summaries(of: [reference])[reference],
            try await marks(of: [article.id])[article.id]?.readingPosition.value != position
        else { return }
        try await change([.readingPosition(position)], of: .ids([article.id]))
    }
}

extension ArticleMarks {
    /// Returns the changes that replace the user's own tags. Tags are removed before others are added, so that the
    /// limit of tags is not exceeded in between.
    package func changes(replacingTagsBy wanted: [TagName]) -> [MarkChange] {
        let present = tags.map(\.value)
        var added: [TagName] = []
        for tag in wanted where !present.contains(tag) && !added.contains(tag) { added.append(tag) }
        return present.filter { !wanted.contains($0) }.map { .tag($0, false) } + added.map { .tag($0, true) }
    }
}

extension ArticleQuery {
    /// Returns the query with its conditions on marks applied to the marks of this user.
    package func withMarks(ofUser userID: Int64?) -> ArticleQuery {
        var query = self
        query.marks.userID = userID
        return query
    }
}
