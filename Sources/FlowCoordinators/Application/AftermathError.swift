/// Something was done, and what belongs to it failed afterwards.
public struct AftermathError: Error {
    /// The part that was done, as a sentence in lower case without its period.
    public let done: String
    /// The reason of the failure.
    public let reason: any Error

    /// An error after something was done.
    public init(done: String, reason: any Error) {
        self.done = done
        self.reason = reason
    }
}

extension AftermathError: CustomStringConvertible {
    /// The part that was done, and the failure.
    public var description: String { "\(done), but \(reason)" }
}
