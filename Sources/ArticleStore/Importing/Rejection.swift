import Text

/// A record that did not go in.
public struct Rejection: Sendable, Hashable, CustomStringConvertible {
    /// The file that it is in.
    public var source: String
    /// The line that is at fault, from 1; nil where it is the file as a whole.
    public var line: Int?
    /// What is wrong with it, for people.
    public var reason: String

    /// A rejection.
    public init(source: String, line: Int?, reason: String) {
        self.source = source
        self.line = line
        self.reason = reason
    }

    /// One line: `posts.jsonl:12: what is wrong`.
    public var description: String { "\(source):\(line.map { "\($0):" } ?? "") \(reason)".sanitized() }
}
