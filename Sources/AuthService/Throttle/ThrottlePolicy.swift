/// How failed attempts slow down the next. All times are in seconds.
///
/// Nobody is kept out by the guesses of others: they are counted by where they come from, and a device that a user has
/// logged in from before is counted by itself. Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
public struct ThrottlePolicy: Hashable, Sendable {
    /// For one name from one origin; for one device that is known; for the password in one session.
    public var guesses: ThrottleRule
    /// After how many failures in a row a known device becomes a stranger, and a session ends in which the password is
    /// guessed; and how many there may be for one name from all strangers together. Then only known devices get in, and
    /// who has the password reset. Source: NIST SP 800-63B-4, 3.2.2.
    public var limit: Int
    /// For how long the failures of strangers are kept since the last. It is the same for names that are nobody's, or it would
    /// tell who has an account.
    public var memory: Int
    /// For all names from one origin.
    public var origin: ThrottleRule
    /// For all strangers together: what else would bound a guesser with many origins and many names.
    public var strangers: ThrottleRule
    /// For accounts that one origin makes or asks for, and apart from them for the codes by which it chooses passwords. Each
    /// counts, made or not.
    public var registrations: ThrottleRule
    /// For accounts that are made or asked for in all, and apart from them for codes.
    public var allRegistrations: ThrottleRule
    /// How many counts are kept. Beyond it, that which would be forgotten first is, so that no attempts fill a disk.
    public var counters: Int
    /// How many devices are known of one user. Beyond it, that which was used least recently is forgotten.
    public var devices: Int
    /// For how long a device is known that is not used.
    public var deviceLifetime: Int
    /// For how long an attempt is held back at most before it is refused. An attempt counts as failed while its password is
    /// looked at, so that of many guesses at once no more are admitted than in turn; with some patience, right passwords
    /// at once wait for each other instead of being refused.
    public var patience: Int

    /// A policy: five guesses free, then a delay from 1 s to 15 minutes, forgotten after a day; a hundred in a row; a
    /// hundred from one origin and one a minute more; refused at once; unless told otherwise.
    public init(
        guesses: ThrottleRule = .doubling(free: 5, first: 1, longest: 900, memory: 86_400), limit: Int = 100,
        memory: Int = 365 * 86_400, origin: ThrottleRule = .rate(free: 100, interval: 60),
        strangers: ThrottleRule = .rate(free: 1_000, interval: 1),
        registrations: ThrottleRule = .rate(free: 60, interval: 60),
        allRegistrations: ThrottleRule = .rate(free: 1_000, interval: 5), counters: Int = 50_000, devices: Int = 20,
        deviceLifetime: Int = 365 * 86_400, patience: Int = 0
    ) {
        self.guesses = guesses
        self.limit = limit
        self.memory = memory
        self.origin = origin
        self.strangers = strangers
        self.registrations = registrations
        self.allRegistrations = allRegistrations
        self.counters = counters
        self.devices = devices
        self.deviceLifetime = deviceLifetime
        self.patience = patience
    }
}
