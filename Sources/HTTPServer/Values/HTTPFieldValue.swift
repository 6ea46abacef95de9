/// The value of a header field. It never contains a control character such as a line break, so a value cannot add a
/// field or end the head.
///
/// An invalid literal stops the program, like an index out of range. For values from input, use `init(_:)`.
public struct HTTPFieldValue: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The value, without white space around it.
    public let text: String

    /// Creates a value from input.
    ///
    /// - Throws: `HTTPFieldError` if it contains a line break or another control character.
    public init(_ text: String) throws(HTTPFieldError) {
        guard let value = HTTPFieldValue(checking: text) else { throw HTTPFieldError(value: text) }
        self = value
    }

    /// Creates a value from a literal in the program, which input cannot change.
    public init(stringLiteral text: String) {
        guard let value = HTTPFieldValue(checking: text) else {
            preconditionFailure("The value of a header field holds a control character.")
        }
        self = value
    }

    /// Creates a value from a number.
    public init(_ number: Int) { text = String(number) }

    init?(checking text: String) {
        guard text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = Self.trimmed(text)
    }

    /// Creates a value from received bytes: UTF-8, or else Latin-1, as in older versions of HTTP. Nil if they contain a
    /// control character.
    init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.allSatisfy(Self.isAllowed) else { return nil }
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
        self.text = Self.trimmed(text)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7F : byte == UInt8(ascii: "\t")
    }

    /// Removes white space at both ends. A combining character after a space belongs to the value.
    private static func trimmed(_ text: some StringProtocol) -> String {
        func isBlank(_ scalar: Unicode.Scalar?) -> Bool { scalar == " " || scalar == "\t" }
        // Fast path: most values need no trimming, and are not copied.
        guard isBlank(text.unicodeScalars.first) || isBlank(text.unicodeScalars.last) else { return String(text) }
        var rest = Substring(text).unicodeScalars
        while isBlank(rest.first) { rest.removeFirst() }
        while isBlank(rest.last) { rest.removeLast() }
        return String(rest)
    }

    /// The value.
    public var description: String { text }

    /// The nonempty parts between commas, without white space around them.
    public var list: [String] { text.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty } }
}

/// An error for a text that cannot be the value of a header field, because it contains a line break or another control
/// character.
public struct HTTPFieldError: Error, Hashable, CustomStringConvertible {
    /// The text.
    public let value: String

    /// The error without the text itself, which may be a secret.
    public var description: String {
        "The value of a header field holds a line break or another control character. Encode it or leave it out."
    }
}
