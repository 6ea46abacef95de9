import Text
import FlowCoordinators
import AuthService
import HTTPServer

/// Operations for log-in and for the user's account.
extension GoogleReader {
    /// The session of a request.
    func session(of request: HTTPRequest) async throws(Refusal) -> Session {
        if let token = Self.token(in: request),
            let session = try await Refusal.catching({ try await services.auth.currentSession(token: token) })
        {
            return session
        }
        // Rate-limit invalid tokens by client address.
        let allowance = limiter.take(request.peer.origin ?? "local", at: services.clock())
        guard allowance.remaining == nil else { throw .badToken }
        throw Refusal(
            status: .tooManyRequests,
            text: "there were too many requests without a log-in; go on in \(allowance.reset) seconds",
            fields: [.retryAfter: HTTPFieldValue(allowance.reset)])
    }

    /// The session of a request that changes something. The value of `T` does not matter: clients leave it out, or send it empty.
    func writingSession(_ session: Session, for request: HTTPRequest) throws(Refusal) {
        guard request.method == .post else { throw .notPosted }
        guard session.mayBeUsed(for: .write) else { throw .readOnly }
    }

    /// Returns the token behind `GoogleLogin auth=`.
    static func token(in request: HTTPRequest) -> SessionToken? {
        guard let field = request.fields[.authorization]?.text else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1).map { $0.drop { $0 == " " } }
        guard parts.count == 2, parts[0].lowercased() == "googlelogin", parts[1].hasPrefix("auth=") else { return nil }
        return SessionToken(String(parts[1].dropFirst("auth=".count)))
    }

    /// Answers the token of a new session, or the API token that was given as the password.
    ///
    /// Anything that is not an API token of that user is checked as a password, so that each wrong secret costs the same and is
    /// counted. A password is accepted only in the body: logs contain addresses.
    func logIn(_ request: HTTPRequest) async throws(Refusal) -> HTTPResponse {
        guard request.method == .post else { throw .notPosted }
        let form = try Parameters(bodyOf: request)
        guard let name = form["Email"], let password = form["Passwd"] else {
            throw .badRequest("Error=BadAuthentication\nInfo=Email and Passwd are needed")
        }
        let token = try await token(of: name, password: password, client: form["source"], from: request.peer).text
        guard form["output"] != "json" else {
            return HTTPResponse(json: ["SID": .string(token), "LSID": .string(token), "Auth": .string(token)])
        }
        return HTTPResponse(text: "SID=\(token)\nLSID=\(token)\nAuth=\(token)\n")
    }

    private func token(
        of name: String, password: String, client: String?, from peer: PeerAddress
    ) async throws(Refusal) -> SessionToken {
        do {
            if let token = SessionToken(password), token.isAPIToken,
                let session = try await services.auth.currentSession(token: token),
                let username = try? Username(name), session.user.username == username
            {
                return token
            }
            let client = client.flatMap { $0.isEmpty ? nil : $0 } ?? "Google Reader API"
            let (session, token, _) = try await services.auth.logIn(
                username: name, password: Password(password), client: client, from: Origin(peer))
            // Sessions that cannot be ended now are ended at the next log-in.
            try? await endSessions(like: session, token: token)
            return token
        } catch let error as AuthError {
            throw Refusal(logIn: error)
        } catch {
            throw .unavailable
        }
    }
}

extension GoogleReader {
    /// How many sessions clients of one name at one address have: several devices behind one router.
    private static let sessionsOfClient = 10

    /// Ends what sessions like a new one there are beyond that, those that were not used for longest. Some clients log in each time
    /// that they ask, and never log out. Without this limit they would displace the sessions of browsers.
    private func endSessions(like session: Session, token: SessionToken) async throws {
        let alike = try await services.auth.sessions(of: session.user.id, by: .token(token)).filter {
            $0.id != session.id && $0.client == session.client && $0.origin == session.origin
        }
        for old in alike.dropFirst(Self.sessionsOfClient - 1) {
            try await services.auth.revoke(old.id, of: session.user.id, by: .token(token))
        }
    }
}

extension Refusal {
    fileprivate init(logIn error: AuthError) {
        switch error {
        case .secondFactorNeeded:
            let reason = "this account has a second factor; make an API token and give that as the password"
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
    /// The address that attempts are counted for.
    fileprivate init(_ peer: PeerAddress) {
        switch peer {
        case .internet(let host, _): self.init(address: host)
        case .local: self.init("local")
        }
    }
}
