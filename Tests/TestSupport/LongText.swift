/// A text that may be too long for a report of the tests, which names it by its start and its length.
public struct LongText: Sendable, CustomStringConvertible {
    /// All of it.
    public let text: String

    /// Takes a text of any length.
    public init(_ text: String) { self.text = text }

    /// The text in quotation marks where it is short, else how it begins.
    public var description: String {
        let count = text.utf8.count
        return count <= 100 ? text.debugDescription : "\(text.prefix(20).debugDescription)… of \(count) bytes"
    }
}
