/// Why an article cannot be marked so: no server would take it.
public enum MarkingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text is not a valid tag name.
    case noTag(String)
    /// An article has more tags than may be kept.
    case tooManyTags
    /// There are more different tags than may be kept.
    case tooManyOwnTags
    /// A note is longer than may be kept.
    case noteIsTooLong

    /// How many Unicode scalars a name of a tag has at most.
    public static let longestTag = 100
    /// How many tags an article has at most.
    public static let mostTags = 100
    /// How many different tags there are on all articles together at most.
    public static let mostOwnTags = 1_000
    /// How many Unicode scalars a note has at most.
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
