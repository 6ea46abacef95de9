internal import Text

/// The audit log.
extension AuthService {
    /// Returns events of the log, latest first.
    ///
    /// - Throws: `AuthError.notLoggedIn`; `notAllowed` if the caller is not an operator.
    public func events(matching query: AuditQuery, by authority: Authority) async throws -> [AuditRecord] {
        _ = try await caller(authority, atLeast: .operator, scope: .read)
        return try await store.events(matching: query)
    }

    /// Returns the first place where the log was modified; nil if it is intact.
    ///
    /// - Throws: `AuthError.notLoggedIn`; `notAllowed` if the caller is not an operator.
    public func verifyLog(by authority: Authority) async throws -> AuditFault? {
        _ = try await caller(authority, atLeast: .operator, scope: .read)
        return try await store.verifyAuditLog()
    }

    /// Records an action that other services are about to perform. A long detail is cut.
    ///
    /// To record a change of the library, the caller must be an editor, even if the front has forgotten to check that.
    ///
    /// - Throws: `AuthError.notLoggedIn`; `notAllowed` or `outOfScope` if the caller may not perform the action.
    public func record(_ kind: AuditEvent.Kind, detail: String, by authority: Authority, client: String = "")
        async throws
    {
        let (role, scope): (Role, APIToken.Scope) = kind == .libraryChanged ? (.editor, .write) : (.reader, .read)
        let caller = try await caller(authority, atLeast: role, scope: scope)
        let event = caller.event(kind, at: now, client: shortened(client), detail: shortened(detail))
        try await kind == .accessRefused ? recordRefusal(event) : store.record([event])
    }

    /// Returns the event for an action of the person who runs the program, to be recorded in the transaction of the action.
    ///
    /// - Parameter user: The name of that person on the machine.
    package func event(
        _ kind: AuditEvent.Kind, detail: String, bySystemUser user: String, client: String
    ) -> AuditEvent {
        Caller.system(user).event(kind, at: now, client: shortened(client), detail: shortened(detail))
    }

    /// Records that an operation was refused. It records the same operation at most once per hour in a session, and at
    /// most a hundred refusals, so that repeated requests do not fill the log.
    func recordRefusal(_ event: AuditEvent) async throws {
        let query = AuditQuery(
            user: event.userID, kind: .accessRefused, since: event.at.addingTimeInterval(-3600), limit: 100)
        let known = try await store.events(matching: query).map(\.event)
        let isKnown = known.contains {
            $0.detail == event.detail && $0.sessionID == event.sessionID && $0.actor == event.actor
        }
        if !isKnown, known.count < query.limit { try await store.record([event]) }
    }

    /// Removes sessions that have ended and, at most once per day, events that are older than the policy permits.
    func removeExpired(at now: Date) async throws {
        let oldest = now.addingTimeInterval(-accountPolicy.logLifetime)
        try await store.removeExpired(
            at: now, idleSince: now.addingTimeInterval(-sessionPolicy.idleLifetime), eventsBefore: oldest,
            onceBefore: oldest.addingTimeInterval(-86_400), recording: AuditEvent(.logPruned, at: now, client: ""))
    }
}
