import Foundation

/// The duration of randomized tests: short by default, or set by the environment.
public enum Fuzzing {
    /// Whether the environment sets the duration, so that a test may print its progress.
    public static let isLong = setting("FUZZ_STEPS") != nil

    /// The first seed: `FUZZ_SEED`, else 1.
    public static let firstSeed = UInt64(setting("FUZZ_SEED") ?? 1)

    /// The number of rounds: `FUZZ_STEPS`, or the default.
    /// - Parameter cost: The number of steps that a round counts for, because some take longer.
    public static func rounds(usual: Int, cost: Int = 1) -> Int {
        setting("FUZZ_STEPS").map { max(1, $0 / cost) } ?? usual
    }

    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}

/// SplitMix64: numbers that look random and depend only on the seed. Source: <https://prng.di.unimi.it/splitmix64.c>.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes a generator for a test that names its seed when it fails.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
