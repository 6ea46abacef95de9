/// A code for one use: 140 random bits, written so that a person can type them.
///
/// Anybody who has it can use it, so it is never shown: printed, dumped, or reflected, it is `<redacted>`. Only its SHA-256
/// is stored; random bits need no slow hash.
public struct OneTimeCode: Sendable, Redacted {
    /// The code as it is handed over, such as `7Z3K-9WQ2-RT0M-X4BH-8D1C-PV5E-6NJA`.
    public let text: String

    /// The digits of Crockford's Base 32, which leaves out letters that are mistaken for others.
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let length = 28
    private static let group = 4

    /// The code that was typed: in any case, with or without hyphens and spaces, `O` for `0`, and `I` or `L` for `1`. Nil
    /// where it cannot be one.
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
        // Five bits of each byte, all as likely.
        self.init(digits: randomBytes(Self.length).map { Self.digits[Int($0 & 31)] })
    }

    private init(digits: [UInt8]) {
        text = stride(from: 0, to: digits.count, by: Self.group)
            .map { String(decoding: digits[$0..<$0 + Self.group], as: UTF8.self) }.joined(separator: "-")
    }

    /// The hash that is stored to recognize the code.
    var hash: [UInt8] { Sodium.sha256(Array(text.utf8)) }
}
