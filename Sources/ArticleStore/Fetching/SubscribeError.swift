package import Text

/// The reason why a subscription cannot be changed or fetched.
package enum SubscribeError: Error, Hashable, Sendable {
    /// The page does not lead to a feed.
    case noFeed(String)
    /// The server of the address responded with this status.
    case status(Int, String)
    /// The text is not an http or https address. The value is the reason.
    case invalidAddress(String)
    /// The address contains a user name, and perhaps a password.
    case addressWithLogin
    /// The user name or the password cannot be sent. The value is the reason.
    case invalidLogin(String)
    /// Requests to the address are not allowed, such as to a private network. The value is the reason.
    case addressNotAllowed(String)
    /// The server of the address cannot be reached, or its response cannot be used. The values are the reason and the
    /// kind of the error.
    case unreachable(String, ErrorKind)
    /// The file is neither a list of feeds nor an export of a feed reader.
    case unknownFile
    /// The source with this name is not subscribed.
    case notSubscribed(String)
    /// The server has removed the feed of the source with this name permanently. The second value is the reason.
    case hasEnded(String, String)
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
        case .addressWithLogin: "the address contains a user name or a password, which lists and exports would show"
        case .invalidLogin(let reason): reason
        case .unknownFile: "this is neither a list of feeds (OPML, newsboat) nor an export of Miniflux or FreshRSS"
        case .notSubscribed(let name): "“\(name)” is not subscribed"
        case .hasEnded(let name, let reason):
            "the subscription of “\(name)” has ended" + (reason.isEmpty ? "" : ": \(reason.sanitized())")
        case .isBeingFetched(let name): "“\(name)” is being fetched; try again in a few minutes"
        case .fetchingIsOff: "this server does not fetch feeds; ask its operator to turn fetching on"
        }
    }

    package var errorKind: ErrorKind {
        switch self {
        case .noFeed, .status(404, _), .status(410, _), .notSubscribed: .notFound
        case .status(401, _), .status(403, _), .addressNotAllowed, .fetchingIsOff: .notAllowed
        case .status: .busy
        case .invalidAddress, .addressWithLogin, .invalidLogin: .usage
        case .unreachable(_, let kind): kind
        case .unknownFile: .invalid
        case .isBeingFetched, .hasEnded: .conflict
        }
    }

    package var hint: String? {
        switch self {
        case .noFeed: "open the page in a browser, and give the address of its feed (RSS, Atom, or JSON Feed)"
        case .status(404, _), .status(410, _): "check the address"
        case .status(401, _): "for a feed with a password: articlesctl subscribe --user NAME --password-stdin ADDRESS"
        case .status(403, _): "the server refuses this program; a login with a form is not supported"
        case .addressWithLogin:
            "remove them from the address, and use: articlesctl subscribe --user NAME --password-stdin ADDRESS"
        case .status: "try again later"
        case .notSubscribed: "subscribe with: articlesctl subscribe ADDRESS"
        case .hasEnded: "if the feed is at another address now: articlesctl subscribe ADDRESS"
        case .addressNotAllowed:
            "the operator can allow a host: --allow-host HOST or fetch.allow-host, and for articlesd --fetch-host HOST"
        case .invalidAddress, .invalidLogin, .unreachable, .unknownFile, .isBeingFetched, .fetchingIsOff: nil
        }
    }

    package var problemCode: String {
        switch self {
        case .noFeed: "noFeed"
        case .status, .unreachable: "unreachable"
        case .invalidAddress, .addressWithLogin: "invalidAddress"
        case .invalidLogin: "invalid"
        case .addressNotAllowed: "addressNotAllowed"
        case .unknownFile: "invalid"
        case .notSubscribed: "notSubscribed"
        case .isBeingFetched, .hasEnded: "conflict"
        case .fetchingIsOff: "fetchingIsOff"
        }
    }
}
