/// A code for one use: 140 random bits in a form that a person can type.
///
/// Everybody who has the code can use it, so it never prints itself: printed, dumped, or reflected, it is `<redacted>`.
/// Only its SHA-256 is stored; random bits do not need a slow hash.
public struct OneTimeCode: Sendable, Redacted {
    /// The code as it is given to a person, such as `7Z3K-9WQ2-RT0M-X4BH-8D1C-PV5E-6NJA`.
    public let text: String

    /// The digits of Crockford's Base32, without letters that are easily confused.
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let length = 28
    private static let group = 4

    /// Parses a typed code: in any case, with or without hyphens and spaces, with `O` for `0`, and `I` or `L` for `1`.
    /// Nil if it is invalid.
    public init?(_ typed: String) {
        let blanks: [UInt8] = [UInt8(ascii: "-"), UInt8(ascii: " ")]
        let read = typed.utf8.filter { !blanks.contains($0) }.map { byte -> UInt8 in
            let capital = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
            switch capital {
            case UInt8(ascii: "O"): return UInt8(ascii: "0")
            case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
            default: return capital
            }
        }
        guard read.count == Self.length, read.allSatisfy(Self.digits.contains) else { return nil }
        self.init(digits: read)
    }

    init(randomBytes: (Int) -> [UInt8]) {
        // Use five bits of each byte, so that all digits have the same probability.
        self.init(digits: randomBytes(Self.length).map { Self.digits[Int($0 & 31)] })
    }

    private init(digits: [UInt8]) {
        text = stride(from: 0, to: digits.count, by: Self.group)
            .map { String(decoding: digits[$0..<$0 + Self.group], as: UTF8.self) }.joined(separator: "-")
    }

    /// The hash that is stored to recognize the code.
    var hash: [UInt8] { Sodium.sha256(Array(text.utf8)) }
}
