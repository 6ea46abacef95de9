public import Text

/// The record of an article that was deleted for good. Imports ignore the article.
public struct Deletion: Sendable, Hashable {
    /// The key of the article in its source.
    public let key: ExactText
    /// A hash of the record from which the article was made; nil if unknown. An import recognizes the file by it after
    /// the file was renamed.
    public let content: UInt64?

    /// Creates a record.
    public init(key: ExactText, content: UInt64?) {
        self.key = key
        self.content = content
    }
}
