import Text

/// A file, a folder or a link that an import has met and has not read.
public struct PassedOver: Sendable, Hashable, CustomStringConvertible {
    /// Where it is.
    public var source: String
    /// Why it was not read, for people.
    public var reason: String

    /// Something that was met.
    public init(source: String, reason: String) {
        self.source = source
        self.reason = reason
    }

    /// One line: `posts/node_modules: what it is`.
    public var description: String { "\(source): \(reason)".sanitized() }
}
