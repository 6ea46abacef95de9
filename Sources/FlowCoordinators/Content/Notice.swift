/// A sentence about what was done last.
public struct Notice: Sendable {
    /// The sentence.
    public let text: String
    /// Why it failed; nil when it is good news.
    public let error: (any Error)?

    /// Good news.
    public init(_ text: String) {
        self.text = text
        error = nil
    }

    /// A failure, in its own words.
    public init(_ error: any Error) {
        text = "\(error)"
        self.error = error
    }
}
