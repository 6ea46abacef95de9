/// The reason why a text is not JSON.
public struct JSONError: Error, Hashable {
    /// The reason.
    public let reason: String
    /// How many bytes are before it.
    public let offset: Int
}
