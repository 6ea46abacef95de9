import Text

/// Why an article was not changed into what somebody made of it.
public enum EditError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is not in the library any more.
    case isGone(Article)
    /// It has changed since it was looked at: this is what it is now.
    case hasChanged(Article)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .isGone(let article): "“\(article.title)” was deleted meanwhile"
        case .hasChanged(let article): "“\(article.title)” was changed meanwhile by somebody else"
        }
    }
}

extension ArticleRepository {
    /// Saves an edit of an article. Imports leave the article as it is from then on, unless they are told to overwrite
    /// edits.
    ///
    /// Number, slug, source and key stay. A draft without a date of publication keeps the one that the article has; the date
    /// of change becomes this moment, unless the draft says one.
    ///
    /// - Parameters:
    ///   - old: the article as it was looked at.
    ///   - draft: what it is to be.
    /// - Returns: what it is now; nil where the draft changes nothing.
    /// - Throws: ``EditError`` where it is not what it was, and what the repository throws.
    public func edit(_ old: Article, into draft: ArticleDraft) async throws -> Article? {
        try await write { writer in
            guard let current = try writer.article(id: old.id),
                let entry = try writer.entry(key: current.key, of: current.source.id)
            else { throw EditError.isGone(old) }
            guard current.isIdentical(to: old) else { throw EditError.hasChanged(current) }
            var draft = draft
            draft.key = old.key
            let new = draft.article(replacing: old, source: old.source, now: writer.now)
            if new.isIdentical(to: old) { return nil }
            try writer.update(old, to: new, from: ArticleOrigin(content: entry.origin.content, isEdited: true))
            return new
        }
    }

    /// Puts in an article that somebody wrote here: always a new one, whatever it is called. Imports leave it as it is, unless
    /// what was changed here is to give way.
    ///
    /// - Parameter draft: the article.
    /// - Parameter source: where it is to be; a source of that name is made where there is none.
    /// - Parameter creation: the request that it is made for. The same once more makes nothing, and is given what it made.
    /// - Throws: ``SourceError/isElsewhere(_:)`` where the source is a folder, a file or a feed; ``CreationError``; and what the
    ///   repository throws.
    public func add(
        _ draft: ArticleDraft, to source: SourceFacts = .library, for creation: Creation? = nil
    ) async throws -> Article {
        try await write { writer in
            if let creation, let made = try writer.made(for: creation.request),
                let article = try writer.article(id: made.article)
            {
                guard made.content == creation.content else { throw CreationError.otherContent }
                return article
            }
            let source = try writer.source(source)
            try source.checkAdding()
            let slug = try SlugChoice(draft, source: source.name).first { try writer.holder(ofSlug: $0) == nil }
            var draft = draft
            draft.key = ExactText(slug)
            var number = 2
            while try writer.entry(key: draft.key, of: source.id) != nil {
                draft.key = "\(slug)#\(number)"
                number += 1
            }
            try writer.forgetDeletion(key: draft.key, of: source.id)
            var article = draft.article(id: 0, source: source.reference, slug: slug, now: writer.now)
            article.id = try writer.insert(article, from: ArticleOrigin(isEdited: true))
            if let creation { try writer.note(creation, made: article.id) }
            return article
        }
    }
}

extension ArticleRepository {
    /// Deletes an article for good, as it was looked at.
    ///
    /// - Throws: ``EditError`` where it is not what it was, and what the repository throws.
    public func delete(_ old: Article) async throws {
        try await write { writer in
            guard let current = try writer.article(id: old.id) else { throw EditError.isGone(old) }
            guard current.isIdentical(to: old) else { throw EditError.hasChanged(current) }
            _ = try writer.delete(id: old.id, forGood: true)
        }
    }

    /// Whether articles can be added to the source of a name, or to a new one where there is none.
    /// - Throws: ``SourceError/isElsewhere(_:)``, and what the repository throws.
    public func checkAdding(to name: String) async throws { try await source(named: name)?.checkAdding() }
}

extension Source {
    /// - Throws: ``SourceError/isElsewhere(_:)``.
    fileprivate func checkAdding() throws(SourceError) {
        guard kind == .stream, facts.location == nil else { throw .isElsewhere(facts) }
    }
}
