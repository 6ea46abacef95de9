/// A piece of code, for who shows it in colours.
public struct CodeToken: Hashable, Sendable {
    /// What the piece is.
    public var kind: Kind
    /// The piece. All pieces in their order are the code.
    public var text: Substring

    /// What a piece of code is.
    public enum Kind: Hashable, Sendable {
        /// Names, operators, white space: what stands out from nothing.
        case plain
        /// A word of the language, a tag of HTML, or a key of JSON and YAML.
        case keyword
        /// The name of a type, or of an attribute of HTML.
        case type
        case string
        case number
        case comment
        /// A line that was added.
        case inserted
        /// A line that was removed.
        case deleted
    }
}

extension CodeToken.Kind {
    /// The class of the element that holds such a piece in HTML; nil for plain pieces, which are in none.
    var htmlClass: String? {
        switch self {
        case .plain: nil
        case .keyword: "k"
        case .type: "t"
        case .string: "s"
        case .number: "n"
        case .comment: "c"
        case .inserted: "i"
        case .deleted: "d"
        }
    }
}
