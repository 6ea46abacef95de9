import Text

extension ArticleWriter {
    /// Returns the source with a name. It is created if it does not exist.
    public func source(_ facts: SourceFacts) throws -> Source {
        try source(named: facts.name) ?? insert(facts, uid: nil)
    }

    /// Returns the source with a name, without regard to case; nil if it does not exist.
    public func source(named name: String) throws -> Source? { try sources().named(name) }
}

extension ArticleRepository {
    /// Returns the source with a name, without regard to case; nil if it does not exist.
    public func source(named name: String) async throws -> Source? { try await sources().named(name) }

    /// Returns the source with a name, without regard to case.
    /// - Throws: ``SourceError/noSource(_:similar:)`` if it does not exist; the errors of the repository.
    public func existingSource(named name: String) async throws -> Source {
        try await sources().existing(named: name)
    }

    /// Returns the sources with these names, without regard to case, in this order.
    /// - Throws: ``SourceError/noSource(_:similar:)`` if one does not exist; the errors of the repository.
    package func existingSources(named names: [String]) async throws -> [Source] {
        let sources = try await sources()
        return try names.map { try sources.existing(named: $0) }
    }

    /// Renames a source. Its articles and its permanent identifier stay.
    /// - Throws: ``SourceError`` if the source does not exist, or the new name is taken or invalid.
    @discardableResult
    public func renameSource(_ name: String, to newName: String) async throws -> Source {
        try await changeSource(name, name: newName)
    }

    /// Changes the name and the tags of a source.
    ///
    /// - Parameters:
    ///   - name: the present name, without regard to case.
    ///   - newName: the new name; nil to keep the name.
    ///   - tags: the change of its tags; nil to keep the tags.
    /// - Throws: ``SourceError`` if the source does not exist, the new name is taken or invalid, or there would be too
    ///   many tags; the errors of the repository.
    @discardableResult
    public func changeSource(
        _ name: String, name newName: String? = nil, tags: SourceTagChange? = nil
    ) async throws -> Source {
        try await write(needing: WriteNeeds()) { writer in
            let sources = try writer.sources()
            var source = try sources.existing(named: name)
            try source.change(newName, tags, among: sources)
            try writer.update(source)
            return source
        }
    }

    /// Returns the source as ``changeSource(_:name:tags:)`` would change it. A caller that logs each change can check it
    /// before it writes to the log.
    /// - Throws: the same errors as ``changeSource(_:name:tags:)``.
    package func source(_ name: String, changedTo newName: String?, tags: SourceTagChange?) async throws -> Source {
        let sources = try await sources()
        var source = try sources.existing(named: name)
        try source.change(newName, tags, among: sources)
        return source
    }

    /// Changes the tags of sources, of all or none of them.
    /// - Returns: the sources, in the order of `names`.
    /// - Throws: ``SourceError/noSource(_:similar:)`` if a source does not exist, ``SourceError/tooManyTags`` if a
    ///   source would have too many tags; the errors of the repository.
    @discardableResult
    public func tagSources(_ names: [String], _ change: SourceTagChange) async throws -> [Source] {
        try await write(needing: WriteNeeds()) { writer in
            let sources = try writer.sources()
            return try names.map { name in
                var source = try sources.existing(named: name)
                try source.facts.tag(change)
                try writer.update(source)
                return source
            }
        }
    }

    /// Removes sources with their articles, all or none of them. An article that also appears in another source moves
    /// there. The library also forgets which articles were deleted
    /// for good, so importing the same source again brings all articles back.
    /// - Returns: the number of removed articles.
    /// - Throws: ``SourceError/noSource(_:similar:)`` if a source does not exist.
    @discardableResult
    public func removeSources(_ names: [String]) async throws -> Int {
        try await write(needing: WriteNeeds()) { writer in
            let sources = try writer.sources()
            return try names.reduce(0) { count, name in
                try count + (writer.removeSource(sources.existing(named: name).id) ?? 0)
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
    /// Returns the source with a name, without regard to case; nil if it does not exist.
    package func named(_ name: String) -> Source? {
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

/// A change of the tags of a source.
public enum SourceTagChange: Sendable, Hashable {
    /// Replaces all tags with these.
    case all([TagName])
    /// Adds some tags and removes others.
    case some(adding: [TagName], removing: [TagName])
}

extension SourceFacts {
    /// The maximum number of tags.
    public static let mostTags = 50

    /// Changes the tags. A tag that the source has already keeps its spelling, unless it is removed as well.
    /// - Throws: ``SourceError/tooManyTags`` if the source would have too many tags.
    package mutating func tag(_ change: SourceTagChange) throws(SourceError) {
        var tags = Set(tags)
        let added: [TagName]
        switch change {
        case .all(let all):
            tags.formIntersection(all)
            added = all
        case .some(let more, let removed):
            tags.subtract(removed)
            added = more
        }
        for tag in added { tags.insert(tag) }
        guard tags.count <= Self.mostTags else { throw .tooManyTags }
        self.tags = tags.sorted()
    }
}

extension [Source] {
    /// All tags of the sources, in order. The spelling of a tag is that of the first source with it.
    package var tags: [TagName] {
        var all: Set<TagName> = []
        for tag in flatMap(\.facts.tags) { all.insert(tag) }
        return all.sorted()
    }
}

extension ArticleRepository {
    /// Replaces one tag with another in all sources that have it.
    ///
    /// - Parameters:
    ///   - old: the tag to replace.
    ///   - new: the new tag; nil to remove the old tag.
    /// - Returns: the number of sources that had the old tag.
    /// - Throws: the errors of the repository.
    @discardableResult
    public func replaceSourceTag(_ old: TagName, with new: TagName?) async throws -> Int {
        try await write(needing: WriteNeeds()) { writer in
            let sources = try writer.sources().filter { $0.facts.tags.contains(old) }
            for var source in sources {
                try source.facts.tag(.some(adding: new.map { [$0] } ?? [], removing: [old]))
                try writer.update(source)
            }
            return sources.count
        }
    }
}
