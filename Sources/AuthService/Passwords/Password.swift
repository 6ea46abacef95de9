internal import Text

/// A password exactly as it was typed. It never shows itself: printed, dumped or reflected it is `<redacted>`. Its bytes are
/// locked in memory as far as the system lets, and overwritten when the last copy of it goes.
public struct Password: Sendable, Redacted {
    /// The longest password that is looked at, in bytes of UTF-8: more would only be a way to make the server work.
    public static let maximumBytes = 1_024

    /// No more of it than shows that it is too long.
    private let secret: SecretBytes

    /// The password with these characters, none of them changed. The text itself is the caller's to be rid of.
    public init(_ text: String) { self.init(utf8: text.utf8) }

    /// The password with these bytes of UTF-8, for a front that reads them into memory that it overwrites.
    public init(utf8 bytes: some Collection<UInt8>) { secret = SecretBytes(bytes.prefix(Self.maximumBytes + 1)) }

    /// Hands `body` its bytes in UTF-8, for a `BreachCheck`. They are not to outlive it.
    public func withUTF8<T, E>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T) throws(E) -> T {
        try secret.withBytes(body)
    }

    /// Hands `body` its bytes as libsodium takes them.
    func withCharacters<T>(_ body: (UnsafePointer<CChar>, Int) -> T) -> T { secret.withCharacters(body) }

    /// A copy that nobody overwrites: only for judging a password that is chosen.
    var text: String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }

    /// The same password whether an accent was typed with its letter or after it: in NFC. Only what is no longer than
    /// `maximumBytes` is to be asked for it.
    var composed: Password {
        let isComposed = secret.withBytes { $0.allSatisfy { $0 < 0x80 } }
        return isComposed ? self : Password(UnicodeForm.composed.apply(to: text))
    }

    /// Its length in bytes of UTF-8.
    var byteCount: Int { secret.count }
}

extension Password: Equatable {
    /// Whether both are the same bytes. `String` would also call equal what is only canonically equivalent.
    public static func == (left: Password, right: Password) -> Bool {
        left.withUTF8 { left in right.withUTF8 { right in left.elementsEqual(right) } }
    }
}
