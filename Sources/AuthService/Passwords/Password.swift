internal import Text

/// A password exactly as it was typed. It never shows itself: printed, dumped or reflected it is `<redacted>`.
public struct Password: Sendable {
    /// The longest password that is looked at, in bytes of UTF-8: more would only be a way to make the server work.
    public static let maximumBytes = 1_024

    let text: String

    /// The password with these characters, none of them changed.
    public init(_ text: String) { self.text = text }

    /// Hands `body` its bytes in UTF-8, for a `BreachCheck`. They are not to outlive it.
    public func withUTF8<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
        var text = text
        return try text.withUTF8(body)
    }

    /// The same password whether an accent was typed with its letter or after it: in NFC. Only what is no longer than
    /// `maximumBytes` is to be asked for it.
    var composed: Password { Password(UnicodeForm.composed.apply(to: text)) }

    /// Its length in bytes of UTF-8.
    var byteCount: Int { text.utf8.count }
}

extension Password: Equatable {
    /// Whether both are the same bytes. `String` would also call equal what is only canonically equivalent.
    public static func == (left: Password, right: Password) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
}

extension Password: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the password.
    public var description: String { "<redacted>" }

    /// Never the password.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
