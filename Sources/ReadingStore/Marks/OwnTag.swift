import Text

/// A tag of a reader's own, which nobody else sees.
public struct OwnTag: Sendable, Hashable {
    /// As it was written first.
    public let name: String
    /// The name folded: what it is found by. Two tags of one key are the same.
    public var key: String { SearchText.fold(name) }

    /// How many Unicode scalars a name has at most.
    public static let longest = 100

    /// A tag of a name without the spaces around it.
    ///
    /// - Throws: ``MarkError/noTag(_:)`` for a name that is empty or too long, or holds a comma or a control character.
    public init(_ name: String) throws(MarkError) {
        let trimmed = String(name.trimmed)
        let scalars = trimmed.unicodeScalars
        guard !scalars.isEmpty, scalars.count <= Self.longest, !SearchText.fold(trimmed).isEmpty,
            !scalars.contains(where: { $0 == "," || $0.properties.generalCategory == .control || $0.isLineEnd })
        else { throw .noTag(name) }
        self.name = trimmed
    }

    /// A tag as it is stored.
    init(stored name: String) { self.name = name }

    /// Whether two are the same.
    public static func == (first: OwnTag, second: OwnTag) -> Bool { first.key == second.key }

    /// Hashes what they are compared by.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension Set<OwnTag> {
    /// Returns the tags of `tags` that do not fit beside these, the user's tags: the last by their keys.
    package func homeless(of tags: some Sequence<OwnTag>) -> Set<OwnTag> {
        let new = Set(tags).subtracting(self).sorted { $0.key < $1.key }
        return Set(new.dropFirst(Swift.max(0, MarkError.mostOwnTags - count)))
    }
}

extension Unicode.Scalar {
    fileprivate var isLineEnd: Bool { self == "\u{2028}" || self == "\u{2029}" }
}
