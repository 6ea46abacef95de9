/// The reason why a text is not JSON.
public struct JSONError: Error, Hashable {
    /// The reason.
    public let reason: String
    /// The number of bytes before the mistake.
    public let offset: Int
}
