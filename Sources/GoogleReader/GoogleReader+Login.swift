import Text
import LibraryServices
import AuthService
import HTTPServer

/// Operations for login and for the user's account.
extension GoogleReader {
    /// Returns the session of a request.
    func session(of request: HTTPRequest) async throws(ReaderError) -> Session {
        if let token = Self.token(in: request),
            let session = try await ReaderError.catching({ try await services.auth.currentSession(token: token) })
        {
            return session
        }
        // Rate-limit invalid tokens by client address.
        let allowance = limiter.count("reader address " + (request.peer.origin ?? "local"), at: services.clock())
        guard allowance.remaining == nil else { throw .badToken }
        throw ReaderError(
            status: .tooManyRequests,
            text: "too many requests without a login; continue in \(allowance.reset.quantity(of: "second"))",
            fields: [.retryAfter: HTTPFieldValue(allowance.reset)])
    }

    /// Checks that a request may change something. The value of the parameter `T` is ignored, because clients omit it
    /// or send it empty.
    func writingSession(_ session: Session, for request: HTTPRequest) throws(ReaderError) {
        guard request.method == .post else { throw .notPosted }
        guard session.mayBeUsed(for: .write) else { throw .readOnly }
    }

    /// Returns the token after `GoogleLogin auth=`.
    static func token(in request: HTTPRequest) -> SessionToken? {
        guard let field = request.fields[.authorization]?.text else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1).map { $0.drop { $0 == " " } }
        guard parts.count == 2, parts[0].lowercased() == "googlelogin", parts[1].hasPrefix("auth=") else { return nil }
        return SessionToken(String(parts[1].dropFirst("auth=".count)))
    }

    /// Responds with the token of a new session, or with the API token that was sent as the password.
    ///
    /// A secret that is not an API token of that user is checked as a password, so each wrong secret takes the same
    /// time and counts as a failed attempt. A password is accepted only in the body, because logs contain addresses.
    func logIn(_ request: HTTPRequest) async throws(ReaderError) -> HTTPResponse {
        guard request.method == .post else { throw .notPosted }
        let form = try Parameters(bodyOf: request)
        guard let name = form["Email"], let password = form["Passwd"] else {
            throw .badRequest("Error=BadAuthentication\nInfo=Email and Passwd are required")
        }
        let token = try await token(of: name, password: password, client: form["source"], from: request.peer).text
        guard form["output"] != "json" else {
            return HTTPResponse(json: ["SID": .string(token), "LSID": .string(token), "Auth": .string(token)])
        }
        return HTTPResponse(text: "SID=\(token)\nLSID=\(token)\nAuth=\(token)\n")
    }

    private func token(
        of name: String, password: String, client: String?, from peer: PeerAddress
    ) async throws(ReaderError) -> SessionToken {
        do {
            if let token = SessionToken(password), token.isAPIToken,
                let session = try await services.auth.currentSession(token: token),
                let username = try? Username(name), session.user.username == username
            {
                return token
            }
            let client = client.flatMap { $0.isEmpty ? nil : $0 } ?? "Google Reader API"
            let opened = try await services.auth.logIn(
                username: name, password: Password(password), client: client, from: Origin(peer)
            ).newSession
            // A session that cannot be ended now is ended at the next login.
            try? await endSessions(like: opened.session, token: opened.token)
            return opened.token
        } catch let error as AuthError {
            throw ReaderError(logIn: error)
        } catch {
            throw .unavailable
        }
    }
}

extension GoogleReader {
    /// The maximum number of sessions of clients with the same name at the same address. Several devices behind one
    /// router need more than one.
    private static let sessionsOfClient = 10

    /// Ends the sessions with the same client name and address as a new session that exceed the limit, the least
    /// recently used first. Some clients log in for each request and never log out. Without this limit, their sessions
    /// would displace those of browsers.
    private func endSessions(like session: Session, token: SessionToken) async throws {
        let alike = try await services.auth.sessions(of: session.user.id, by: .token(token)).filter {
            $0.id != session.id && $0.client == session.client && $0.origin == session.origin
        }
        for old in alike.dropFirst(Self.sessionsOfClient - 1) {
            try await services.auth.revoke(old.id, of: session.user.id, by: .token(token))
        }
    }
}

extension ReaderError {
    fileprivate init(logIn error: AuthError) {
        switch error {
        case .secondFactorNeeded:
            let reason = "this account has a second factor; create an API token and use it as the password"
            self.init(status: .forbidden, text: "Error=BadAuthentication\nInfo=InvalidSecondFactor\nReason=\(reason)")
        case .throttled(let seconds):
            self.init(
                status: .tooManyRequests, text: "Error=ServiceUnavailable\nInfo=\(error)",
                fields: ["retry-after": HTTPFieldValue(seconds)])
        case .blocked: self.init(status: .forbidden, text: "Error=BadAuthentication\nInfo=\(error)")
        case .outOfMemory: self = .unavailable
        default: self.init(status: .unauthorized, text: "Error=BadAuthentication\nInfo=\(error)")
        }
    }
}

extension Origin {
    /// The address for which login attempts are counted.
    fileprivate init(_ peer: PeerAddress) {
        switch peer {
        case .internet(let host, _): self.init(address: host)
        case .local: self.init("local")
        }
    }
}
