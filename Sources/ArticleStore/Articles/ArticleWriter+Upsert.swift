import Essentials
import Text

extension ArticleWriter {
    /// Puts an article in, or changes the one of the same source and key into it.
    ///
    /// A new article is given a slug of its own, which it keeps: that of the draft, or, where another article has that, the
    /// same with what tells the two apart. A draft without a date of publication keeps the one that the article has, and is
    /// of this moment where it is new. One without a date of change has that of its publication where it is new, and of this
    /// moment where it changes.
    ///
    /// - Parameters:
    ///   - draft: the article, with its key.
    ///   - source: where it comes from.
    ///   - content: a hash of the record that it was made from. Where it is the one of the last time, the article is left as it
    ///     is.
    ///   - isEdit: whether it was changed elsewhere than in its source, such as in an export: imports from there then keep it.
    ///   - overwritesEdits: whether what was changed or deleted here gives way to what is there.
    ///   - renamed: asked where the key is new: the number of the article of the source that had another and is meant; nil for
    ///     none.
    public func upsert(
        _ draft: ArticleDraft, into source: Source, content: UInt64? = nil, isEdit: Bool = false,
        overwritesEdits: Bool = false, renamed: () throws -> Int64? = { nil }
    ) throws -> Upsert {
        if let entry = try entry(key: draft.key, of: source.id) {
            let givesWay = entry.origin.isEdited && overwritesEdits
            if let content, entry.origin.content == content, !givesWay {
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
        if let entry = try earlierArticle(of: draft) {
            return try replace(entry, by: draft, of: source, content, isEdit: isEdit, overwritesEdits)
        }
        if let deletion = try deletion(key: draft.key, of: source.id) {
            guard overwritesEdits else {
                if deletion.content != content { try note(Deletion(key: draft.key, content: content), of: source.id) }
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
            // It is known by what it is called in its source, whatever it says.
            if new.key != old.key {
                var kept = old
                kept.key = new.key
                try forgetDeletion(key: new.key, of: source.id)
                try update(old, to: kept, from: entry.origin)
            }
            return Upsert(id: old.id, outcome: .kept)
        }
        // The key of one that was deleted is that of another now.
        if new.key != old.key { try forgetDeletion(key: new.key, of: source.id) }
        try update(old, to: new, from: origin)
        return Upsert(id: old.id, outcome: .updated)
    }

    /// The article that is meant, where it was in the library before sources were known.
    private func earlierArticle(of draft: ArticleDraft) throws -> ArticleEntry? {
        guard let (id, source) = try holder(ofSlug: draft.slug),
            try sources().contains(where: { $0.id == source && $0.kind == .earlier })
        else { return nil }
        return ArticleEntry(id: id, origin: ArticleOrigin())
    }
}
