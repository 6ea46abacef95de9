import Text

/// A file, folder, or link that an import has skipped.
public struct PassedOver: Sendable, Hashable, CustomStringConvertible {
    /// The path.
    public var source: String
    /// The reason, in words for the user.
    public var reason: String

    /// Whether you may have expected articles: it is a text in a notation that is not read, or a list of feeds without
    /// files.
    public var isDocument: Bool

    /// Creates an entry for a skipped path.
    public init(source: String, reason: String, isDocument: Bool = false) {
        self.source = source
        self.reason = reason
        self.isDocument = isDocument
    }

    /// A single line: `posts/node_modules: what it is`.
    public var description: String { "\(source): \(reason)".sanitized() }
}
