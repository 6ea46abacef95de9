internal import CMessageDigest
internal import CSodium
internal import Essentials
internal import Text

/// What an account and an authenticator share, and make codes of with the time (RFC 6238): six digits by HMAC-SHA-1, another
/// every 30 seconds, which every such program can do.
///
/// Whoever has it can make codes, so it never shows itself: printed, dumped or reflected it is `<redacted>`.
public struct TOTPSecret: Sendable, Redacted {
    let bytes: SecretBytes

    /// As many bytes as a SHA-1 has (RFC 4226, section 4, R6).
    static let count = 20
    /// For how many seconds a code is shown.
    static let period: Int64 = 30
    private static let digits = 6
    /// How many codes before and after that of now are taken too, because clocks differ and typing takes time (RFC 6238, section 5.2).
    private static let drift: Int64 = 1

    /// A secret that was kept.
    public init(stored bytes: [UInt8]) { self.bytes = SecretBytes(bytes) }

    /// A new secret.
    init(randomBytes: (Int) -> [UInt8]) {
        var bytes = randomBytes(Self.count)
        defer { sodium_memzero(&bytes, bytes.count) }
        self.bytes = SecretBytes(bytes)
    }

    /// The bytes that are to be kept: as they are, since codes are made of them. A copy that nobody overwrites.
    public var stored: [UInt8] { bytes.withBytes { Array($0) } }

    /// The secret as authenticators take it from a person: Base 32 (RFC 4648, section 6) without padding.
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
            // 20 bytes are 32 digits: nothing is left.
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// The address that a QR code hands to an authenticator, by the key URI format that all of them read. What the codes are is
    /// what it stands for where it says nothing else: SHA-1, six digits, 30 seconds. So it makes a small code.
    ///
    /// - Parameters:
    ///   - issuer: what the account is for, such as the name of the program.
    ///   - account: whose it is.
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

    /// Which of the time steps around `time` a code is of, in constant time; nil where it is of none. A step not after `last` is
    /// none: no code is taken twice (RFC 6238, section 5.2).
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

    /// The code of a time step (RFC 4226, section 5.3).
    func code(of step: Int64) -> String {
        let digest = hmac(withUnsafeBytes(of: step.bigEndian, Array.init))
        let start = Int(digest[digest.count - 1] & 15)
        let number = digest[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - digits.count) + digits
    }

    static func step(at time: Date) -> Int64 { Int64((time.timeIntervalSince1970 / Double(period)).rounded(.down)) }

    /// The HMAC-SHA-1 of a message (RFC 2104).
    private func hmac(_ message: [UInt8]) -> [UInt8] {
        let block = Int(SHA1_BLOCK_LENGTH)
        return bytes.withBytes { key in
            func hash(pad: UInt8, _ rest: [UInt8]) -> [UInt8] {
                var start = [UInt8](repeating: pad, count: block)
                defer { sodium_memzero(&start, block) }
                for (index, byte) in key.enumerated() { start[index] ^= byte }
                var context = SHA1_CTX()
                defer { sodium_memzero(&context, MemoryLayout<SHA1_CTX>.size) }
                var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_LENGTH))
                SHA1Init(&context)
                SHA1Update(&context, start, start.count)
                SHA1Update(&context, rest, rest.count)
                SHA1Final(&digest, &context)
                return digest
            }
            return hash(pad: 0x5C, hash(pad: 0x36, message))
        }
    }
}
