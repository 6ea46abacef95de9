/// The reason why a request to a server failed.
public enum ClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The client is not logged in, or its token has expired.
    case notLoggedIn
    /// The library was restored from a backup, so the client must read everything again.
    case anotherLibrary
    /// The server refused the request, with a code for programs and a sentence for people.
    case refused(status: Int, code: String, detail: String)
    /// The response is not a response of this API.
    case unreadable(status: Int)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .notLoggedIn: "you are not logged in, or that has ended; log in again"
        case .anotherLibrary: "the library came back from a backup since; everything is read anew"
        case .refused(_, _, let detail): detail
        case .unreadable(let status): "the server answered \(status) with what is no article library; check the address"
        }
    }
}
