public import Testing

/// Runs one test at a time, across suites: each sends signals to this process, or makes it ignore some, while a program runs that it
/// lends the terminal to.
public struct ProcessSignals: TestTrait, SuiteTrait, TestScoping {
    private static let turnstile = Turnstile(width: 1)

    /// A suite's tests one by one.
    public var isRecursive: Bool { true }

    /// Runs the test when the one before it has ended.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Self.turnstile.pass(function)
    }
}

extension Trait where Self == ProcessSignals {
    /// Takes turns with whatever else uses the signals of this process.
    public static var processSignals: Self { Self() }
}
