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
        case .noteIsTooLong: "a note can have at most \(Self.longestNote) characters"
        case .tooManyTags:
            "an article can have at most \(Self.mostTags) of your tags; remove one with: articlesctl tag --remove"
        case .tooManyOwnTags:
            "you have the maximum of \(Self.mostOwnTags) different tags; remove one from all of its articles first"
        }
    }
}

extension MarkError: ExplainedError {
    package var errorKind: ErrorKind { .invalid }
    package var problemCode: String { "invalidMark" }
}
