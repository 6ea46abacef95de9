import Text

extension ArticleWriter {
    /// The source of that name, which is made where there is none.
    public func source(_ facts: SourceFacts) throws -> Source {
        try source(named: facts.name) ?? insert(facts, uid: nil)
    }

    /// The source of a name, without regard to case; nil where there is none.
    public func source(named name: String) throws -> Source? { try sources().named(name) }

    /// The source of a name, without regard to case.
    /// - Throws: ``SourceError/noSource(_:similar:)``.
    func existingSource(named name: String) throws -> Source { try sources().existing(named: name) }
}

extension ArticleRepository {
    /// The source of a name, without regard to case; nil where there is none.
    public func source(named name: String) async throws -> Source? { try await sources().named(name) }

    /// The source of a name, without regard to case.
    /// - Throws: ``SourceError/noSource(_:similar:)``, and what the repository throws.
    public func existingSource(named name: String) async throws -> Source {
        try await sources().existing(named: name)
    }

    /// Gives a source another name. Its articles and what it is known by elsewhere stay as they are.
    /// - Throws: ``SourceError`` for a source that is not there, for a name that is taken and one that is none.
    @discardableResult
    public func renameSource(_ name: String, to newName: String) async throws -> Source {
        try await changeSource(name, name: newName)
    }

    /// Gives a source another name and other tags.
    ///
    /// - Parameters:
    ///   - name: the one that it has, without regard to case.
    ///   - newName: nil to leave the one that it has.
    ///   - tags: what is to become of its tags; nil to leave them.
    /// - Throws: ``SourceError`` for a source that is not there, for a name that is taken and one that is none, and for too many
    ///   tags; and what the repository throws.
    @discardableResult
    public func changeSource(
        _ name: String, name newName: String? = nil, tags: SourceTagChange? = nil
    ) async throws -> Source {
        try await write { writer in
            let sources = try writer.sources()
            var source = try sources.existing(named: name)
            try source.change(newName, tags, among: sources)
            try writer.update(source)
            return source
        }
    }

    /// Checks that a source can be changed so, for who keeps an account of what is done before it is.
    /// - Throws: what ``changeSource(_:name:tags:)`` throws.
    package func checkChange(of name: String, name newName: String?, tags: SourceTagChange?) async throws {
        let sources = try await sources()
        var source = try sources.existing(named: name)
        try source.change(newName, tags, among: sources)
    }

    /// Changes the tags of sources, of all or none of them.
    /// - Returns: the sources, in the order of their names here.
    /// - Throws: ``SourceError/noSource(_:similar:)``, ``SourceError/tooManyTags``, and what the repository throws.
    @discardableResult
    public func tagSources(_ names: [String], _ change: SourceTagChange) async throws -> [Source] {
        try await write { writer in
            try names.map { name in
                var source = try writer.existingSource(named: name)
                try source.facts.tag(change)
                try writer.update(source)
                return source
            }
        }
    }

    /// Takes sources out, with their articles, all or none of them. Nothing is known of them any more: an import of the same
    /// brings the articles back.
    /// - Returns: how many articles they had.
    /// - Throws: ``SourceError/noSource(_:similar:)``.
    @discardableResult
    public func removeSources(_ names: [String]) async throws -> Int {
        try await write { writer in
            try names.reduce(0) { count, name in
                try count + (writer.deleteSource(id: writer.existingSource(named: name).id) ?? 0)
            }
        }
    }
}

extension Source {
    fileprivate mutating func change(
        _ newName: String?, _ tags: SourceTagChange?, among sources: [Source]
    ) throws(SourceError) {
        if let newName {
            let name = try SourceFacts.checkedName(newName)
            if let other = sources.named(name), other.id != id { throw .nameTaken(other.name) }
            facts.name = name
        }
        if let tags { try facts.tag(tags) }
    }
}

extension [Source] {
    fileprivate func named(_ name: String) -> Source? {
        let key = FoldedKey.fold(name)
        return first { FoldedKey.fold($0.name) == key }
    }

    fileprivate func existing(named name: String) throws(SourceError) -> Source {
        if let source = named(name) { return source }
        let keys = map { FoldedKey.fold($0.name) }
        let similar = keys.suggestions(for: FoldedKey.fold(name))
        throw .noSource(name, similar: similar.compactMap { key in keys.firstIndex(of: key).map { self[$0].name } })
    }
}
