public import Testing

/// Runs one test at a time, across suites. Each sends signals to this process, or makes it ignore some, while a program
/// has its terminal.
public struct ProcessSignals: TestTrait, SuiteTrait, TestScoping {
    private static let turnstile = Turnstile(width: 1)

    /// Applies to each test of a suite.
    public var isRecursive: Bool { true }

    /// Runs the test when the previous one has ended.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Self.turnstile.pass(function)
    }
}

extension Trait where Self == ProcessSignals {
    /// Runs the test alone among all that use the signals of this process.
    public static var processSignals: Self { Self() }
}
