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
