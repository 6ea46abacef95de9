internal import Text

/// Changes articles and sources, and records each change in the audit log.
package struct LibraryEditor: Sendable {
    private let articles: any ArticleRepository
    private let recording: @Sendable (_ change: String) async throws -> any ArticleRepository

    /// Creates the changes of a caller.
    /// - Parameters:
    ///   - articles: the library.
    ///   - recording: records a change, or prepares a repository that records it in the transaction of the change.
    ///     Returns the repository that makes the change.
    package init(
        articles: any ArticleRepository,
        recording: @escaping @Sendable (_ change: String) async throws -> any ArticleRepository
    ) {
        (self.articles, self.recording) = (articles, recording)
    }

    /// Adds an article. See ``ArticleRepository/add(_:to:for:)``.
    package func add(
        _ draft: ArticleDraft, to source: SourceFacts = .library, for creation: Creation? = nil
    ) async throws -> Article {
        try await recording("add: \(draft.title)").add(draft, to: source, for: creation)
    }

    /// Adds an article that has a key, unless its source has an article with that key. See
    /// ``ArticleRepository/addUnlessKnown(_:to:)``.
    package func addUnlessKnown(
        _ draft: ArticleDraft, to source: SourceFacts
    ) async throws -> (article: Article, isNew: Bool) {
        try await recording("add: \(draft.key.text)").addUnlessKnown(draft, to: source)
    }

    /// Saves an edit of an article. See ``ArticleRepository/edit(_:into:)``.
    package func edit(_ article: Article, into draft: ArticleDraft) async throws -> Article? {
        try await recording("edit: \(article.id)").edit(article, into: draft)
    }

    /// Deletes an article for good, if it has not changed since it was opened. See ``ArticleRepository/delete(_:)``.
    package func delete(_ article: Article) async throws {
        try await recording("delete: \(article.id)").delete(article)
    }

    /// Changes the name and the tags of a source. See ``ArticleRepository/changeSource(_:name:tags:)``. A change that
    /// is not possible, or changes nothing, is not recorded.
    ///
    /// - Returns: the source, and whether it has changed.
    @discardableResult
    package func changeSource(
        _ source: Source, name: String? = nil, tags: SourceTagChange? = nil
    ) async throws -> (source: Source, isChanged: Bool) {
        let changed = try await articles.source(source.name, changedTo: name, tags: tags)
        guard changed.differs(from: source) else { return (source, false) }
        return (
            try await recording("sources change: \(source.uid)").changeSource(source.name, name: name, tags: tags), true
        )
    }

    /// Renames a source. See ``ArticleRepository/renameSource(_:to:)``. The same name is not recorded.
    ///
    /// - Returns: the source, and whether it has changed.
    package func renameSource(_ name: String, to newName: String) async throws -> (source: Source, isChanged: Bool) {
        let source = try await articles.existingSource(named: name)
        let changed = try await articles.source(name, changedTo: newName, tags: nil)
        guard changed.differs(from: source) else { return (source, false) }
        return (try await recording("sources rename: \(source.uid)").renameSource(name, to: newName), true)
    }

    /// Changes the tags of sources, of all or none of them. See ``ArticleRepository/tagSources(_:_:)``. A change that
    /// changes nothing is not recorded.
    ///
    /// - Returns: the sources, in the order of `names`, and those of them that have changed.
    package func tagSources(
        _ names: [String], _ change: SourceTagChange
    ) async throws -> (sources: [Source], changed: [Source]) {
        let sources = try await articles.existingSources(named: names)
        let changed = try sources.filter { source in
            var tagged = source
            try tagged.facts.tag(change)
            return tagged.differs(from: source)
        }
        guard !changed.isEmpty else { return (sources, []) }
        return (try await recording("sources tag: \(changed.ids)").tagSources(names, change), changed)
    }

    /// Replaces one tag with another in all sources that have it. See ``ArticleRepository/replaceSourceTag(_:with:)``.
    package func replaceSourceTag(_ old: TagName, with new: TagName?) async throws {
        try await recording("sources tag: \(old.name)").replaceSourceTag(old, with: new)
    }

    /// Removes sources with their articles. See ``ArticleRepository/removeSources(_:)``.
    /// - Returns: the number of removed articles.
    @discardableResult
    package func removeSources(_ sources: [Source]) async throws -> Int {
        try await recording("sources remove: \(sources.ids)").removeSources(sources.map(\.name))
    }
}

extension Source {
    /// Whether the name or a tag is written in another way. Equal tags may have different names.
    fileprivate func differs(from other: Source) -> Bool {
        !name.isIdentical(to: other.name) || !facts.tags.map(\.name).isIdentical(to: other.facts.tags.map(\.name))
    }
}

extension [Source] {
    fileprivate var ids: String { map(\.uid.description).joined(separator: ", ") }
}
