/// What a source is known by across libraries: 128 random bits. An export names its sources by it, so that what somebody else
/// wrote cannot pass for an article of a source that they have not seen an export of.
public struct SourceUID: Sendable, Hashable, CustomStringConvertible {
    /// The bits as 32 hexadecimal digits, in lower case.
    public let description: String

    /// A new one.
    public init(using generator: inout some RandomNumberGenerator) {
        description = (0..<4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// A new one, of the system's randomness.
    @Sendable public static func random() -> SourceUID {
        var generator = SystemRandomNumberGenerator()
        return SourceUID(using: &generator)
    }

    /// Reads one back; nil for a text that is none.
    public init?(_ text: String) {
        guard text.utf8.count == 32,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        description = text
    }
}
