/// Something was done, and what belongs to it failed afterwards.
public struct AftermathError: Error {
    /// What was done, as a sentence in lower case without its stop.
    public let done: String
    /// What failed.
    public let reason: any Error

    /// An error after something was done.
    public init(done: String, reason: any Error) {
        self.done = done
        self.reason = reason
    }
}

extension AftermathError: CustomStringConvertible {
    /// What was done, and what failed.
    public var description: String { "\(done), but \(reason)" }
}
