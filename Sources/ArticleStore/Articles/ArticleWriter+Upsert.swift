import Text

extension ArticleWriter {
    /// Adds an article, or replaces the article with the same source and key.
    ///
    /// An existing article keeps its number, so the marks of its readers stay.
    ///
    /// A new article gets a slug, which it keeps: the slug of the draft or, if another article has that, the slug with
    /// an addition that distinguishes the two. If the draft does not have a date of publication, an existing article
    /// keeps its date, and a new article gets the present time. If the draft does not have a date of change, a new
    /// article gets the date of its publication, and a changed article gets the present time.
    ///
    /// - Parameters:
    ///   - draft: the article, with its key.
    ///   - source: its source.
    ///   - content: a hash of the record of the draft. If it is the same as at the last import, the article stays
    ///     unchanged.
    ///   - isEdit: whether the draft was changed outside its source, for example in an export. Imports from the source
    ///     then keep the change.
    ///   - overwritesEdits: whether the draft also replaces an article that was edited or deleted in the library.
    ///   - renamed: called if the key is new. It returns the number of an article of the source whose key has changed
    ///     to this key; nil if the article is new.
    public func upsert(
        _ draft: ArticleDraft, into source: Source, content: UInt64? = nil, isEdit: Bool = false,
        overwritesEdits: Bool = false, renamed: () throws -> Int64? = { nil }
    ) throws -> Upsert {
        if let entry = try entry(key: draft.key, of: source.id) {
            let replacesEdit = entry.origin.isEdited && overwritesEdits
            if let content, entry.origin.content == content, !replacesEdit {
                return Upsert(id: entry.id, outcome: .unchanged)
            }
            return try replace(entry, by: draft, of: source, content, isEdit: isEdit, overwritesEdits)
        }
        if let renamed = try renamed(), let old = try article(id: renamed), old.source.id == source.id,
            let entry = try entry(key: old.key, of: source.id)
        {
            let upsert = try replace(entry, by: draft, of: source, content, isEdit: isEdit, overwritesEdits)
            return upsert.outcome == .updated ? Upsert(id: entry.id, outcome: .renamed) : upsert
        }
        if let entry = try articleWithoutSource(of: draft) {
            return try replace(entry, by: draft, of: source, content, isEdit: isEdit, overwritesEdits)
        }
        if let deletion = try deletion(key: draft.key, of: source.id) {
            guard overwritesEdits else {
                if deletion.content != content { try record(Deletion(key: draft.key, content: content), of: source.id) }
                return Upsert(id: 0, outcome: .deleted)
            }
            try forgetDeletion(key: draft.key, of: source.id)
        }
        let slug = try SlugChoice(draft, source: source.name, mayBeNumber: isEdit).first {
            try holder(ofSlug: $0) == nil
        }
        let article = draft.article(id: 0, source: source.reference, slug: slug, now: now)
        return Upsert(id: try insert(article, from: ArticleOrigin(content: content)), outcome: .inserted)
    }

    private func replace(
        _ entry: ArticleEntry, by draft: ArticleDraft, of source: Source, _ content: UInt64?, isEdit: Bool,
        _ overwritesEdits: Bool
    ) throws -> Upsert {
        guard let old = try article(id: entry.id) else { return Upsert(id: entry.id, outcome: .unchanged) }
        let new = draft.article(replacing: old, source: source.reference, now: now)
        let origin =
            isEdit ? ArticleOrigin(content: entry.origin.content, isEdited: true) : ArticleOrigin(content: content)
        if new.isIdentical(to: old) {
            if !isEdit, entry.origin != origin { try update(ArticleEntry(id: old.id, origin: origin)) }
            return Upsert(id: old.id, outcome: .unchanged)
        }
        if entry.origin.isEdited, !isEdit, !overwritesEdits {
            // The article keeps its edits, but its key must follow the source.
            if new.key != old.key {
                var kept = old
                kept.key = new.key
                try forgetDeletion(key: new.key, of: source.id)
                try update(old, to: kept, from: entry.origin)
            }
            return Upsert(id: old.id, outcome: .kept)
        }
        // Forget a deletion with the new key: the key now belongs to this article.
        if new.key != old.key { try forgetDeletion(key: new.key, of: source.id) }
        try update(old, to: new, from: origin)
        return Upsert(id: old.id, outcome: .updated)
    }

    /// Returns the article with the slug of the draft if it does not have a source yet (`Source.Kind.earlier`).
    private func articleWithoutSource(of draft: ArticleDraft) throws -> ArticleEntry? {
        guard let (id, source) = try holder(ofSlug: draft.slug),
            try self.source(id: source)?.kind == .earlier
        else { return nil }
        return ArticleEntry(id: id, origin: ArticleOrigin())
    }
}

/// The outcome of adding or replacing an article.
public struct Upsert: Sendable, Hashable {
    /// The kinds of outcomes.
    public enum Outcome: Sendable, Hashable {
        /// The key was new in its source, and the article was added.
        case inserted
        /// The article with that key was replaced.
        case updated
        /// The article has a new key and is otherwise unchanged.
        case renamed
        /// The article with that key was the same already, or its record was.
        case unchanged
        /// The article was edited in the library, and its record has changed too. The edited article stays.
        case kept
        /// The article was deleted in the library for good, and was not added again. It does not have a number.
        case deleted
    }

    /// The number of the article; 0 if the article was deleted.
    public var id: Int64
    /// The kind of the outcome.
    public var outcome: Outcome

    /// Creates an outcome.
    public init(id: Int64, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}
