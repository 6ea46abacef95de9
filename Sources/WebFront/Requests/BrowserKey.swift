internal import AuthService
internal import Text

/// Identifies a browser across its requests: 32 random bytes in a cookie. The key does not grant access.
///
/// Three things are derived from it: the token in every form, so that other sites cannot send forms, the key that
/// encrypts a notice for the next page, and the keys that encrypt its visits. So the server stores nothing for a browser
/// that only reads, and cannot read what it stores for others without their cookies.
struct BrowserKey: Sendable, Hashable {
    private static let length = 32
    private let bytes: [UInt8]

    /// Creates a key from a cookie; nil if the text is invalid.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Creates a new key.
    ///
    /// - Parameter randomBytes: returns the requested number of random bytes.
    init(randomBytes: (Int) -> [UInt8]) { bytes = randomBytes(Self.length) }

    /// The text in the cookie.
    var text: String { Base64URL.encode(bytes) }

    /// Returns the token of a form for this browser. It differs each time, so that the length of a compressed page
    /// reveals nothing.
    ///
    /// - Parameter randomBytes: returns the requested number of random bytes.
    func formToken(randomBytes: (Int) -> [UInt8]) -> String {
        let mask = randomBytes(Self.length)
        return Base64URL.encode(mask + zip(mask, key("form")).map { $0 ^ $1 })
    }

    /// Whether a form was made for this browser. The comparison takes constant time.
    func recognises(_ formToken: String) -> Bool {
        guard let given = Base64URL.decode(formToken), given.count == 2 * Self.length else { return false }
        let token = zip(given[..<Self.length], given[Self.length...]).map { $0 ^ $1 }
        return Sodium.isEqual(token, key("form"))
    }

    /// Identifies the browser, but cannot be used to act as it.
    var fingerprint: [UInt8] { key("fingerprint") }

    /// Returns a key for a purpose, which reveals nothing about other keys.
    func key(_ purpose: String) -> [UInt8] { Sodium.key(purpose, from: bytes) }

    /// Encrypts a text with this key.
    func seal(_ text: String) -> String {
        Base64URL.encode(Sodium.seal(Array(text.utf8), with: key("seal")))
    }

    /// Returns the decrypted text; nil if it was not encrypted with this key.
    func open(_ sealed: String) -> String? {
        Base64URL.decode(sealed).flatMap { Sodium.open($0, with: key("seal")) }
            .flatMap { String(validating: $0, as: UTF8.self) }
    }
}
