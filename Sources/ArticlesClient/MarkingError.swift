/// The reason why an article cannot be marked. Every server would refuse the mark.
public enum MarkingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text is not a valid tag name.
    case noTag(String)
    /// The article would have more tags than the limit.
    case tooManyTags
    /// The user would have more different tags than the limit.
    case tooManyOwnTags
    /// The note is longer than the limit.
    case noteIsTooLong

    /// The maximum number of Unicode scalars in the name of a tag.
    public static let longestTag = 100
    /// The maximum number of tags on an article.
    public static let mostTags = 100
    /// The maximum number of different tags on all articles together.
    public static let mostOwnTags = 1_000
    /// The maximum number of Unicode scalars in a note.
    public static let longestNote = 65_536

    /// A sentence for people.
    public var description: String {
        switch self {
        case .noTag(let text):
            "“\(text)” cannot be a tag: it takes 1 to \(Self.longestTag) characters, without commas and line breaks"
        case .tooManyTags: "an article has at most \(Self.mostTags) tags of yours: take one away from it"
        case .tooManyOwnTags:
            "you have \(Self.mostOwnTags) different tags, and more there cannot be: take one away from all its articles"
        case .noteIsTooLong: "a note has at most \(Self.longestNote) characters"
        }
    }
}
