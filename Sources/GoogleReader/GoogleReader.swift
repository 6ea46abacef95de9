import AuthService
package import LibraryServices
package import HTTPServer
import Text

/// The front end for clients that use the API of Google Reader. Its paths begin with `/accounts/ClientLogin` and
/// `/reader/`, optionally below `/api/greader.php`, because users of FreshRSS enter that address.
///
/// Feeds are sources (`feed/<number>`), folders are the tags of sources, labels are a user's own tags, and the ID of an
/// item is the number of its article.
///
/// Requests with unknown filters are refused. If the response ignored such a filter and contained all articles, a
/// client could mark too many of them as read.
///
/// A login returns the token of a session, or the API token that was sent as the password. If an account has a second
/// factor, a login accepts only an API token. Failed guesses count for the client's address, as in every other front.
package struct GoogleReader: Sendable {
    /// The default for the maximum number of requests per minute with invalid tokens from one network address.
    package static let defaultLimit = 600

    let services: Services
    let limiter: RateLimiter
    let work: ExpensiveWork

    /// Creates the front end.
    ///
    /// - Parameters:
    ///   - services: the accounts, the library, and the users' marks.
    ///   - limiter: counts the requests with invalid tokens from a network address.
    ///   - work: runs the requests that take long.
    package init(
        services: Services, limiter: RateLimiter = RateLimiter(limit: GoogleReader.defaultLimit),
        work: ExpensiveWork = ExpensiveWork()
    ) {
        (self.services, self.limiter, self.work) = (services, limiter, work)
    }

    /// Responds to a request; nil if its path does not belong to this front end.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse? {
        var path = request.target.segments[...]
        if path.starts(with: ["api", "greader.php"]) { path = path.dropFirst(2) }
        do throws(ReaderError) {
            if Array(path) == ["accounts", "ClientLogin"] { return try await logIn(request) }
            guard path.first == "reader" else { return nil }
            return try await answer(request, at: Array(path.dropFirst()))
        } catch {
            return error.response
        }
    }

    /// Responds to a request below `/reader/`. All of these require a login.
    private func answer(_ request: HTTPRequest, at path: [String]) async throws(ReaderError) -> HTTPResponse {
        let session = try await session(of: request)
        var response =
            Self.isExpensive(path) || request.body.count > ExpensiveWork.largeBody
            ? try await ReaderError.catching {
                try await work.run(for: String(session.user.id)) { try await answer(request, at: path, in: session) }
            } : try await answer(request, at: path, in: session)
        response.user = String(session.user.id)
        return response
    }

    /// Whether a path returns, marks, or fetches articles. Such a request may concern any number of them.
    private static func isExpensive(_ path: [String]) -> Bool {
        path.first == "atom" || path.starts(with: ["api", "0", "stream"])
            || path == ["api", "0", "mark-all-as-read"] || path == ["api", "0", "unread-count"]
            || path.starts(with: ["api", "0", "subscription"]) && path.last != "list"
    }

    private func answer(
        _ request: HTTPRequest, at path: [String], in session: Session
    ) async throws(ReaderError) -> HTTPResponse {
        if path.first == "atom", path.count > 1 {
            return try await atom(path.dropFirst().joined(separator: "/"), request, of: session.user)
        }
        guard path.starts(with: ["api", "0"]) else { throw .unknownPath }
        let path = path.dropFirst(2)
        if path.starts(with: ["stream", "contents"]) {
            return try await streamContents(path.dropFirst(2).joined(separator: "/"), request, of: session.user)
        }
        switch path.joined(separator: "/") {
        case "token":
            // Clients send this token to prove that a foreign page in a browser did not send the request. Here the
            // Authorization field proves that already, so the token does not have to be secret.
            return HTTPResponse(text: session.id.description)
        case "user-info":
            let (number, name) = (String(session.user.id), session.user.username.text)
            return HTTPResponse(json: [
                "userId": .string(number), "userName": .string(name), "userProfileId": .string(number),
                "userEmail": .string(name), "isBloggerUser": false, "isMultiLoginEnabled": false,
                "signupTimeSec": JSON(session.user.createdAt.wholeSeconds),
            ])
        case "preference/list": return HTTPResponse(json: ["prefs": []])
        case "preference/stream/list": return HTTPResponse(json: ["streamprefs": .object([])])
        case "subscription/list": return HTTPResponse(json: try await subscriptions(at: request.site))
        case "subscription/edit": return try await editSubscription(request, in: session)
        case "subscription/quickadd": return try await addSubscription(request, in: session)
        case "subscription/import": return try await importSubscriptions(request, in: session)
        case "subscription/export": return try await exportSubscriptions()
        case "unread-count": return HTTPResponse(json: try await unreadCounts(of: session.user))
        case "stream/items/ids": return try await itemIDs(request, of: session.user)
        case "stream/items/contents": return try itemContents(request, of: session.user)
        case "rename-tag": return try await renameTag(request, in: session)
        case "disable-tag": return try await disableTag(request, in: session)
        case "tag/list": return HTTPResponse(json: try await tags(of: session.user))
        case "edit-tag": return try await editTag(request, in: session)
        case "mark-all-as-read": return try await markAllAsRead(request, in: session)
        default: throw .unknownPath
        }
    }
}

extension HTTPResponse {
    /// Creates a response in JSON that only the user may cache.
    init(json: JSON) {
        self.init(fields: ["content-type": "application/json; charset=utf-8"], body: .bytes(json.utf8))
    }

    /// The response that clients expect after a change.
    static let done = HTTPResponse(text: "OK")
}
