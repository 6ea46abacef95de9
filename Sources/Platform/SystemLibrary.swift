// Exports the C library of the system under a common name.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Darwin
#endif

/// The reason why a call of the operating system failed: an `errno` value, with the system's message.
public struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The `errno` value.
    public let code: Int32

    /// Creates the error for an `errno` value.
    public init(code: Int32) { self.code = code }

    /// The error of the last failed call.
    public static var current: SystemError { SystemError(code: errno) }

    /// The message of the system.
    public var description: String { String(cString: strerror(code)) }

    /// Whether the path of the call does not exist.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
