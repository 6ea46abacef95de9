package import Text

/// A source that is fetched from the web, and the results of its fetches.
package struct Subscription: Sendable, Hashable, Identifiable {
    /// Whether the source is fetched.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// It is fetched by the schedule.
        case active
        /// The server has removed it permanently (status 410), so it is not fetched any more.
        case ended
    }

    /// The fields of a response that are returned with the next request. They are stored byte for byte (RFC 9110,
    /// section 8.8).
    package struct Validators: Sendable, Hashable {
        /// The value of `ETag`.
        package var entityTag: [UInt8]?
        /// The value of `Last-Modified`.
        package var lastModified: [UInt8]?

        package init(entityTag: [UInt8]? = nil, lastModified: [UInt8]? = nil) {
            (self.entityTag, self.lastModified) = (entityTag, lastModified)
        }

        /// Whether there are none.
        package var isEmpty: Bool { entityTag == nil && lastModified == nil }
    }

    /// The choices of users. The result of a fetch does not change them.
    package struct Settings: Sendable, Hashable {
        /// Whether the main texts of the pages replace the summaries of the feed.
        package var hasFullText = false
        /// Whether the schedule leaves the source out until a user resumes it.
        package var isPaused = false
        /// Whether an article becomes unread again when the feed changes it.
        package var marksChangedUnread = false
        /// The articles that stay after a fetch.
        package var retention = Retention.all

        package init() {}
    }

    /// A permanent redirect that the last responses had.
    package struct Move: Sendable, Hashable {
        /// The address to which it leads.
        package var address: String
        /// The time of its first observation.
        package var since: Date

        package init(to address: String, since: Date) { (self.address, self.since) = (address, since) }
    }

    /// The state of the subscription at a hub, which announces changes of the feed.
    package struct Push: Sendable, Hashable {
        /// The host of the hub.
        package var host: String
        /// The time until which the hub announces changes; nil if it has not confirmed that.
        package var end: Date?
        /// The time of the last announcement; nil before the first one.
        package var lastPing: Date?
        /// The reason why the hub has not confirmed the last request; nil if it has.
        package var problem: String?

        package init(hubAddress: String, end: Date? = nil, lastPing: Date? = nil, problem: String? = nil) {
            (host, self.end, self.lastPing, self.problem) = (Hub.host(of: hubAddress), end, lastPing, problem)
        }

        /// The hub in words.
        ///
        /// - Parameter time: the end of the lease as the front writes times.
        package func words(until time: String?) -> String {
            host.sanitized() + (time.map { " until \($0)" } ?? "") + (problem.map { " (\($0))" } ?? "")
        }
    }

    /// The number of publication dates that are kept.
    package static let keptDates = 10
    /// A time in seconds. A later next fetch is due at once, because the clock was wrong when it was determined.
    package static let longestWait: Double = 9 * 24 * 3_600
    /// The minimum time in seconds from a fetch to one that the hub causes, however often it announces changes.
    package static let pingPause: Double = 60

    /// The number of the source.
    package let id: Source.ID
    /// The address that is fetched.
    package var address: String
    /// Whether the source is fetched.
    package var state = State.active
    /// The time of the next fetch. While a process fetches the source, it is the time at which others may.
    package var nextFetch: Date
    /// The time of the last fetch; nil before the first one.
    package var lastFetch: Date?
    /// The time of the last fetch that succeeded; nil before the first one.
    package var lastSuccess: Date?
    /// The number of fetches that have failed since the last success.
    package var failures = 0
    /// The reason why the last fetch failed, or why the subscription has ended; nil if the last fetch succeeded.
    package var lastError: String?
    /// The validators of the last response whose feed was imported.
    package var validators = Validators()
    /// A hash of the last feed that was imported.
    package var content: Int64?
    /// The permanent redirect that the last responses had; nil without one.
    package var move: Move?
    /// The wishes of the feed.
    package var wishes = FeedWishes()
    /// The address of the icon that the feed states; nil if it states none.
    package var iconAddress: String?
    /// The hub that the feed states; nil if it states none.
    package var hub: Hub?
    /// Whether the last fetch found new articles that the hub had not announced.
    package var isHubSilent = false
    /// The state of the subscription at the hub; nil if the hub was never asked. The result of a fetch does not change it.
    package var push: Push?
    /// Whether there is an icon. The result of a fetch does not change it.
    package var hasIcon = false
    /// The choices of users.
    package var settings = Settings()
    /// Whether new articles are read at once for the user for whom the subscriptions were loaded.
    package var isQuiet = false
    /// Whether there is a password for the address. The result of a fetch does not change it.
    package var hasPassword = false
    /// The publication dates of the latest articles of the source, on which the schedule depends.
    package var latest: [Date] = []

    /// Creates a subscription that was never fetched.
    package init(source: Source.ID, address: String, nextFetch: Date) {
        (id, self.address, self.nextFetch) = (source, address, nextFetch)
    }

    /// The reason of a failure for a response with this status.
    package static func problem(ofStatus status: Int) -> String { "the server responded with status \(status)" }

    /// The problems of servers that limit requests (429) or are overloaded (503).
    package static let waitingProblems = [429, 503].map(problem(ofStatus:))

    /// Whether the server limits requests (429) or is overloaded (503), so that nothing is fetched before the next fetch.
    package var waitsForServer: Bool { lastError.map(Self.waitingProblems.contains) ?? false }

    /// The time until which the hub announces new articles, so that the schedule can wait; nil if it does not.
    package var announcementEnd: Date? { hub == nil || isHubSilent ? nil : push?.end }

    /// Whether the schedule fetches the source.
    package var isScheduled: Bool { state == .active && !settings.isPaused }

    /// The state in a word: `active`, `paused`, or `ended`.
    package var stateWord: String { state == .active && settings.isPaused ? "paused" : state.rawValue }
}

