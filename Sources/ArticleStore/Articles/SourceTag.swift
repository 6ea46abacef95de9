import Text

/// A tag of a source, by which other readers show feeds in folders. Everybody who uses the library sees it.
public struct SourceTag: Sendable, Hashable, Comparable {
    /// As it was written.
    public let name: String
    /// The name folded: what it is found by. Two tags of one key are the same.
    public let key: String

    /// How many Unicode scalars a name has at most.
    public static let longest = 100
    /// How many tags a source has at most.
    public static let most = 50

    /// A tag of a name without the spaces around it.
    ///
    /// - Throws: ``SourceError/unusableTag(_:)`` for a name that is empty or too long, or holds a comma or a control character.
    public init(_ name: String) throws(SourceError) {
        let trimmed = String(name.trimmed)
        let key = SearchText.fold(trimmed)
        guard !key.isEmpty, trimmed.unicodeScalars.count <= Self.longest,
            !name.unicodeScalars.contains(where: { $0 == "," || $0.isHarmful })
        else { throw .unusableTag(name) }
        self.name = trimmed
        self.key = key
    }

    /// A tag as it is stored.
    init(stored name: String) {
        self.name = name
        key = SearchText.fold(name)
    }

    /// Whether two are the same.
    public static func == (first: SourceTag, second: SourceTag) -> Bool { first.key == second.key }

    /// Whether one stands before another, by their keys.
    public static func < (first: SourceTag, second: SourceTag) -> Bool {
        first.key.utf8.lexicographicallyPrecedes(second.key.utf8)
    }

    /// Hashes what they are compared by.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// A change of the tags of a source.
public enum SourceTagChange: Sendable, Hashable {
    /// It is to have these and no others.
    case all([SourceTag])
    /// It is to have some more, and some no longer.
    case some(adding: [SourceTag], removing: [SourceTag])
}

extension SourceFacts {
    /// Changes the tags. One that is there already keeps its spelling, unless it is taken away as well.
    /// - Throws: ``SourceError/tooManyTags``.
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
    /// All tags of the sources, in their order, each as the source has it that comes first.
    package var tags: [SourceTag] {
        var all: Set<SourceTag> = []
        for tag in flatMap(\.facts.tags) { all.insert(tag) }
        return all.sorted()
    }
}

extension ArticleRepository {
    /// Puts another tag in the place of one, at all sources that have it.
    ///
    /// - Parameters:
    ///   - old: the one that is to go.
    ///   - new: nil for none.
    /// - Returns: how many sources had it.
    /// - Throws: what the repository throws.
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
