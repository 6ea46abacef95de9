/// A piece of code for syntax highlighting.
public struct CodeToken: Hashable, Sendable {
    /// The kind of the piece.
    public var kind: Kind
    /// The text. The texts of all pieces together are the code.
    public var text: Substring

    /// The kind of a piece of code.
    public enum Kind: Hashable, Sendable {
        /// Names, operators, and white space, which are not highlighted.
        case plain
        /// A keyword of the language, a tag of HTML, or a key of JSON and YAML.
        case keyword
        /// The name of a type, or an attribute of HTML.
        case type
        case string
        case number
        case comment
        /// An added line.
        case inserted
        /// A removed line.
        case deleted
    }
}

extension CodeToken.Kind {
    /// The class of the HTML element around the piece; nil for plain text, which is not in an element.
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
