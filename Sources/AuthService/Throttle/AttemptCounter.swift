/// A counter of failed attempts that have something in common, with the rule that slows down further attempts.
public struct AttemptCounter: Hashable, Sendable {
    /// The SHA-256 of what the attempts have in common: 32 bytes. It is hashed because users sometimes type passwords
    /// into the name field, and their origin is private.
    public let key: [UInt8]
    /// The rule that slows down further attempts.
    public let rule: ThrottleRule

    /// Creates a counter.
    public init(key: [UInt8], rule: ThrottleRule) {
        self.key = key
        self.rule = rule
    }

    /// Creates a counter from the parts that identify it. Each is preceded by its length, so that different lists never
    /// give the same text.
    fileprivate init(_ kind: String, _ parts: [UInt8]..., rule: ThrottleRule) {
        self.init(kind, parts: parts, rule: rule)
    }

    fileprivate init(_ kind: String, parts: [[UInt8]], rule: ThrottleRule) {
        let bytes = ([Array(kind.utf8)] + parts).flatMap { part in
            withUnsafeBytes(of: UInt32(part.count).littleEndian, Array.init) + part
        }
        self.init(key: Sodium.sha256(bytes), rule: rule)
    }
}

extension ThrottlePolicy {
    /// Returns the counters of a login that belong to the caller: that of the device, of the known origin, or of the
    /// unknown origin with its site and all strangers.
    package func ownCounters(of username: Username, from origin: Origin, as standing: Standing) -> [AttemptCounter] {
        let guesses = guessCounters(for: username, from: origin)
        switch standing {
        case .device(let device):
            return [AttemptCounter("device", Array(username.text.utf8), device.secretHash, rule: perNameAndOrigin)]
        case .origin:
            return guesses
        case .newcomer, .stranger:
            let origins = nested("origin", in: origin, rules: [perOrigin, perSite])
            return guesses + origins + [AttemptCounter("strangers", standing.group, rule: allStrangers)]
        }
    }

    /// Returns the counter of a login that strangers with the same name share, whether or not the account exists.
    package func sharedCounters(of username: Username, as standing: Standing) -> [AttemptCounter] {
        switch standing {
        case .device, .origin: []
        case .newcomer, .stranger: [AttemptCounter("name", Array(username.text.utf8), standing.group, rule: perName)]
        }
    }

    /// Returns the counters of one name from one origin and its site.
    func guessCounters(for username: Username, from origin: Origin) -> [AttemptCounter] {
        nested("guesses", Array(username.text.utf8), in: origin, rules: [perNameAndOrigin, perNameAndSite])
    }

    /// Returns the counter that marks that a user has logged in from an origin.
    func knownOriginCounter(_ origin: Origin, of username: Username) -> AttemptCounter {
        // "place" is part of the stored hash: with another text, all known origins would be forgotten.
        AttemptCounter(
            "place", Array(username.text.utf8), Array(origin.text.utf8), rule: .tally(memory: originLifetime))
    }

    /// Returns the counters that determine the standing of an origin, and a function that derives the standing from
    /// their counts.
    package func history(of username: Username, from origin: Origin) -> (
        counters: [AttemptCounter], standing: ([Int]) -> Standing
    ) {
        let guesses = guessCounters(for: username, from: origin)
        let origins = nested("origin", in: origin, rules: [perOrigin, perSite])
        return (
            [knownOriginCounter(origin, of: username)] + guesses + origins,
            { counts in
                if counts[0] > 0 { return .origin }
                let isNew =
                    counts[1...].prefix(guesses.count).allSatisfy { $0 < newcomerFailures.name }
                    && counts.suffix(origins.count).allSatisfy { $0 < newcomerFailures.all }
                return isNew ? .newcomer : .stranger
            }
        )
    }

    /// Returns the counters of password confirmations in a session.
    func counters(of session: Session.ID) -> [AttemptCounter] {
        [AttemptCounter("session", Array(session.description.utf8), rule: perNameAndOrigin)]
    }

    /// Returns the counters of second-factor codes: those of a known device or origin, or the shared ones of all
    /// others.
    func codeCounters(of user: User.ID, from origin: Origin = .unknown, as standing: Standing = .stranger)
        -> [AttemptCounter]
    {
        let id = Array(user.description.utf8)
        switch standing {
        case .device(let device):
            return [AttemptCounter("codes", id, device.secretHash, rule: perNameAndOrigin)]
        case .origin:
            return [AttemptCounter("codes from", id, Array(origin.text.utf8), rule: perNameAndOrigin)]
        case .newcomer, .stranger:
            return [
                AttemptCounter("codes", id, rule: perNameAndOrigin),
                AttemptCounter("codes in a row", id, rule: .limit(maximumFailuresInARow, memory: inARowLifetime)),
            ]
        }
    }

    /// Returns the counters of an origin that creates an account or asks whether a name is free.
    func registrationCounters(from origin: Origin) -> [AttemptCounter] {
        nested("registrations", in: origin, rules: [registrations, siteRegistrations])
    }

    /// Returns the counter of all new accounts, for origins that have asked `count` times.
    func registrationTotal(after count: Int) -> AttemptCounter {
        let standing = count <= newcomerFailures.name ? Standing.newcomer : .stranger
        return AttemptCounter("registrations", standing.group, rule: allRegistrations)
    }

    /// Returns the counters of wrong reset codes.
    func resetCounters(from origin: Origin) -> [AttemptCounter] {
        nested("resets", in: origin, rules: [registrations, siteRegistrations])
    }

    /// Returns a counter for each network that contains the origin.
    private func nested(_ kind: String, _ parts: [UInt8]..., in origin: Origin, rules: [ThrottleRule])
        -> [AttemptCounter]
    {
        zip(origin.networks, rules).map { network, rule in
            AttemptCounter(kind, parts: parts + [Array(network.text.utf8)], rule: rule)
        }
    }
}

extension Standing {
    /// The group of callers that share counters.
    fileprivate var group: [UInt8] {
        if case .newcomer = self { Array("new".utf8) } else { Array("other".utf8) }
    }
}

/// How well the service knows a caller that logs in to a name.
package enum Standing: Sendable {
    /// A device from which the user has logged in before.
    case device(DeviceToken)
    /// An origin from which the user has logged in, or used a reset code, in the last `ThrottlePolicy.originLifetime`.
    case origin
    /// An unknown caller with fewer failures than `ThrottlePolicy.newcomerFailures`.
    case newcomer
    /// An unknown caller with more failures.
    case stranger

    /// The known device, if there is one.
    var device: DeviceToken? {
        if case .device(let device) = self { device } else { nil }
    }

    /// The place in the queue for hashing a password.
    func turn(from origin: Origin) -> HashQueue.Turn {
        switch self {
        case .device(let device): HashQueue.Turn(.known, device.text)
        case .origin: HashQueue.Turn(.known, origin.text)
        case .newcomer: HashQueue.Turn(.newcomer, origin.site.text)
        case .stranger: HashQueue.Turn(.other, origin.site.text)
        }
    }
}
