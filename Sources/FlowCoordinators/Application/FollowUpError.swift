/// An error of a second step, after a first step succeeded that cannot be undone.
public struct FollowUpError: Error {
    /// The step that succeeded, as a clause without a capital letter and a period.
    public let done: String
    /// The error of the second step.
    public let reason: any Error

    /// Creates an error.
    public init(done: String, reason: any Error) {
        self.done = done
        self.reason = reason
    }
}

extension FollowUpError: CustomStringConvertible {
    /// Both steps: the success and the failure.
    public var description: String { "\(done), but \(reason)" }
}
