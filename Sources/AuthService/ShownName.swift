internal import Text

/// A name that users give to their sessions and API tokens.
enum ShownName {
    /// The permitted numbers of characters.
    static let lengths = 1...64

    /// Returns the name without surrounding white space; nil if it is empty, too long, or contains an invisible
    /// character.
    static func checked(_ text: String) -> String? {
        let name = String(text.trimmed)
        let isSeen = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
            default: true
            }
        }
        return lengths.contains(name.unicodeScalars.count) && isSeen ? name : nil
    }
}
