package import Text

/// The reason why articles cannot be marked.
public enum MarkError: Error, Hashable {
    /// The note is longer than the limit.
    case noteIsTooLong
    /// An article would have more tags of the user than the limit.
    case tooManyTags
    /// The user would have more different tags than the limit.
    case tooManyOwnTags

    /// The maximum number of Unicode scalars in a note.
    public static let longestNote = 65_536
    /// The maximum number of tags that a user may give an article.
    public static let mostTags = 100
    /// The maximum number of different tags of a user on all articles together.
    public static let mostOwnTags = 1_000
}

extension MarkError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .noteIsTooLong: "a note has at most \(Self.longestNote) characters"
        case .tooManyTags: "an article has at most \(Self.mostTags) tags of yours: take one away with tag --remove"
        case .tooManyOwnTags:
            "you have \(Self.mostOwnTags) different tags, and more there cannot be: take one away from all its articles"
        }
    }
}

extension MarkError: ExplainedError {
    package var errorKind: ErrorKind { .invalid }
    package var problemCode: String { "invalidMark" }
}
