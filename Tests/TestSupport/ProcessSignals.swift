public import Testing

/// One test at a time, of all suites: each sends this process signals, or has it ignore some, as long as a program runs that it
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
