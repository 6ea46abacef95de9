package import ArticleStore

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
