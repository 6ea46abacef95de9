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
        let bytes = ([Array(kind.utf8)] + parts).flatMap { part in
            withUnsafeBytes(of: UInt32(part.count).littleEndian, Array.init) + part
        }
        self.init(key: Sodium.sha256(bytes), rule: rule)
    }
}

extension ThrottlePolicy {
    /// What a log-in from a device counts in that the user has logged in from before.
    func counters(of device: DeviceToken, knownTo username: Username) -> [AttemptCounter] {
        [AttemptCounter("device", Array(username.text.utf8), device.secretHash, rule: guesses)]
    }

    /// What a log-in from anywhere else counts in, whether or not there is such a user.
    func counters(of username: Username, from origin: Origin) -> [AttemptCounter] {
        guesses(at: username, from: origin) + [
            AttemptCounter("origin", Array(origin.text.utf8), rule: self.origin),
            AttemptCounter("strangers", rule: strangers),
        ]
    }

    /// What of that is counted for the one name.
    func guesses(at username: Username, from origin: Origin) -> [AttemptCounter] {
        [
            AttemptCounter("guesses", Array(username.text.utf8), Array(origin.text.utf8), rule: guesses),
            inARow(username),
        ]
    }

    /// The failures in a row of strangers for one name.
    func inARow(_ username: Username) -> AttemptCounter {
        AttemptCounter("row", Array(username.text.utf8), rule: .limit(limit, memory: memory))
    }

    /// What a password counts in that is asked for in a session.
    func counters(of session: Session.ID) -> [AttemptCounter] {
        [AttemptCounter("session", Array(session.description.utf8), rule: guesses)]
    }

    /// What a code of the second factor counts in: from a device that the user has logged in from before, alone.
    func codeCounters(of user: User.ID, on device: DeviceToken? = nil) -> [AttemptCounter] {
        let id = Array(user.description.utf8)
        if let device { return [AttemptCounter("codes", id, device.secretHash, rule: guesses)] }
        return [
            AttemptCounter("codes", id, rule: guesses),
            AttemptCounter("codes in a row", id, rule: .limit(limit, memory: memory)),
        ]
    }

    /// What making an account counts in, and asking whether a name is free.
    func registrationCounters(from origin: Origin) -> [AttemptCounter] {
        [
            AttemptCounter("registrations", Array(origin.text.utf8), rule: registrations),
            AttemptCounter("registrations", rule: allRegistrations),
        ]
    }

    /// What choosing a password by a code counts in.
    func resetCounters(from origin: Origin) -> [AttemptCounter] {
        [
            AttemptCounter("resets", Array(origin.text.utf8), rule: registrations),
            AttemptCounter("resets", rule: allRegistrations),
        ]
    }
}
