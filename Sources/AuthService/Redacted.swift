/// A value that never prints itself: printed, dumped, or reflected, it is `<redacted>`.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// A placeholder.
    public var description: String { "<redacted>" }

    /// A placeholder.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
