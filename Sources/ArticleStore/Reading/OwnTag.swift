import Text

/// A tag that belongs to a single user. Other users do not see it.
public struct OwnTag: Sendable, Hashable {
    /// The name in its first spelling.
    public let name: String
    /// The folded name, with which the tag is found. Two tags with the same key are equal.
    public var key: String { SearchText.fold(name) }

    /// The maximum number of Unicode scalars in a name.
    public static let longest = 100

    /// Creates a tag from a name. Spaces around the name are removed.
    ///
    /// - Throws: ``MarkError/noTag(_:)`` if the name is empty or too long, or contains a comma or a control character.
    public init(_ name: String) throws(MarkError) {
        let trimmed = String(name.trimmed)
        let scalars = trimmed.unicodeScalars
        guard !scalars.isEmpty, scalars.count <= Self.longest, !SearchText.fold(trimmed).isEmpty,
            !scalars.contains(where: { $0 == "," || $0.properties.generalCategory == .control || $0.isLineEnd })
        else { throw .noTag(name) }
        self.name = trimmed
    }

    /// Creates a tag from its stored name.
    package init(stored name: String) { self.name = name }

    /// Whether two tags have the same key.
    public static func == (first: OwnTag, second: OwnTag) -> Bool { first.key == second.key }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension Set<OwnTag> {
    /// Returns the tags of `tags` that would exceed the limit together with these tags of the user. They are the last
    /// by their keys.
    package func homeless(of tags: some Sequence<OwnTag>) -> Set<OwnTag> {
        let new = Set(tags).subtracting(self).sorted { $0.key < $1.key }
        return Set(new.dropFirst(Swift.max(0, MarkError.mostOwnTags - count)))
    }
}

extension Unicode.Scalar {
    fileprivate var isLineEnd: Bool { self == "\u{2028}" || self == "\u{2029}" }
}
