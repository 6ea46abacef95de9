internal import Text

/// What people call something of theirs, to tell it from others.
enum ShownName {
    /// How many characters it may have.
    static let lengths = 1...64

    /// The name that `text` is, without blanks at its ends; nil where it has none or too many characters, or one that cannot
    /// be seen.
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
