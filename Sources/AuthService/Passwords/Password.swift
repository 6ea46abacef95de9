internal import Text

/// A password exactly as it was typed. It never prints itself: printed, dumped, or reflected, it is `<redacted>`. Its
/// bytes are locked in memory as far as the system permits, and overwritten when the last copy is released.
public struct Password: Sendable, Redacted {
    /// The maximum length in bytes of UTF-8. Longer passwords would only waste the server's time.
    public static let maximumBytes = 1_024

    /// The bytes, cut after the length that shows that the password is too long.
    private let secret: SecretBytes

    /// Creates a password from a text, without normalizing it. The caller must dispose of the text.
    public init(_ text: String) { self.init(utf8: text.utf8) }

    /// Creates a password from bytes of UTF-8, for callers that overwrite their buffer.
    public init(utf8 bytes: some Collection<UInt8>) { secret = SecretBytes(bytes.prefix(Self.maximumBytes + 1)) }

    /// Calls `body` with the bytes in UTF-8, for a `BreachCheck`. The buffer is valid only during the call.
    public func withUTF8<T, E>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T) throws(E) -> T {
        try secret.withBytes(body)
    }

    /// Calls `body` with the bytes in the form for libsodium.
    func withCharacters<T>(_ body: (UnsafePointer<CChar>, Int) -> T) -> T { secret.withCharacters(body) }

    /// A copy as text, which is not overwritten. Use it only to judge a new password.
    var text: String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }

    /// The password in NFC, so that it is the same however accents were typed. Call this only if the length is at most
    /// `maximumBytes`.
    var composed: Password {
        let isComposed = secret.withBytes { $0.allSatisfy { $0 < 0x80 } }
        return isComposed ? self : Password(UnicodeForm.composed.apply(to: text))
    }

    /// The length in bytes of UTF-8.
    var byteCount: Int { secret.count }
}

extension Password: Equatable {
    /// Whether both have the same bytes. `String` would also treat canonically equivalent texts as equal.
    public static func == (left: Password, right: Password) -> Bool {
        left.withUTF8 { left in right.withUTF8 { right in left.elementsEqual(right) } }
    }
}
