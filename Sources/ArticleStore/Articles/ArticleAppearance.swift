public import Text

/// An entry of another source that is the same story as an article. See ``Article/appearances``.
public struct ArticleAppearance: Sendable, Hashable {
    /// A text that differs from the text of the article.
    public struct OwnText: Sendable, Hashable {
        /// The text, in ``format``.
        public var body: String
        /// The format of the text.
        public var format: Article.Format

        /// Creates a text.
        public init(_ body: String, format: Article.Format) { (self.body, self.format) = (body, format) }
    }

    /// The source of the entry.
    public var source: SourceReference
    /// The key of the entry in its source.
    public var key: ExactText
    /// A hash of the source's record of the entry; nil if unknown.
    public var content: UInt64?
    /// The title of the entry.
    public var title: String
    /// The address to which the entry links; nil if it does not link to one.
    public var address: String?
    /// The text of the entry; nil if it is the text of the article.
    public var text: OwnText?

    /// Creates an appearance.
    public init(
        source: SourceReference, key: ExactText, content: UInt64? = nil, title: String, address: String? = nil,
        text: OwnText? = nil
    ) {
        self.source = source
        self.key = key
        self.content = content
        self.title = title
        self.address = address
        self.text = text
    }
}

extension ArticleAppearance {
    /// Creates the appearance of an article as a draft of another source.
    package init(_ draft: ArticleDraft, in source: SourceReference, content: UInt64?, of article: Article) {
        let isSame = draft.format == article.format && draft.body.isIdentical(to: article.body)
        self.init(
            source: source, key: draft.key, content: content, title: draft.title, address: draft.sourceURL,
            text: isSame ? nil : OwnText(draft.body, format: draft.format))
    }
}

extension ArticleWriter {
    /// Takes an article out of its source. If it appears in another source, it moves to the one in which it appeared first,
    /// with its number, its slug, and its marks. Otherwise it is deleted.
    ///
    /// - Parameters:
    ///   - id: the number of the article.
    ///   - forGood: whether imports of the source ignore the article from now on.
    /// - Returns: whether the article was deleted.
    package func removeFromSource(_ id: Int64, forGood: Bool) throws -> Bool {
        guard var old = try article(id: id), let entry = try entry(key: old.key, of: old.source.id) else {
            return try delete(id: id, forGood: forGood)
        }
        // An article that was imported from elsewhere may have the key of an appearance.
        while let first = old.appearances.first, try self.entry(key: first.key, of: first.source.id) != nil {
            try deleteAppearance(in: first.source.id, of: id)
            old.appearances.removeFirst()
        }
        guard let first = old.appearances.first else { return try delete(id: id, forGood: forGood) }
        if forGood { try record(Deletion(key: old.key, content: entry.origin.content), of: old.source.id) }
        try deleteAppearance(in: first.source.id, of: id)
        var new = old
        (new.source, new.key) = (first.source, first.key)
        new.appearances.removeFirst()
        // The text stays until the entry of the other source changes.
        try update(old, to: new, from: ArticleOrigin(content: first.content, isEdited: entry.origin.isEdited))
        return false
    }

    /// Removes a source. Articles that also appear in other sources stay there.
    /// - Returns: the number of deleted articles; nil if the source does not exist.
    func removeSource(_ id: Source.ID) throws -> Int? {
        let deleted = try articlesAppearingElsewhere(from: id).count { try removeFromSource($0, forGood: false) }
        return try deleteSource(id: id).map { $0 + deleted }
    }
}
