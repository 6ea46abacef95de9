import Text

/// The name of an account, in the one form in which it is stored, shown and looked up.
///
/// Text is normalised (NFKC) and case-folded first, so `Alice`, `ALICE` and full-width `ａｌｉｃｅ` are one name. What
/// remains must be 2 to 32 of `a`–`z`, `0`–`9`, `.`, `_`, `-`, and begin and end with a letter or digit, so that no letter
/// of another script passes for one of these.
public struct Username: Hashable, Sendable {
    /// How many characters a name may have.
    public static let lengths = 2...32

    /// The normalised name.
    public let text: String

    /// The name that `text` stands for.
    ///
    /// - Throws: `AuthError.invalidUsername` with the rule that `text` breaks.
    public init(_ text: String) throws(AuthError) {
        // No letter that folds to an allowed one takes more than four bytes; checked before normalising, which costs.
        guard text.utf8.count <= Self.lengths.upperBound * 4 else { throw .invalidUsername(.tooLong) }
        // Stored names are in this form already.
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
    /// The rule that a text breaks.
    public enum Fault: Hashable, Sendable {
        /// It has fewer characters than a name needs.
        case tooShort
        /// It has more characters than a name may have.
        case tooLong
        /// It holds a character that is not `a`–`z`, `0`–`9`, `.`, `_` or `-`, even after normalising.
        case forbidden(Unicode.Scalar)
        /// It begins or ends with `.`, `_` or `-`.
        case edge(Unicode.Scalar)
    }
}

extension Username: CustomStringConvertible {
    /// The name itself.
    public var description: String { text }
}

extension Username.Fault: CustomStringConvertible {
    /// The rule, in words for a person.
    public var description: String {
        switch self {
        case .tooShort:
            "a username has at least \(Username.lengths.lowerBound) characters"
        case .tooLong:
            "a username has at most \(Username.lengths.upperBound) characters"
        case .forbidden(let scalar):
            "a username has only the letters a to z, digits, '.', '_' and '-', not \(scalar.name)"
        case .edge(let scalar):
            "a username begins and ends with a letter or a digit, not with \(scalar.name)"
        }
    }
}

extension Unicode.Scalar {
    /// The character and its code point; the code point alone when the character is a blank, a mark or a control
    /// character, which could not be seen or could disturb a terminal.
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
