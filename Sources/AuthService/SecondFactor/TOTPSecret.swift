internal import CSodium
public import Text

/// The secret that an account and an authenticator share. Both compute codes from it and the time (RFC 6238): six
/// digits with HMAC-SHA-1 that change every 30 seconds, which every authenticator supports.
///
/// A person who knows the secret can compute codes. So the secret never appears in output: when it is printed, dumped,
/// or reflected, the result is `<redacted>`.
public struct TOTPSecret: Sendable, Redacted {
    let bytes: SecretBytes

    /// The length in bytes, that of a SHA-1 digest (RFC 4226, section 4, R6).
    static let count = 20
    /// The validity of a code in seconds.
    static let period: Int64 = 30
    private static let digits = 6
    /// The number of codes before and after the current one that are accepted too, because clocks differ and typing
    /// takes time (RFC 6238, section 5.2).
    private static let drift: Int64 = 1

    /// Creates a secret from its stored bytes.
    public init(stored bytes: [UInt8]) { self.bytes = SecretBytes(bytes) }

    /// Creates a new secret.
    init(randomBytes: (Int) -> [UInt8]) {
        var bytes = randomBytes(Self.count)
        defer { sodium_memzero(&bytes, bytes.count) }
        self.bytes = SecretBytes(bytes)
    }

    /// The bytes to store. They are not hashed, because codes are computed from them. The copy is not overwritten.
    public var stored: [UInt8] { bytes.withBytes { Array($0) } }

    /// The secret for typing into an authenticator: Base32 (RFC 4648, section 6) without padding.
    public var base32: String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        return bytes.withBytes { bytes in
            var text: [UInt8] = []
            var (bits, count) = (0, 0)
            for byte in bytes {
                (bits, count) = (bits << 8 | Int(byte), count + 8)
                while count >= 5 {
                    count -= 5
                    text.append(digits[bits >> count & 31])
                }
                bits &= 1 << count - 1
            }
            // 20 bytes give exactly 32 digits.
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// Returns the address for a QR code in the key URI format, which all authenticators support. It omits the
    /// parameters that equal the defaults (SHA-1, six digits, 30 seconds), so that the code is small.
    ///
    /// - Parameters:
    ///   - issuer: the name of the service or program.
    ///   - account: the name of the account.
    public func address(issuer: String, account: String) -> String {
        func encoded(_ text: String) -> String {
            var bytes: [UInt8] = []
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"):
                    bytes.append(byte)
                default: bytes.appendPercentEncoded(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        return "otpauth://totp/\(encoded(issuer)):\(encoded(account))?secret=\(base32)&issuer=\(encoded(issuer))"
    }

    /// Returns the time step around `time` to which a code belongs, in constant time; nil if the code is wrong. Steps
    /// up to `last` are excluded, so that a code is not accepted twice (RFC 6238, section 5.2).
    func step(of code: String, at time: Date, after last: Int64) -> Int64? {
        let typed = Array(code.utf8.filter { $0 != UInt8(ascii: " ") })
        let now = Self.step(at: time)
        var found: Int64?
        for step in now - Self.drift...now + Self.drift
        where Sodium.isEqual(Array(self.code(of: step).utf8), typed) && step > last {
            found = found ?? step
        }
        return found
    }

    /// Returns the code of a time step (RFC 4226, section 5.3).
    func code(of step: Int64) -> String {
        let digest = bytes.withBytes { HMAC.sha1.code(of: withUnsafeBytes(of: step.bigEndian, Array.init), key: $0) }
        let start = Int(digest[digest.count - 1] & 15)
        let number = digest[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - digits.count) + digits
    }

    static func step(at time: Date) -> Int64 { Int64((time.timeIntervalSince1970 / Double(period)).rounded(.down)) }
}

/// A proof of identity in addition to the password: codes of an authenticator, and recovery codes in case it is lost.
public struct SecondFactor: Hashable, Sendable {
    /// The time when it was set up, in whole seconds.
    public let since: Date
    /// The number of remaining recovery codes.
    public let recoveryCodes: Int

    /// Creates a second factor from its stored data.
    public init(since: Date, recoveryCodes: Int) {
        self.since = since
        self.recoveryCodes = recoveryCodes
    }
}
