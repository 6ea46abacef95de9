/// What failed attempts have in common that are counted together, and how they slow down the next.
public struct AttemptCounter: Hashable, Sendable {
    /// What they have in common, as a SHA-256: 32 bytes. People type passwords into the name field, and where somebody is
    /// is nobody's business.
    public let key: [UInt8]
    /// How they slow down the next.
    public let rule: ThrottleRule

    /// A counter.
    public init(key: [UInt8], rule: ThrottleRule) {
        self.key = key
        self.rule = rule
    }

    /// A counter of what `parts` name. Each is preceded by its length, so that no two lists of them are one text.
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
    /// The counters of a log-in that belong to the caller: the device, the known origin, or the origin with its site and
    /// all strangers.
    package func ownCounters(of username: Username, from origin: Origin, as standing: Standing) -> [AttemptCounter] {
        let guesses = guesses(at: username, from: origin)
        switch standing {
        case .device(let device):
            return [AttemptCounter("device", Array(username.text.utf8), device.secretHash, rule: self.guesses)]
        case .origin:
            return guesses
        case .newcomer, .stranger:
            let origins = nested("origin", in: origin, rules: [self.origin, site])
            return guesses + origins + [AttemptCounter("strangers", standing.group, rule: strangers)]
        }
    }

    /// The counter of a log-in that strangers share because they log in to the same name, whether or not it has an account.
    package func sharedCounters(of username: Username, as standing: Standing) -> [AttemptCounter] {
        switch standing {
        case .device, .origin: []
        case .newcomer, .stranger: [AttemptCounter("name", Array(username.text.utf8), standing.group, rule: name)]
        }
    }

    /// The counters of one name from one origin and its site.
    func guesses(at username: Username, from origin: Origin) -> [AttemptCounter] {
        nested("guesses", Array(username.text.utf8), in: origin, rules: [guesses, siteGuesses])
    }

    /// The mark that a user has logged in from an origin.
    func place(_ origin: Origin, of username: Username) -> AttemptCounter {
        AttemptCounter(
            "place", Array(username.text.utf8), Array(origin.text.utf8), rule: .tally(memory: originLifetime))
    }

    /// The counters that decide the standing of an origin, and the standing that follows from their counts.
    package func history(of username: Username, from origin: Origin) -> (
        counters: [AttemptCounter], standing: ([Int]) -> Standing
    ) {
        let guesses = guesses(at: username, from: origin)
        let origins = nested("origin", in: origin, rules: [self.origin, site])
        return (
            [place(origin, of: username)] + guesses + origins,
            { counts in
                if counts[0] > 0 { return .origin }
                let isNew =
                    counts[1...].prefix(guesses.count).allSatisfy { $0 < trials.name }
                    && counts.suffix(origins.count).allSatisfy { $0 < trials.all }
                return isNew ? .newcomer : .stranger
            }
        )
    }

    /// The counters of a password that is asked for in a session.
    func counters(of session: Session.ID) -> [AttemptCounter] {
        [AttemptCounter("session", Array(session.description.utf8), rule: guesses)]
    }

    /// The counters of a code of the second factor: those of a known device or origin alone, or those of all others.
    func codeCounters(of user: User.ID, from origin: Origin = .unknown, as standing: Standing = .stranger)
        -> [AttemptCounter]
    {
        let id = Array(user.description.utf8)
        switch standing {
        case .device(let device):
            return [AttemptCounter("codes", id, device.secretHash, rule: guesses)]
        case .origin:
            return [AttemptCounter("codes from", id, Array(origin.text.utf8), rule: guesses)]
        case .newcomer, .stranger:
            return [
                AttemptCounter("codes", id, rule: guesses),
                AttemptCounter("codes in a row", id, rule: .limit(limit, memory: memory)),
            ]
        }
    }

    /// The counters of an origin that makes an account or asks whether a name is free.
    func registrationCounters(from origin: Origin) -> [AttemptCounter] {
        nested("registrations", in: origin, rules: [registrations, siteRegistrations])
    }

    /// The counter of all accounts that are made, by origins that have asked `count` times.
    func registrationTotal(after count: Int) -> AttemptCounter {
        let standing = count <= trials.name ? Standing.newcomer : .stranger
        return AttemptCounter("registrations", standing.group, rule: allRegistrations)
    }

    /// The counters of wrong reset codes.
    func resetCounters(from origin: Origin) -> [AttemptCounter] {
        nested("resets", in: origin, rules: [registrations, siteRegistrations])
    }

    /// A counter for each network that contains the origin.
    private func nested(_ kind: String, _ parts: [UInt8]..., in origin: Origin, rules: [ThrottleRule])
        -> [AttemptCounter]
    {
        zip(origin.networks, rules).map { network, rule in
            AttemptCounter(kind, parts: parts + [Array(network.text.utf8)], rule: rule)
        }
    }
}

extension Standing {
    /// The group whose shared counters apply.
    fileprivate var group: [UInt8] {
        if case .newcomer = self { Array("new".utf8) } else { Array("other".utf8) }
    }
}
