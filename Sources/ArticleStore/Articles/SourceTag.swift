import Text

/// A tag of a source. Other feed readers show such tags as folders. All users of the library see them.
public struct SourceTag: Sendable, Hashable, Comparable {
    /// The name as it was written.
    public let name: String
    /// The folded name, with which the tag is found. Two tags with the same key are equal.
    public let key: String

    /// The maximum number of Unicode scalars in a name.
    public static let longest = 100
    /// The maximum number of tags of a source.
    public static let most = 50

    /// Creates a tag from a name. Spaces around the name are removed.
    ///
    /// - Throws: ``SourceError/unusableTag(_:)`` if the name is empty or too long, or contains a comma or a control
    ///   character.
    public init(_ name: String) throws(SourceError) {
        let trimmed = String(name.trimmed)
        let key = SearchText.fold(trimmed)
        guard !key.isEmpty, trimmed.unicodeScalars.count <= Self.longest,
            !name.unicodeScalars.contains(where: { $0 == "," || $0.isHarmful })
        else { throw .unusableTag(name) }
        self.name = trimmed
        self.key = key
    }

    /// Creates a tag from its stored name.
    package init(stored name: String) {
        self.name = name
        key = SearchText.fold(name)
    }

    /// Whether two tags have the same key.
    public static func == (first: SourceTag, second: SourceTag) -> Bool { first.key == second.key }

    /// Whether the key of one tag is before that of another.
    public static func < (first: SourceTag, second: SourceTag) -> Bool {
        first.key.utf8.lexicographicallyPrecedes(second.key.utf8)
    }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// A change of the tags of a source.
public enum SourceTagChange: Sendable, Hashable {
    /// Replaces all tags with these.
    case all([SourceTag])
    /// Adds some tags and removes others.
    case some(adding: [SourceTag], removing: [SourceTag])
}

extension SourceFacts {
    /// Changes the tags. A tag that the source has already keeps its spelling, unless it is removed as well.
    /// - Throws: ``SourceError/tooManyTags`` if the source would have too many tags.
    mutating func tag(_ change: SourceTagChange) throws(SourceError) {
        var tags = Set(tags)
        let added: [SourceTag]
        switch change {
        case .all(let all):
            tags.formIntersection(all)
            added = all
        case .some(let more, let removed):
            tags.subtract(removed)
            added = more
        }
        for tag in added { tags.insert(tag) }
        guard tags.count <= SourceTag.most else { throw .tooManyTags }
        self.tags = tags.sorted()
    }
}

extension [Source] {
    /// All tags of the sources, in order. The spelling of a tag is that of the first source with it.
    package var tags: [SourceTag] {
        var all: Set<SourceTag> = []
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
    public func replaceSourceTag(_ old: SourceTag, with new: SourceTag?) async throws -> Int {
        try await write { writer in
            let sources = try writer.sources().filter { $0.facts.tags.contains(old) }
            for var source in sources {
                try source.facts.tag(.some(adding: new.map { [$0] } ?? [], removing: [old]))
                try writer.update(source)
            }
            return sources.count
        }
    }
}
