/// A request to make an article that may be sent again, because the answer to it was lost.
public struct Creation: Sendable, Hashable {
    /// 32 bytes that tell the request from others: a hash of who asks and of the key that they gave it.
    public let request: [UInt8]
    /// 32 bytes that tell what is to be made from anything else.
    public let content: [UInt8]

    /// - Parameters:
    ///   - request: 32 bytes.
    ///   - content: 32 bytes.
    public init(request: [UInt8], content: [UInt8]) { (self.request, self.content) = (request, content) }

    /// How long a request is remembered, in seconds.
    public static let lifetime = 86_400.0
}

/// Why nothing was made.
public enum CreationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A request with the same key was to make something else.
    case otherContent

    /// A sentence for people.
    public var description: String { "the same key was given to a request to make something else; take another key" }
}
