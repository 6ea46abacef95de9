/// How labels lie in rows.
package enum LabelRow {
    /// The key of each label of a kind, how many articles have it, and how the latest of these spells the names of the kind.
    ///
    /// - Parameters:
    ///   - kind: of which there are.
    ///   - isRange: whether only of those from a key on, up to another, and at most so many.
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
