/// Codes that a login requires in addition to the password.
extension AuthService {
    /// Completes a login whose password was correct.
    ///
    /// Attempts are counted per user, regardless of the origin, because the caller knows the password. Devices and
    /// origins from which the user has logged in before have their own counts, so that an attacker who knows the
    /// password cannot lock the user out there. A correct recovery code is always accepted: with 140 random bits,
    /// guessing is hopeless.
    ///
    /// - Parameters:
    ///   - pending: the value in `LoginResult.codeNeeded`.
    ///   - code: a code of the authenticator, or a recovery code, as it was typed. Each is accepted once.
    /// - Returns: the new session.
    /// - Throws: `AuthError.wrongCode`, `throttled`, `blocked`; `logInEnded` if it took too long or the user has
    ///   changed.
    public func completeLogIn(_ pending: PendingLogin, code: String) async throws -> NewSession {
        guard pending.isOpen(at: now), let factor = try await store.secondFactor(of: pending.user.id) else {
            throw AuthError.logInEnded
        }
        let counters = throttlePolicy.codeCounters(of: pending.user.id, from: pending.origin, as: pending.standing)
        if let recoveryCode = OneTimeCode(code), try await use(recoveryCode, of: factor, for: pending) {
            try await store.recordSuccess(counters)
            guard let opened = try await open(pending) else { throw AuthError.logInEnded }
            return opened
        }
        let failures = try await admit(counters)
        guard try await use(code, of: factor, for: pending, counting: counters) else {
            try await recordFailure(
                .secondFactorFailed, failures, user: pending.user.id, client: pending.client, from: pending.origin)
            try await forget(pending.standing.device, of: pending.user.id, after: failures)
            throw AuthError.wrongCode
        }
        try await store.recordSuccess(counters)
        guard let opened = try await open(pending) else { throw AuthError.logInEnded }
        return opened
    }

    /// Returns whether a code of the authenticator is correct, and marks it as used. If an error prevents the check,
    /// the attempt does not count.
    private func use(
        _ code: String, of factor: StoredSecondFactor, for pending: PendingLogin, counting counters: [AttemptCounter]
    ) async throws -> Bool {
        do {
            guard let step = factor.secret.step(of: code, at: now, after: factor.lastStep) else { return false }
            return try await store.use(step: step, of: pending.user.id, by: factor.secret)
        } catch {
            try? await store.withdrawAttempt(counters)
            throw error
        }
    }

    /// Returns whether a recovery code is correct, and removes it.
    private func use(_ code: OneTimeCode, of factor: StoredSecondFactor, for pending: PendingLogin) async throws -> Bool
    {
        let event = AuditEvent(
            .recoveryCodeUsed, at: now, userID: pending.user.id, client: pending.client, origin: pending.origin,
            detail: "\(factor.factor.recoveryCodes - 1)")
        return try await store.use(recoveryCode: code.hash, of: pending.user.id, recording: event)
    }

    /// Returns the second factor of the token's user; nil if there is none.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`.
    public func secondFactor(token: SessionToken) async throws -> SecondFactor? {
        try await store.secondFactor(of: interactiveSession(for: token).user.id)?.factor
    }

    /// Returns a secret for a new second factor. It is not stored before `addSecondFactor(_:code:token:)`.
    public func newSecret() -> TOTPSecret { TOTPSecret(randomBytes: randomBytes) }

    /// Sets up a second factor for the token's user. From now on, a login requires a code. Sessions stay open.
    ///
    /// - Parameters:
    ///   - secret: the secret in the user's authenticator, from `newSecret()`.
    ///   - code: a code of the authenticator as it was typed. It proves that the authenticator is set up correctly, so
    ///     that the user does not lock themselves out.
    ///   - token: the token of a login of the user.
    /// - Returns: recovery codes, each of which replaces a code once. They cannot be retrieved later.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`, `passwordNeeded`, `wrongCode`, `secondFactorThere`.
    public func addSecondFactor(_ secret: TOTPSecret, code: String, token: SessionToken) async throws -> [OneTimeCode] {
        let session = try await confirmedSession(for: token)
        guard let step = secret.step(of: code, at: now, after: 0) else { throw AuthError.wrongCode }
        let codes = newRecoveryCodes()
        let event = event(.secondFactorAdded, in: session)
        guard
            try await store.addSecondFactor(
                secret, step: step, recoveryCodes: codes.map(\.hash), to: session.user, recording: event)
        else {
            let isThere = try await store.secondFactor(of: session.user.id) != nil
            throw isThere ? AuthError.secondFactorThere : .notLoggedIn
        }
        return codes
    }

    /// Replaces the recovery codes of the token's user. The previous ones become invalid.
    ///
    /// - Returns: the codes, which cannot be retrieved later.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`, `passwordNeeded`, `noSecondFactor`.
    public func renewRecoveryCodes(token: SessionToken) async throws -> [OneTimeCode] {
        let session = try await confirmedSession(for: token)
        let codes = newRecoveryCodes()
        let event = event(.recoveryCodesRenewed, in: session)
        guard
            try await store.replaceRecoveryCodes(
                of: session.user.id, by: codes.map(\.hash), recording: event)
        else { throw AuthError.noSecondFactor }
        return codes
    }

    /// Removes the second factor of the token's user. From now on, the password alone is enough.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`, `passwordNeeded`, `noSecondFactor`.
    public func removeSecondFactor(token: SessionToken) async throws {
        let session = try await confirmedSession(for: token)
        let event = event(.secondFactorRemoved, in: session)
        guard try await store.removeSecondFactor(of: session.user.id, recording: event) else {
            throw AuthError.noSecondFactor
        }
    }

    private func newRecoveryCodes() -> [OneTimeCode] {
        (0..<accountPolicy.recoveryCodes).map { _ in OneTimeCode(randomBytes: randomBytes) }
    }
}
