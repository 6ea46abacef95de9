/// Why a text is no JSON.
public struct JSONError: Error, Hashable {
    /// What is wrong.
    public let reason: String
    /// How many bytes are before it.
    public let offset: Int
}
