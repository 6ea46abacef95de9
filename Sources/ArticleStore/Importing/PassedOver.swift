import Text

/// A file, a folder or a link that an import has met and has not read.
public struct PassedOver: Sendable, Hashable, CustomStringConvertible {
    /// Where it is.
    public var source: String
    /// Why it was not read, for people.
    public var reason: String

    /// Whether it is a text in a notation that is not read, so that you may have expected an article.
    public var isDocument: Bool

    /// Something that was met.
    public init(source: String, reason: String, isDocument: Bool = false) {
        self.source = source
        self.reason = reason
        self.isDocument = isDocument
    }

    /// One line: `posts/node_modules: what it is`.
    public var description: String { "\(source): \(reason)".sanitized() }
}
