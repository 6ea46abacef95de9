public import Text

/// The reason why an edit of an article was not saved.
public enum EditError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The article was deleted.
    case isGone(Article)
    /// The article has changed since it was opened. The value is its present state.
    case hasChanged(Article)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .isGone(let article): "“\(article.title)” was deleted in the meantime"
        case .hasChanged(let article): "“\(article.title)” was changed in the meantime by another user"
        }
    }
}

extension EditError: ExplainedError {
    package var errorKind: ErrorKind { if case .isGone = self { .notFound } else { .changed } }
}

extension ArticleRepository {
    /// Saves an edit of an article. After that, imports do not change the article, unless they overwrite edits.
    ///
    /// Number, slug, source, and key stay. Without a date of publication in the draft, the article keeps its date.
    /// Without a date of change in the draft, the date becomes the present time.
    ///
    /// - Parameters:
    ///   - old: the article when it was opened.
    ///   - draft: the new content.
    /// - Returns: the changed article; nil if the draft does not change anything.
    /// - Throws: ``EditError`` if the article has changed since it was opened or was deleted; the errors of the
    ///   repository.
    public func edit(_ old: Article, into draft: ArticleDraft) async throws -> Article? {
        var needs = WriteNeeds()
        needs.articles = [old.id]
        needs.records.updateValue(nil, forKey: old.key)
        return try await write(needing: needs) { writer in
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

    /// Adds an article that a user wrote. It is always a new article, whatever its slug is. Imports do not change it,
    /// unless they overwrite edits.
    ///
    /// - Parameter draft: the article.
    /// - Parameter source: its source, which is created if it does not exist.
    /// - Parameter creation: the request to create it. If the same request comes again, the result is the article that
    ///   the first request created.
    /// - Throws: ``SourceError/isElsewhere(_:)`` if the source is a folder, a file, or a feed; ``CreationError``; the
    ///   errors of the repository.
    public func add(
        _ draft: ArticleDraft, to source: SourceFacts = .library, for creation: Creation? = nil
    ) async throws -> Article {
        var needs = WriteNeeds()
        if let creation { needs.requests = [creation.request] }
        needs.add(draft)
        // The slug is also the key of the new article.
        for slug in needs.slugs { needs.records.updateValue(nil, forKey: ExactText(slug)) }
        return try await write(needing: needs) { writer in
            if let creation, let made = try writer.articleCreated(by: creation.request),
                let article = try writer.article(id: made.id)
            {
                guard made.content == creation.content else { throw CreationError.otherContent }
                return article
            }
            let source = try writer.source(source)
            try source.checkAdding()
            let slug = try writer.freeSlug(for: draft, in: source)
            var draft = draft
            draft.key = ExactText(slug)
            var number = 2
            while try writer.entry(key: draft.key, of: source.id) != nil {
                draft.key = "\(slug)#\(number)"
                number += 1
            }
            let article = try writer.add(draft, slug: slug, to: source)
            if let creation { try writer.record(creation, of: article.id) }
            return article
        }
    }

    /// Adds an article that has a key, unless its source has an article with that key. Imports do not change it, unless
    /// they overwrite edits.
    ///
    /// - Parameter draft: the article.
    /// - Parameter source: its source, which is created if it does not exist.
    /// - Returns: the new article, or the one that has the key.
    /// - Throws: ``SourceError/isElsewhere(_:)`` if the source is a folder, a file, or a feed; the errors of the
    ///   repository.
    package func addUnlessKnown(
        _ draft: ArticleDraft, to source: SourceFacts
    ) async throws -> (article: Article, isNew: Bool) {
        var needs = WriteNeeds()
        needs.add(draft)
        return try await write(needing: needs) { writer in
            let source = try writer.source(source)
            try source.checkAdding()
            if let entry = try writer.entry(key: draft.key, of: source.id), let known = try writer.article(id: entry.id)
            {
                return (known, false)
            }
            return (try writer.add(draft, slug: try writer.freeSlug(for: draft, in: source), to: source), true)
        }
    }
}

extension ArticleWriter {
    fileprivate func freeSlug(for draft: ArticleDraft, in source: Source) throws -> String {
        try SlugChoice(draft, source: source.name).first { try holder(ofSlug: $0) == nil }
    }

    /// Adds an article whose key is free.
    fileprivate func add(_ draft: ArticleDraft, slug: String, to source: Source) throws -> Article {
        try forgetDeletion(key: draft.key, of: source.id)
        var article = draft.article(id: 0, source: source.reference, slug: slug, now: now)
        article.id = try insert(article, from: ArticleOrigin(isEdited: true))
        return article
    }
}

extension ArticleRepository {
    /// Deletes an article for good, if it has not changed since it was opened.
    ///
    /// - Throws: ``EditError`` if the article has changed or was deleted already; the errors of the repository.
    public func delete(_ old: Article) async throws {
        var needs = WriteNeeds()
        needs.articles = [old.id]
        try await write(needing: needs) { writer in
            guard let current = try writer.article(id: old.id) else { throw EditError.isGone(old) }
            guard current.isIdentical(to: old) else { throw EditError.hasChanged(current) }
            _ = try writer.delete(id: old.id, forGood: true)
        }
    }

    /// Checks whether articles can be added to the source with a name. If the source does not exist, it could be
    /// created.
    /// - Throws: ``SourceError/isElsewhere(_:)`` if the source is a folder, a file, or a feed; the errors of the
    ///   repository.
    public func checkAdding(to name: String) async throws { try await source(named: name)?.checkAdding() }
}

extension Source {
    /// Checks whether articles can be added to this source.
    /// - Throws: ``SourceError/isElsewhere(_:)`` if the source is a folder, a file, or a feed.
    fileprivate func checkAdding() throws(SourceError) {
        guard kind == .stream, facts.location == nil else { throw .isElsewhere(facts) }
    }
}

/// A request to create an article. The client may send it again if it did not receive the response.
public struct Creation: Sendable, Hashable {
    /// 32 bytes that identify the request: a hash of the caller and of the key that the caller gave the request.
    public let request: [UInt8]
    /// 32 bytes that identify the requested content.
    public let content: [UInt8]

    /// Creates a request.
    /// - Parameters:
    ///   - request: 32 bytes.
    ///   - content: 32 bytes.
    public init(request: [UInt8], content: [UInt8]) { (self.request, self.content) = (request, content) }

    /// The time for which a request is remembered, in seconds.
    public static let lifetime = 86_400.0
}

/// The reason why an article was not created.
public enum CreationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An earlier request with the same key had other content.
    case otherContent

    /// A sentence for people.
    public var description: String { "the key was already used for another request; use another key" }
}

extension CreationError: ExplainedError {
    package var errorKind: ErrorKind { .invalid }
    package var problemCode: String { "otherContent" }
}

/// The record of an article that was deleted for good. Imports ignore the article.
public struct Deletion: Sendable, Hashable {
    /// The key of the article in its source.
    public let key: ExactText
    /// A hash of the record from which the article was made; nil if unknown. An import recognizes the file by it after
    /// the file was renamed.
    public let content: UInt64?

    /// Creates a record.
    public init(key: ExactText, content: UInt64?) {
        self.key = key
        self.content = content
    }
}
