/// A text that may be too long for a test report, which shows its beginning and its length.
public struct LongText: Sendable, CustomStringConvertible {
    /// The whole text.
    public let text: String

    /// Wraps a text of any length.
    public init(_ text: String) { self.text = text }

    /// The text in quotation marks if it is short, or its beginning.
    public var description: String {
        let count = text.utf8.count
        return count <= 100 ? text.debugDescription : "\(text.prefix(20).debugDescription)… of \(count) bytes"
    }
}
