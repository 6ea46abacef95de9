public import Text

/// The lifetime and the number of sessions. All times are in seconds.
public struct SessionPolicy: Hashable, Sendable {
    /// The maximum lifetime of a session, even if it is used.
    public let lifetime: TimeInterval
    /// The maximum time without use.
    public let idleLifetime: TimeInterval
    /// The age at which the stored time of the last use is updated, so that reading does not write each time.
    public let touchInterval: TimeInterval
    /// The time after a password confirmation in which operations that require the password are permitted, such as
    /// ending other sessions.
    public let confirmationLifetime: TimeInterval
    /// The maximum number of open sessions of a user. Beyond it, the oldest session ends.
    public let limit: Int

    /// Creates a policy. The defaults are: 30 days, 7 days without use, updates every 5 minutes, one hour after the
    /// password, and 100 sessions per user.
    public init(
        lifetime: TimeInterval = 30 * 86_400, idleLifetime: TimeInterval = 7 * 86_400,
        touchInterval: TimeInterval = 300, confirmationLifetime: TimeInterval = 3_600, limit: Int = 100
    ) {
        self.lifetime = lifetime
        self.idleLifetime = idleLifetime
        self.touchInterval = touchInterval
        self.confirmationLifetime = confirmationLifetime
        self.limit = max(1, limit)
    }

    /// The state of a session at a given time.
    enum State {
        case open
        case ended
        /// The time is before the last use of the session, so the clock was set back, and the age of the session is
        /// unknown. The session is refused; otherwise a stolen token would stay valid as long as the clock is wrong. It
        /// is not ended, because it is valid again once the clock is correct.
        case clockSetBack
    }

    /// Returns the state of `session` at the time `now`. Clock corrections of less than `touchInterval` are ignored.
    func state(of session: Session, at now: Date) -> State {
        if now >= session.expiresAt || now >= session.lastUsedAt.addingTimeInterval(idleLifetime) { return .ended }
        return now < session.lastUsedAt.addingTimeInterval(-touchInterval) ? .clockSetBack : .open
    }

    /// Returns whether the password was confirmed in `session` shortly before `now`.
    func isConfirmed(_ session: Session, at now: Date) -> Bool {
        let age = now.timeIntervalSince(session.confirmedAt)
        return age < confirmationLifetime && age >= -touchInterval
    }

    /// Returns whether to update the time of the last use. It never moves backwards.
    func shouldTouch(_ session: Session, at now: Date) -> Bool {
        now >= session.lastUsedAt.addingTimeInterval(touchInterval)
    }
}
