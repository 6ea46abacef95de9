internal import AuthService
internal import Text

/// Identifies a browser across its requests: 32 random bytes in a cookie. The key gives access to nothing.
///
/// From it are made the token that every form carries, so that no other site can send one, and what seals a notice until the
/// next page. So the server keeps nothing for a browser that only looks.
struct BrowserKey: Sendable, Hashable {
    private static let length = 32
    private let bytes: [UInt8]

    /// A key that a browser holds; nil where the text is none.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// A new key.
    ///
    /// - Parameter randomBytes: as many as it is asked for.
    init(randomBytes: (Int) -> [UInt8]) { bytes = randomBytes(Self.length) }

    /// The text in the cookie.
    var text: String { Base64URL.encode(bytes) }

    /// Returns the token of a form for this browser. It differs each time, so that the length of a compressed page reveals nothing.
    ///
    /// - Parameter randomBytes: as many as it is asked for.
    func formToken(randomBytes: (Int) -> [UInt8]) -> String {
        let mask = randomBytes(Self.length)
        return Base64URL.encode(mask + zip(mask, Sodium.key("form", from: bytes)).map { $0 ^ $1 })
    }

    /// Whether a form was made for this browser; compared in constant time.
    func recognises(_ formToken: String) -> Bool {
        guard let given = Base64URL.decode(formToken), given.count == 2 * Self.length else { return false }
        let token = zip(given[..<Self.length], given[Self.length...]).map { $0 ^ $1 }
        return Sodium.isEqual(token, Sodium.key("form", from: bytes))
    }

    /// Identifies the browser without the ability to act for it.
    var fingerprint: [UInt8] { Sodium.key("fingerprint", from: bytes) }

    /// Hides a text so that only who holds this key can read it, or make another.
    func seal(_ text: String) -> String {
        Base64URL.encode(Sodium.seal(Array(text.utf8), with: Sodium.key("seal", from: bytes)))
    }

    /// Returns the sealed text; nil if it was not sealed with this key.
    func open(_ sealed: String) -> String? {
        Base64URL.decode(sealed).flatMap { Sodium.open($0, with: Sodium.key("seal", from: bytes)) }
            .flatMap { String(validating: $0, as: UTF8.self) }
    }
}
