import Foundation

/// How long the tests go on that draw what they try: as long as a suite has time for, or as the environment says.
public enum Fuzzing {
    /// Whether the environment says how long, so that a test may print how far it got.
    public static let isLong = setting("FUZZ_STEPS") != nil

    /// The first seed: `FUZZ_SEED`, else 1.
    public static let firstSeed = UInt64(setting("FUZZ_SEED") ?? 1)

    /// How many rounds there are: `FUZZ_STEPS`, else what is usual.
    /// - Parameter cost: how many steps a round counts for, since some take longer.
    public static func rounds(usual: Int, cost: Int = 1) -> Int {
        setting("FUZZ_STEPS").map { max(1, $0 / cost) } ?? usual
    }

    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
