/// Why a server did not do what it was asked.
public enum ClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nobody is logged in, or the token has ended.
    case notLoggedIn
    /// The library was restored from a backup. Read everything again.
    case anotherLibrary
    /// The server refused, with a code for programs and words for people.
    case refused(status: Int, code: String, detail: String)
    /// The answer was none of this API.
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
