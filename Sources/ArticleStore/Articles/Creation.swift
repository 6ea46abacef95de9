package import Text

/// A request to create an article. The client may send it again if it did not receive the response.
public struct Creation: Sendable, Hashable {
    /// 32 bytes that identify the request: a hash of the caller and of the key that the caller gave the request.
    public let request: [UInt8]
    /// 32 bytes that identify the requested content.
    public let content: [UInt8]

    /// Creates a request.
    /// - Parameters:
    ///   - request: 32 bytes.
    ///   - content: 32 bytes.
    public init(request: [UInt8], content: [UInt8]) { (self.request, self.content) = (request, content) }

    /// The time for which a request is remembered, in seconds.
    public static let lifetime = 86_400.0
}

/// The reason why an article was not created.
public enum CreationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An earlier request with the same key had other content.
    case otherContent

    /// A sentence for people.
    public var description: String { "the key was already used for another request; use another key" }
}

extension CreationError: ExplainedError {
    package var errorKind: ErrorKind { .invalid }
    package var problemCode: String { "otherContent" }
}
