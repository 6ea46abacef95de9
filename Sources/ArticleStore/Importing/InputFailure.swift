import Text

/// An input that failed before its end, as files on a broken disk do: an import ends there, because what comes after may be
/// missing too.
public struct InputFailure: Error, Hashable, CustomStringConvertible {
    /// The file that it is in.
    public var source: String
    /// How many bytes could be read.
    public var bytes: Int
    /// Why no more could be read, in the words of the system.
    public var reason: String

    /// A failure.
    public init(source: String, bytes: Int, reason: String) {
        self.source = source
        self.bytes = bytes
        self.reason = reason
    }

    /// One line: `reading posts.jsonl failed after 4096 bytes: Input/output error`.
    public var description: String {
        let name = source == "-" ? "standard input" : source.sanitized()
        return "reading \(name) failed after \(bytes) \(bytes == 1 ? "byte" : "bytes"): \(reason)"
    }
}
