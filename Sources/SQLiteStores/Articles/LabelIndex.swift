package import ArticleStore
internal import Database
internal import Text

/// The tables that find articles by author and tag, in the orders of lists.
struct LabelIndex {
    /// The kind and the key of a label.
    struct Name: Hashable {
        let kind: ArticleLabel.Kind
        let key: String
    }

    let transaction: Transaction

    /// Returns the labels of an article, each once.
    static func names(of article: Article) -> [Name] {
        var names: [Name] = []
        for (kind, texts) in [(ArticleLabel.Kind.author, article.authors), (ArticleLabel.Kind.tag, article.tags)] {
            for text in texts {
                let name = Name(kind: kind, key: SearchText.fold(text))
                if !names.contains(name) { names.append(name) }
            }
        }
        return names
    }

    /// Adds an article that is not in the index.
    func insert(_ article: Article) throws {
        let id = Value(article.id)
        let (published, titleKey) = (Value(article.published), Value(ArticleQuery.titleKey(article.title)))
        for name in Self.names(of: article) {
            let label = Value(try number(of: name))
            try transaction.run("INSERT INTO article_label (article_id, label_id) VALUES (?, ?)", [id, label])
            try transaction.run(
                "INSERT INTO label_by_date (label_id, published_at, article_id) VALUES (?, ?, ?)",
                [label, published, id])
            try transaction.run(
                "INSERT INTO label_by_title (label_id, title_key, article_id) VALUES (?, ?, ?)", [label, titleKey, id])
        }
    }

    /// Rebuilds the index from the articles.
    func rebuild() throws {
        for table in ["article_label", "label_by_title", "label_by_date", "label"] {
            try transaction.run("DELETE FROM \(table)")
        }
        // Read all numbers first, because a statement must not read a table while it is changed.
        let ids: [Int64] = try transaction.query("SELECT id FROM article ORDER BY id") { try $0.value(0) }
        for id in ids {
            guard let article = try transaction.first(ArticleRow.selectByID, [Value(id)], ArticleRow.article) else {
                continue
            }
            try transaction.run(
                "UPDATE article SET title_key = ? WHERE id = ?",
                [Value(ArticleQuery.titleKey(article.title)), Value(id)])
            try insert(article)
        }
    }

    /// Whether the index contains an article with its present labels.
    static func agrees(with article: Article, titleKey: String, in snapshot: Snapshot) throws -> Bool {
        guard titleKey == ArticleQuery.titleKey(article.title) else { return false }
        var missing = Set(names(of: article))
        var isRight = true
        try snapshot.forEach(found, [Value(article.id), Value(article.published), Value(titleKey)]) { row in
            let name = Name(kind: try row.value(0) { ArticleLabel.Kind(rawValue: $0) }, key: try row.value(1))
            let isListed: Bool = try row.value(2)
            if missing.remove(name) == nil || !isListed { isRight = false }
        }
        return isRight && missing.isEmpty
    }

    private static let found = """
        SELECT l.kind, l.key, EXISTS (SELECT 1 FROM label_by_date AS d
            WHERE d.label_id = al.label_id AND d.published_at = ?2 AND d.article_id = ?1)
        AND EXISTS (SELECT 1 FROM label_by_title AS t
            WHERE t.label_id = al.label_id AND t.title_key = ?3 AND t.article_id = ?1)
        FROM article_label AS al CROSS JOIN label AS l ON l.id = al.label_id WHERE al.article_id = ?1
        """

    /// Counts the rows in each of the tables that refer to articles, and the labels without articles.
    static let counts = """
        SELECT (SELECT count(*) FROM article_label), (SELECT count(*) FROM label_by_date),
            (SELECT count(*) FROM label_by_title),
            (SELECT count(*) FROM label WHERE NOT EXISTS (SELECT 1 FROM label_by_date WHERE label_id = label.id))
        """

    /// Returns the number of a label, which is created if it does not exist.
    private func number(of name: Name) throws -> Int64 {
        let values = [Value(name.kind.rawValue), Value(name.key)]
        let known: Int64? = try transaction.first("SELECT id FROM label WHERE kind = ? AND key = ?", values) {
            try $0.value(0)
        }
        if let known { return known }
        try transaction.run("INSERT INTO label (kind, key) VALUES (?, ?)", values)
        return transaction.lastInsertedRowID
    }
}

/// The statements for labels.
package enum LabelRow {
    /// Returns the statement that selects all labels of a kind. For each label it gives the key, the number of its
    /// articles, and the spelling of the names in the latest of these articles.
    ///
    /// - Parameters:
    ///   - kind: the kind of labels.
    ///   - isRange: whether to select only labels in a range of keys, and only up to a limit.
    package static func select(_ kind: ArticleLabel.Kind, isRange: Bool = false) -> String {
        """
        SELECT l.key, l.articles, (
            SELECT a.\(kind == .author ? "authors" : "tags")
            FROM label_by_date AS k CROSS JOIN article AS a ON a.id = k.article_id WHERE k.label_id = l.id
            ORDER BY k.published_at DESC, k.article_id DESC LIMIT 1)
        FROM label AS l WHERE l.kind = ?\(isRange ? " AND l.key >= ? AND l.key < ?" : "") ORDER BY l.key\(isRange ? " LIMIT ?" : "")
        """
    }
}
