/// The record of an article that was deleted for good: an import leaves it out.
public struct Deletion: Sendable, Hashable {
    /// The key of the article in its source.
    public let key: ExactText
    /// A hash of the record that it was made of, by which its file is known under another name; nil where that is not known.
    public let content: UInt64?

    /// A deletion of known parts.
    public init(key: ExactText, content: UInt64?) {
        self.key = key
        self.content = content
    }
}
