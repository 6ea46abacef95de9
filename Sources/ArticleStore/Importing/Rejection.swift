import Text

/// A record that was not imported.
public struct Rejection: Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public var source: String
    /// The line of the error, from 1; nil if it is the whole file.
    public var line: Int?
    /// The reason, in words for the user.
    public var reason: String

    /// Creates a rejection.
    public init(source: String, line: Int?, reason: String) {
        self.source = source
        self.line = line
        self.reason = reason
    }

    /// A single line: `posts.jsonl:12: what is wrong`.
    public var description: String { "\(source):\(line.map { "\($0):" } ?? "") \(reason)".sanitized() }
}
