import Text

/// An error while an input was read, for example from a defective disk. The import ends there, because later data may
/// be missing too.
public struct InputFailure: Error, Hashable, CustomStringConvertible {
    /// The file.
    public var source: String
    /// The number of bytes that were read before.
    public var bytes: Int
    /// The reason, in the words of the operating system.
    public var reason: String

    /// Creates a failure.
    public init(source: String, bytes: Int, reason: String) {
        self.source = source
        self.bytes = bytes
        self.reason = reason
    }

    /// A single line: `reading posts.jsonl failed after 4096 bytes: Input/output error`.
    public var description: String {
        let name = source == "-" ? "standard input" : source.sanitized()
        return "reading \(name) failed after \(bytes) \(bytes == 1 ? "byte" : "bytes"): \(reason)"
    }
}
