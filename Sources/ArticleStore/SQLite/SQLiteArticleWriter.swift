import Database
import Essentials
import Text

/// Changes articles inside one transaction of SQLite.
struct SQLiteArticleWriter: ArticleWriter {
    let transaction: Transaction
    let clock: @Sendable () -> Date

    func upsert(_ draft: ArticleDraft) throws -> Upsert {
        guard let old = try transaction.first(ArticleRow.selectBySlug, [Value(draft.slug)], ArticleRow.article) else {
            return Upsert(id: try insert(draft), outcome: .inserted)
        }
        let new = draft.article(replacing: old, now: clock())
        if new.isIdentical(to: old) { return Upsert(id: old.id, outcome: .unchanged) }
        try update(old, to: new)
        return Upsert(id: old.id, outcome: .updated)
    }

    func delete(id: Int64) throws -> Bool {
        try transaction.run("DELETE FROM article WHERE id = ?", [Value(id)]) > 0
    }

    private func insert(_ draft: ArticleDraft) throws -> Int64 {
        var article = draft.article(id: 0, now: clock())
        let titleKey = ArticleQuery.titleKey(article.title)
        try transaction.run(
            """
            INSERT INTO article (slug, title, title_key, authors, tags, summary, language, published_at, updated_at,
            reading_minutes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, [Value(article.slug)] + columns(of: article, titleKey))
        article.id = transaction.lastInsertedRowID
        try transaction.run(
            "INSERT INTO article_body (format, source_url, extra, body, article_id) VALUES (?, ?, ?, ?, ?)",
            bodyColumns(of: article))
        try insertKeys(of: article, titleKey)
        return article.id
    }

    private func update(_ old: Article, to new: Article) throws {
        let titleKey = ArticleQuery.titleKey(new.title)
        try transaction.run(
            """
            UPDATE article SET title = ?, title_key = ?, authors = ?, tags = ?, summary = ?, language = ?,
            published_at = ?, updated_at = ?, reading_minutes = ? WHERE id = ?
            """, columns(of: new, titleKey) + [Value(new.id)])
        try transaction.run(
            "UPDATE article_body SET format = ?, source_url = ?, extra = ?, body = ? WHERE article_id = ?",
            bodyColumns(of: new))
        let keysAreSame =
            new.published == old.published && new.title.isIdentical(to: old.title)
            && new.authors.isIdentical(to: old.authors) && new.tags.isIdentical(to: old.tags)
        if keysAreSame { return }
        try transaction.run("DELETE FROM article_author WHERE article_id = ?", [Value(new.id)])
        try transaction.run("DELETE FROM article_tag WHERE article_id = ?", [Value(new.id)])
        try insertKeys(of: new, titleKey)
    }

    private func columns(of article: Article, _ titleKey: String) -> [Value] {
        [
            Value(article.title), Value(titleKey), Value(ArticleRow.text(of: article.authors)),
            Value(ArticleRow.text(of: article.tags)), Value(article.summary), Value(article.language),
            Value(article.published), Value(article.updated), Value(article.readingMinutes),
        ]
    }

    private func bodyColumns(of article: Article) -> [Value] {
        [
            Value(article.format.rawValue), Value(article.sourceURL), Value(article.extra), Value(article.body),
            Value(article.id),
        ]
    }

    private func insertKeys(of article: Article, _ titleKey: String) throws {
        let rest = [Value(article.published), Value(article.id), Value(titleKey)]
        for author in article.authors {
            try transaction.run(
                "INSERT INTO article_author (author_key, published_at, article_id, title_key) VALUES (?, ?, ?, ?)",
                [Value(FoldedKey.fold(author))] + rest)
        }
        for tag in article.tags {
            try transaction.run(
                "INSERT INTO article_tag (tag_key, published_at, article_id, title_key) VALUES (?, ?, ?, ?)",
                [Value(FoldedKey.fold(tag))] + rest)
        }
    }
}
