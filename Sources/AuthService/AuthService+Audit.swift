internal import Essentials

/// Looking at what happened.
extension AuthService {
    /// The events of the log, the latest first.
    ///
    /// - Throws: `AuthError.notSignedIn`; `notAllowed` unless an operator asks.
    public func events(matching query: AuditQuery, by authority: Authority) async throws -> [AuditRecord] {
        _ = try await doer(authority, atLeast: .operator, scope: .read)
        return try await audit.events(matching: query)
    }

    /// The first place where the log is not as it was written; nil where there is none.
    ///
    /// - Throws: `AuthError.notSignedIn`; `notAllowed` unless an operator asks.
    public func verifyLog(by authority: Authority) async throws -> AuditFault? {
        _ = try await doer(authority, atLeast: .operator, scope: .read)
        return try await audit.verify()
    }

    /// Records what is about to be done that no other method here does, such as a change of the library. Of a long detail the
    /// beginning is kept.
    ///
    /// - Throws: `AuthError.notSignedIn`.
    public func record(_ kind: AuditEvent.Kind, detail: String, by authority: Authority, client: String = "")
        async throws
    {
        let doer = try await doer(authority, atLeast: .reader, scope: .read)
        let event = doer.event(kind, at: now, client: shortened(client), detail: shortened(detail))
        try await kind == .accessRefused ? recordRefusal(event) : audit.record([event])
    }

    /// Records that somebody was refused something: of one thing once an hour in a session, and of a hundred at most, so that
    /// who asks again and again does not fill the log.
    func recordRefusal(_ event: AuditEvent) async throws {
        let query = AuditQuery(
            user: event.userID, kind: .accessRefused, since: event.at.addingTimeInterval(-3600), limit: 100)
        let known = try await audit.events(matching: query).map(\.event)
        let isKnown = known.contains {
            $0.detail == event.detail && $0.sessionID == event.sessionID && $0.actor == event.actor
        }
        if !isKnown, known.count < query.limit { try await audit.record([event]) }
    }

    /// Removes what is older than the policy has it, at most once a day.
    func pruneLog(at now: Date) async throws {
        let oldest = now.addingTimeInterval(-accountPolicy.logLifetime)
        try await audit.prune(
            before: oldest, onceBefore: oldest.addingTimeInterval(-86_400),
            recording: AuditEvent(.logPruned, at: now, client: ""))
    }
}
