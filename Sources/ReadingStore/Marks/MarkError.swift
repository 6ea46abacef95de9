/// Why articles cannot be marked so.
public enum MarkError: Error, Hashable {
    /// The text is not a valid tag name.
    case noTag(String)
    /// A note is longer than may be kept.
    case noteIsTooLong
    /// A reader gives an article more tags than may be kept.
    case tooManyTags
    /// A reader has more different tags than may be kept.
    case tooManyOwnTags

    /// How many Unicode scalars a note has at most.
    public static let longestNote = 65_536
    /// How many tags a reader gives an article at most.
    public static let mostTags = 100
    /// How many different tags a reader has on all articles together at most.
    public static let mostOwnTags = 1_000
}

extension MarkError: CustomStringConvertible {
    /// The error as a message.
    public var description: String {
        switch self {
        case .noTag(let text):
            "“\(text)” cannot be a tag: it takes 1 to \(OwnTag.longest) characters, without commas and line breaks"
        case .noteIsTooLong: "a note has at most \(Self.longestNote) characters"
        case .tooManyTags: "an article has at most \(Self.mostTags) tags of yours: take one away with tag --remove"
        case .tooManyOwnTags:
            "you have \(Self.mostOwnTags) different tags, and more there cannot be: take one away from all its articles"
        }
    }
}
