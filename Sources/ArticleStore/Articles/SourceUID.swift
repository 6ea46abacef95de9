/// The identifier of a source in all libraries: 128 random bits. An export names its sources by it. A person who has
/// not seen an export of a source cannot forge an article of that source, because the identifier cannot be guessed.
public struct SourceUID: Sendable, Hashable, CustomStringConvertible {
    /// The bits as 32 hexadecimal digits, in lower case.
    public let description: String

    /// Creates a new identifier.
    public init(using generator: inout some RandomNumberGenerator) {
        description = (0..<4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Returns a new identifier from the system's random numbers.
    @Sendable public static func random() -> SourceUID {
        var generator = SystemRandomNumberGenerator()
        return SourceUID(using: &generator)
    }

    /// Reads an identifier; nil if the text is not valid.
    public init?(_ text: String) {
        guard text.utf8.count == 32,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        description = text
    }
}
