import Foundation

/// A generator of words, the most frequent first. It gives the same words in every run.
public struct Words {
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    /// The number of different words.
    public static let count = 200_000

    /// Returns a number below a bound.
    public mutating func below(_ bound: Int) -> Int {
        // The generator is SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(bound))
    }

    /// Returns a word with the frequency of its rank.
    public mutating func next() -> String {
        let fraction = Double(below(1 << 30)) / Double(1 << 30)
        return Self.word(Int(exp(fraction * log(Double(Self.count)))) - 1)
    }

    /// Returns a Chinese character.
    public mutating func chinese() -> String {
        let fraction = Double(below(1 << 30)) / Double(1 << 30)
        return Unicode.Scalar(0x4E00 + UInt32(exp(fraction * log(3000.0)))).map { String($0) } ?? ""
    }

    /// Returns the word of a rank.
    public static func word(_ place: Int) -> String {
        let syllables = [
            "ta", "ri", "no", "sel", "mu", "ka", "dor", "ven", "li", "po", "gra", "shi", "ben", "ul", "ex", "am",
        ]
        var (rest, word) = (place, "")
        repeat {
            word += syllables[rest % 16]
            rest /= 16
        } while rest > 0
        return word
    }
}