/// A change of the settings of subscriptions. Settings that are nil stay as they are.
package struct SubscriptionChange: Sendable, Hashable {
    /// Whether the main texts of the pages replace the summaries of the feed.
    package var fullText: Bool?
    /// Whether the schedule leaves the source out.
    package var paused: Bool?
    /// Whether an article becomes unread again when the feed changes it.
    package var unreadOnUpdate: Bool?
    /// The articles that stay after a fetch.
    package var retention: Retention?

    /// Creates a change.
    package init(
        fullText: Bool? = nil, paused: Bool? = nil, unreadOnUpdate: Bool? = nil, retention: Retention? = nil
    ) {
        (self.fullText, self.paused) = (fullText, paused)
        (self.unreadOnUpdate, self.retention) = (unreadOnUpdate, retention)
    }

    /// Whether no setting changes.
    package var isEmpty: Bool { self == SubscriptionChange() }

    /// Changes settings.
    package func apply(to settings: inout Subscription.Settings) {
        if let fullText { settings.hasFullText = fullText }
        if let paused { settings.isPaused = paused }
        if let unreadOnUpdate { settings.marksChangedUnread = unreadOnUpdate }
        if let retention { settings.retention = retention }
    }
}

extension SubscriptionChange: CustomStringConvertible {
    /// The change in words, for the audit log.
    package var description: String {
        let switches = [("full text", fullText), ("paused", paused), ("unread on update", unreadOnUpdate)]
        let words = switches.compactMap { name, isOn in isOn.map { "\(name) \($0 ? "on" : "off")" } }
        return (words + (retention.map { ["keep \($0)"] } ?? [])).joined(separator: ", ")
    }
}

extension [Date] {
    /// Creates the times that a JSON array of seconds since 1970 contains; nil if the text is not such an array.
    package init?(secondsInJSON text: String) {
        var text = text
        guard case .array(let numbers)? = text.withUTF8({ try? JSONParser.value(of: $0) }) else { return nil }
        self = numbers.compactMap { number in
            guard case .number(let digits) = number else { return nil }
            return Double(digits).map { Date(timeIntervalSince1970: $0) }
        }
    }

    /// The times as a JSON array of seconds since 1970.
    package var secondsAsJSON: String { "[" + map { String($0.wholeSeconds) }.joined(separator: ",") + "]" }
}

/// The wishes of a feed about the times of its fetches. All are optional.
package struct FeedWishes: Sendable, Hashable {
    /// The time in seconds for which the feed may be kept: `ttl` of RSS 2.0, or the interval of `sy:updatePeriod` and
    /// `sy:updateFrequency` (<https://web.resource.org/rss/1.0/modules/syndication/>).
    package var interval: Double?
    /// The hours of the day in UTC, 0 to 23, in which the feed does not change: `skipHours` of RSS 2.0.
    package var skippedHours: Set<Int> = []
    /// The days of the week in UTC, 0 for Sunday to 6, on which the feed does not change: `skipDays`.
    package var skippedDays: Set<Int> = []

    /// Creates no wishes.
    package init() {}

    /// Creates wishes from their stored form.
    package init(interval: Int?, skippedHours: Int, skippedDays: Int) {
        self.interval = interval.map(Double.init)
        self.skippedHours = Self.numbers(in: skippedHours, below: 24)
        self.skippedDays = Self.numbers(in: skippedDays, below: 7)
    }

    /// The skipped hours as bits of a number, for storage.
    package var hourBits: Int { Self.bits(skippedHours, below: 24) }
    /// The skipped days as bits of a number, for storage.
    package var dayBits: Int { Self.bits(skippedDays, below: 7) }

    private static func bits(_ numbers: Set<Int>, below end: Int) -> Int {
        numbers.filter { (0..<end).contains($0) }.reduce(0) { $0 | 1 << $1 }
    }

    private static func numbers(in bits: Int, below end: Int) -> Set<Int> {
        Set((0..<end).filter { bits & 1 << $0 != 0 })
    }
}
