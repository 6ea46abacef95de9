import Text

/// The name of an account, in the only form in which it is stored, shown, and looked up.
///
/// Text is first normalized (NFKC) and case-folded, so that `Alice`, `ALICE`, and full-width `ａｌｉｃｅ` are the same name.
/// The result must have 2 to 32 characters of `a`–`z`, `0`–`9`, `.`, `_`, `-`, and begin and end with a letter or
/// digit. So letters of other scripts cannot imitate these.
public struct Username: Hashable, Sendable {
    /// The permitted numbers of characters.
    public static let lengths = 2...32

    /// The normalized name.
    public let text: String

    /// Creates the name that `text` stands for.
    ///
    /// - Throws: `AuthError.invalidUsername` with the rule that `text` violates.
    public init(_ text: String) throws(AuthError) {
        // Check the length first, because normalizing is expensive. A character that folds to a permitted one has at
        // most four bytes.
        guard text.utf8.count <= Self.lengths.upperBound * 4 else { throw .invalidUsername(.tooLong) }
        // Fast path: stored names are already normalized.
        let name = text.utf8.allSatisfy(Self.isAllowed) ? text : UnicodeForm.caseFolded.apply(to: text)
        if let scalar = name.unicodeScalars.first(where: { !Self.isAllowed($0) }) {
            throw .invalidUsername(.forbidden(scalar))
        }
        guard name.utf8.count >= Self.lengths.lowerBound else { throw .invalidUsername(.tooShort) }
        guard name.utf8.count <= Self.lengths.upperBound else { throw .invalidUsername(.tooLong) }
        if let first = name.unicodeScalars.first, !Self.isLetterOrDigit(first) { throw .invalidUsername(.edge(first)) }
        if let last = name.unicodeScalars.last, !Self.isLetterOrDigit(last) { throw .invalidUsername(.edge(last)) }
        self.text = name
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool { isAllowed(Unicode.Scalar(byte)) }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        isLetterOrDigit(scalar) || scalar == "." || scalar == "_" || scalar == "-"
    }
}

extension Username {
    /// The rule that a text violates.
    public enum Fault: Hashable, Sendable {
        /// It has too few characters.
        case tooShort
        /// It has too many characters.
        case tooLong
        /// It contains a character other than `a`–`z`, `0`–`9`, `.`, `_`, and `-`, even after normalizing.
        case forbidden(Unicode.Scalar)
        /// It begins or ends with `.`, `_` or `-`.
        case edge(Unicode.Scalar)
    }
}

extension Username: CustomStringConvertible {
    /// The name.
    public var description: String { text }
}

extension Username.Fault: CustomStringConvertible {
    /// The rule in words for the user.
    public var description: String {
        switch self {
        case .tooShort:
            "a username must have at least \(Username.lengths.lowerBound) characters"
        case .tooLong:
            "a username can have at most \(Username.lengths.upperBound) characters"
        case .forbidden(let scalar):
            "a username can contain only the letters a to z, digits, '.', '_', and '-', not \(scalar.name)"
        case .edge(let scalar):
            "a username must begin and end with a letter or a digit, not with \(scalar.name)"
        }
    }
}

extension Unicode.Scalar {
    /// The character and its code point. White space, marks, and control characters are shown only by their code
    /// points, because they may be invisible or disturb a terminal.
    fileprivate var name: String {
        let hex = String(value, radix: 16, uppercase: true)
        let codePoint = "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        return switch properties.generalCategory {
        case _ where self == " ": "a space"
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
            codePoint
        default:
            "'\(self)' (\(codePoint))"
        }
    }
}

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
