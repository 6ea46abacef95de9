/// What never shows itself: printed, dumped or reflected it is `<redacted>`.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// Nothing of it.
    public var description: String { "<redacted>" }

    /// Nothing of it.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
