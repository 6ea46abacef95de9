/// Why a call of the operating system failed: an `errno`, and the system's own words for it.
public struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The `errno`.
    public let code: Int32

    /// The error of that code.
    public init(code: Int32) { self.code = code }

    /// Why the call failed that was made last.
    public static var current: SystemError { SystemError(code: errno) }

    /// The system's own words.
    public var description: String { String(cString: strerror(code)) }

    /// Whether there is nothing at the path that the call was given.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
