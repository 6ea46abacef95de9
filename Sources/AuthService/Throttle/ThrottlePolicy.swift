/// The delays after failed attempts. All times are in seconds.
///
/// The policy slows strangers down, but never locks a user out forever. A caller belongs to one of four groups
/// (`Standing`): a device or an origin from which the user has logged in before, a newcomer, or an unknown origin that
/// has failed before. Each group has its own counters, so that the guesses of one group do not delay another. Source:
/// OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
public struct ThrottlePolicy: Hashable, Sendable {
    /// The rule for logins with one name from one origin. It also applies to a known device, and to the confirmations
    /// of the password in a session.
    public var perNameAndOrigin: ThrottleRule
    /// The rule for logins with one name from one site, which is the IPv6 network of 48 bits around an origin.
    public var perNameAndSite: ThrottleRule
    /// The number of failures in a row after which a known device counts as a stranger's, a session with password
    /// guesses ends, and codes of the authenticator are refused until the password changes (a person who guesses codes
    /// knows the password). A recovery code is still accepted. Source: NIST SP 800-63B-4, 3.2.2.
    public var maximumFailuresInARow: Int
    /// The time after which wrong codes in a row are forgotten.
    public var inARowLifetime: Int
    /// The rule for logins with one name from all newcomers together, and separately from all other strangers. It also
    /// applies to names without an account, because a difference would reveal which accounts exist.
    public var perName: ThrottleRule
    /// The rule for logins with any name from one origin.
    public var perOrigin: ThrottleRule
    /// The rule for logins with any name from one site.
    public var perSite: ThrottleRule
    /// The rule for all newcomers together, and separately for all other strangers. It limits an attacker with many origins and
    /// names.
    public var allStrangers: ThrottleRule
    /// The number of failures of an origin, for one name and for all names, below which it counts as a newcomer.
    public var newcomerFailures: (name: Int, all: Int) {
        get { (nameNewcomerFailures, allNewcomerFailures) }
        set { (nameNewcomerFailures, allNewcomerFailures) = newValue }
    }
    private var nameNewcomerFailures: Int
    private var allNewcomerFailures: Int
    /// The rule for accounts that one origin creates or asks about, and separately for wrong reset codes.
    public var registrations: ThrottleRule
    /// The rule for accounts that one site creates or asks about, and separately for wrong reset codes.
    public var siteRegistrations: ThrottleRule
    /// The rule for all accounts created by newcomers, and separately by other origins. A taken name does not count.
    public var allRegistrations: ThrottleRule
    /// The maximum number of stored counters, so that attempts cannot fill the disk. Those that expire first are
    /// removed.
    public var maximumCounters: Int
    /// The maximum number of known devices per user. Beyond it, the least recently used device is forgotten.
    public var maximumDevicesPerUser: Int
    /// The time after which an unused device is forgotten.
    public var deviceLifetime: Int
    /// The time after the last login from an origin after which the origin is forgotten.
    public var originLifetime: Int
    /// The maximum time that an attempt is delayed before it is refused. An attempt counts as failed while its password
    /// is checked, so that parallel guesses are admitted no more often than sequential ones. With some patience,
    /// parallel logins with correct passwords wait for each other instead of being refused.
    public var patience: Int

    /// The default policy. [Security](security.md) lists the numbers.
    public init(
        perNameAndOrigin: ThrottleRule = .doubling(free: 5, first: 1, longest: 900, memory: 86_400),
        perNameAndSite: ThrottleRule = .doubling(free: 20, first: 1, longest: 900, memory: 86_400),
        maximumFailuresInARow: Int = 100,
        inARowLifetime: Int = 365 * 86_400, perName: ThrottleRule = .rate(free: 200, interval: 200),
        perOrigin: ThrottleRule = .rate(free: 100, interval: 60),
        perSite: ThrottleRule = .rate(free: 200, interval: 30),
        allStrangers: ThrottleRule = .rate(free: 1_000, interval: 1), newcomerFailures: (name: Int, all: Int) = (3, 20),
        registrations: ThrottleRule = .rate(free: 60, interval: 60),
        siteRegistrations: ThrottleRule = .rate(free: 120, interval: 30),
        allRegistrations: ThrottleRule = .rate(free: 1_000, interval: 5), maximumCounters: Int = 50_000,
        maximumDevicesPerUser: Int = 20,
        deviceLifetime: Int = 365 * 86_400, originLifetime: Int = 30 * 86_400, patience: Int = 0
    ) {
        self.perNameAndOrigin = perNameAndOrigin
        self.perNameAndSite = perNameAndSite
        self.maximumFailuresInARow = maximumFailuresInARow
        self.inARowLifetime = inARowLifetime
        self.perName = perName
        self.perOrigin = perOrigin
        self.perSite = perSite
        self.allStrangers = allStrangers
        nameNewcomerFailures = newcomerFailures.name
        allNewcomerFailures = newcomerFailures.all
        self.registrations = registrations
        self.siteRegistrations = siteRegistrations
        self.allRegistrations = allRegistrations
        self.maximumCounters = maximumCounters
        self.maximumDevicesPerUser = maximumDevicesPerUser
        self.deviceLifetime = deviceLifetime
        self.originLifetime = originLifetime
        self.patience = patience
    }
}
