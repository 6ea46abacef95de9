package import Text

/// The reason why a subscription cannot be changed or fetched.
package enum SubscribeError: Error, Hashable, Sendable {
    /// The page does not lead to a feed.
    case noFeed(String)
    /// The server of the address responded with this status.
    case status(Int, String)
    /// The text is not an http or https address. The value is the reason.
    case invalidAddress(String)
    /// Requests to the address are not allowed, such as to a private network. The value is the reason.
    case addressNotAllowed(String)
    /// The server of the address cannot be reached, or its response cannot be used. The values are the reason and the
    /// kind of the error.
    case unreachable(String, ErrorKind)
    /// The text is not a list of feeds.
    case notAList
    /// The source with this name is not subscribed.
    case notSubscribed(String)
    /// Another process fetches the source with this name.
    case isBeingFetched(String)
    /// This program does not send requests to other servers.
    case fetchingIsOff
}

extension SubscribeError: ExplainedError {
    package var description: String {
        switch self {
        case .noFeed(let address): "there is no feed at \(address.sanitized())"
        case .status(let status, let address): "the server responded with status \(status) for \(address.sanitized())"
        case .invalidAddress(let reason), .addressNotAllowed(let reason), .unreachable(let reason, _):
            reason.sanitized()
        case .notAList: "this is not a list of feeds (OPML), or it contains no feed"
        case .notSubscribed(let name): "“\(name)” is not subscribed"
        case .isBeingFetched(let name): "“\(name)” is being fetched; try again in a few minutes"
        case .fetchingIsOff: "this server does not fetch feeds; ask its operator to turn fetching on"
        }
    }

    package var errorKind: ErrorKind {
        switch self {
        case .noFeed, .status(404, _), .status(410, _), .notSubscribed: .notFound
        case .status(401, _), .status(403, _), .addressNotAllowed, .fetchingIsOff: .notAllowed
        case .status: .busy
        case .invalidAddress: .usage
        case .unreachable(_, let kind): kind
        case .notAList: .invalid
        case .isBeingFetched: .conflict
        }
    }

    package var hint: String? {
        switch self {
        case .noFeed: "open the page in a browser, and give the address of its feed (RSS, Atom, or JSON Feed)"
        case .status(404, _), .status(410, _): "check the address"
        case .status(401, _), .status(403, _): "feeds behind a login are not supported"
        case .status: "try again later"
        case .notSubscribed: "subscribe with: articlesctl subscribe ADDRESS"
        case .addressNotAllowed: "the operator can allow a host: --allow-host HOST, and for articlesd --fetch-host HOST"
        case .invalidAddress, .unreachable, .notAList, .isBeingFetched, .fetchingIsOff: nil
        }
    }

    package var problemCode: String {
        switch self {
        case .noFeed: "noFeed"
        case .status, .unreachable: "unreachable"
        case .invalidAddress: "invalidAddress"
        case .addressNotAllowed: "addressNotAllowed"
        case .notAList: "invalid"
        case .notSubscribed: "notSubscribed"
        case .isBeingFetched: "conflict"
        case .fetchingIsOff: "fetchingIsOff"
        }
    }
}
