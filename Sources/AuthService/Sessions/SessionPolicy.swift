public import Essentials

/// How long sessions last, and how many there may be. All times are in seconds.
public struct SessionPolicy: Hashable, Sendable {
    /// The longest that a session lasts, however much it is used.
    public let lifetime: TimeInterval
    /// The longest that it lasts without being used.
    public let idleLifetime: TimeInterval
    /// How old the stored time of last use may grow before it is written anew, so that reading does not write each time.
    public let touchInterval: TimeInterval
    /// How long after the password was given in a session that is done which takes it, such as ending other sessions.
    public let confirmationLifetime: TimeInterval
    /// How many sessions a user may have open. With one more, the one that began first ends.
    public let limit: Int

    /// A policy: 30 days, 7 days without use, written every 5 minutes, an hour after the password, 100 of a user, unless told
    /// otherwise.
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

    /// What a session is at some time.
    enum State {
        case open
        case ended
        /// The time is before the session was last used, so the clock was set back, and how old the session is cannot be
        /// known. It is refused, or a stolen token would live as long as the clock is held back; but not ended, because
        /// the session is in order once the clock is.
        case clockSetBack
    }

    /// What `session` is at the time `now`. A clock that is corrected by less than `touchInterval` does not matter.
    func state(of session: Session, at now: Date) -> State {
        if now >= session.expiresAt || now >= session.lastUsedAt.addingTimeInterval(idleLifetime) { return .ended }
        return now < session.lastUsedAt.addingTimeInterval(-touchInterval) ? .clockSetBack : .open
    }

    /// Whether the password was given in `session` a short while before `now`.
    func isConfirmed(_ session: Session, at now: Date) -> Bool {
        let age = now.timeIntervalSince(session.confirmedAt)
        return age < confirmationLifetime && age >= -touchInterval
    }

    /// Whether a session in use at `now` should have that written down. Never backwards.
    func shouldTouch(_ session: Session, at now: Date) -> Bool {
        now >= session.lastUsedAt.addingTimeInterval(touchInterval)
    }
}
