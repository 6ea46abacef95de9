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
