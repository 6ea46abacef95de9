import ArticleExporting
import ArticleStore
import AuthService
import Text
import HTTPServer
import LibraryServices

/// Operations on the caller's account: sessions, API tokens, and the address of feeds.
extension Operation {
    private static let tag = "account"

    static let account: [Operation] = [
        Operation(
            "logIn", .post, "session", "Logs in and starts a session", tag: tag, access: .anybody,
            body: .object([
                .init("username", .string(.init(length: 1...1000))),
                .init("password", .string(.init(length: 1...4096))),
                .init(
                    "code", .string(.init(length: 1...100)), isRequired: false,
                    "a code of the authenticator app, or a recovery code"),
                .init(
                    "client", .string(.init(length: 1...200)), isRequired: false,
                    "the name of the client in the list of sessions"),
            ]),
            answer: .init(.created, "the user, and the token for later requests as “bearer”", .newSession),
            refusals: [.forbidden], handle: logIn),
        Operation(
            "getAccount", .get, "session", "Returns the user, and the session or API token of the request", tag: tag,
            access: .anyUser, answer: .init(.ok, "the account", .account)
        ) { call in HTTPResponse(json: JSON(account: try call.caller.session)) },
        Operation(
            "logOut", .delete, "session", "Ends the session of the request", tag: tag, access: .interactiveUser,
            answer: .init(.noContent, "the session has ended")
        ) { call in
            try await call.services.auth.logOut(token: try call.caller.token)
            return .done
        },
        Operation(
            "confirm", .post, "session/confirmation",
            "Confirms the password, which sensitive requests need for a while", tag: tag, access: .interactiveUser,
            body: .object([.init("password", .string(.init(length: 1...4096)))]),
            answer: .init(.noContent, "the password is correct")
        ) { call in
            try await call.services.auth.confirm(
                Password(call.body["password"]?.string ?? ""), token: try call.caller.token)
            return .done
        },
        Operation(
            "listSessions", .get, "sessions", "Lists the open sessions", tag: tag, access: .interactiveUser,
            answer: .init(.ok, "all sessions", .object([.init("sessions", .array(.session))]))
        ) { call in
            let caller = try call.caller
            let sessions = try await call.services.auth.sessions(
                of: caller.session.user.id, by: .token(caller.token))
            return HTTPResponse(json: [
                "sessions": .array(sessions.map { JSON(session: $0, isCurrent: $0.id == caller.session.id) })
            ])
        },
        Operation(
            "endSession", .delete, "sessions/{session}", "Ends a session", tag: tag, access: .interactiveUser,
            answer: .init(.noContent, "the session has ended")
        ) { call in
            guard let id = Session.ID(call.path["session"] ?? ""),
                try await call.services.auth.revoke(id, of: try call.userID, by: try call.authority)
            else { throw Problem.notFound("the session does not exist") }
            return .done
        },
        Operation(
            "listTokens", .get, "tokens", "Lists the API tokens", tag: tag, access: .interactiveUser,
            answer: .init(.ok, "all tokens", .object([.init("tokens", .array(.token))]))
        ) { call in
            let tokens = try await call.services.auth.tokens(token: try call.caller.token)
            return HTTPResponse(json: ["tokens": .array(tokens.map { JSON(apiToken: $0) })])
        },
        Operation(
            "createToken", .post, "tokens", "Creates an API token and returns it once", tag: tag,
            access: .interactiveUser,
            body: .object([
                .init("name", .string(.init(length: 1...100, isVisible: true))), .init("scope", .scope),
                .init("days", .integer(1...366), isRequired: false, "the lifetime in days; the default is 90"),
            ]), answer: .init(.created, "the token", .newToken), refusals: [.conflict]
        ) { call in
            let (made, token) = try await call.services.auth.createToken(
                named: call.body["name"]?.string ?? "",
                scope: call.body["scope"]?.string.flatMap { APIToken.Scope(rawValue: $0) } ?? .read,
                lifetime: Double(call.body["days"]?.wholeNumber ?? 90) * 86_400, token: try call.caller.token)
            return HTTPResponse(.created, secret: JSON(apiToken: made, secret: token.text))
        },
        Operation(
            "revokeToken", .delete, "tokens/{token}", "Revokes an API token", tag: tag, access: .interactiveUser,
            answer: .init(.noContent, "the token was revoked")
        ) { call in
            guard let id = APIToken.ID(call.path["token"] ?? ""),
                try await call.services.auth.revokeToken(id, token: try call.caller.token)
            else { throw Problem.notFound("the token does not exist") }
            return .done
        },
        Operation(
            "getFeedAddress", .get, "feed-address", "Returns the creation date of the feed address", tag: tag,
            access: .interactiveUser,
            answer: .init(.ok, "the date, if there is an address", .object([.init("since", .optional(.time))]))
        ) { call in
            let date = try await call.services.auth.feedAddressDate(token: try call.caller.token)
            return HTTPResponse(json: ["since": JSON(date.map { RFC3339.string(from: $0) })])
        },
        Operation(
            "renewFeedAddress", .post, "feed-address",
            "Creates a new feed address and returns it once; the previous one becomes invalid", tag: tag,
            access: .interactiveUser,
            answer: .init(
                .created, "the addresses of the feeds; you may add the filters of lists",
                .object([.init("atom", .text), .init("json", .text)]))
        ) { call in
            let secret = try await call.services.auth.renewFeedAddress(token: try call.caller.token)
            // A client that did not name the host knows the address of the server, so the path is enough.
            let site = call.request.site ?? call.request.prefix
            return HTTPResponse(
                .created,
                secret: [
                    "atom": .string(site + FeedFront.path(secret, .atom)),
                    "json": .string(site + FeedFront.path(secret, .jsonFeed)),
                ])
        },
        Operation(
            "removeFeedAddress", .delete, "feed-address", "Removes the feed address", tag: tag,
            access: .interactiveUser,
            answer: .init(.noContent, "the address was removed")
        ) { call in
            try await call.services.auth.removeFeedAddress(token: try call.caller.token)
            return .done
        },
    ]

    @Sendable private static func logIn(_ call: Call) async throws -> HTTPResponse {
        let auth = call.services.auth
        let result = try await auth.logIn(
            username: call.body["username"]?.string ?? "", password: Password(call.body["password"]?.string ?? ""),
            client: call.body["client"]?.string ?? "API", from: call.origin)
        let opened =
            if case .codeNeeded(let pending) = result, let code = call.body["code"]?.string {
                try await auth.completeLogIn(pending, code: code)
            } else {
                try result.newSession
            }
        let account = JSON(account: opened.session).members ?? []
        return HTTPResponse(.created, secret: .object(account + [.init("bearer", .string(opened.token.text))]))
    }
}
