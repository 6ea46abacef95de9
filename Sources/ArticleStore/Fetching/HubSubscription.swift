internal import Markup
package import Text

/// The hub that a feed states, and the topic under which the hub knows the feed (WebSub,
/// <https://www.w3.org/TR/websub/>).
package struct Hub: Sendable, Hashable {
    /// The address to which requests for subscriptions go.
    package let address: String
    /// The address of the feed at the hub.
    package let topic: String

    /// Creates a hub; nil if an address is not a web address.
    package init?(address: String, topic: String) {
        guard let address = WebAddress.valid(address), let topic = WebAddress.valid(topic) else { return nil }
        (self.address, self.topic) = (address, topic)
    }

    /// Whether requests to the hub are encrypted.
    package var isSecure: Bool { address.prefix(8).lowercased() == "https://" }

    /// Returns the host and the port of an address.
    static func host(of address: String) -> String {
        URLReference(WebAddress.withoutUser(address)).authority.map { String($0) } ?? address
    }
}

/// The subscription of a source at a hub, which sends a request when the feed changes.
package struct HubSubscription: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// The hub is asked for a subscription or for a longer one, and has not confirmed it.
        case asking
        /// The hub has confirmed the subscription.
        case active
        /// The hub has denied the subscription.
        case denied
        /// The hub is asked to end the subscription, and has not confirmed it.
        case leaving
    }

    /// The number of random bytes in a token and in a secret.
    package static let tokenBytes = 32
    /// The lease in seconds that hubs are asked for.
    package static let wishedLease = 10 * 24 * 3_600
    /// The longest lease in seconds. A hub that promises more is asked again after a part of it.
    package static let longestLease = 30 * 24 * 3_600
    /// The shortest and the longest time in seconds between two requests to a hub that does not confirm.
    package static let pauses: ClosedRange<Double> = 15 * 60...24 * 3_600
    /// The time in seconds after which a hub that denied a subscription is asked again.
    package static let denialTime: Double = 24 * 3_600
    /// The number of requests for the end of a subscription. The lease ends in any case.
    package static let partings = 3

    /// The secret part of the address to which the hub sends its requests.
    package let token: String
    /// The source; nil after its subscription has ended.
    package let source: Source.ID?
    package let hub: Hub
    /// The key with which the hub signs its requests; nil if it does not.
    package let secret: String?
    package var state = State.asking
    /// The end of the lease; nil if the hub has never confirmed it, or has denied it since.
    package var leaseEnd: Date?
    /// The time of the next request to the hub. While a process asks the hub, it is the time at which others may.
    package var nextAttempt: Date
    /// The number of requests to the hub since it has confirmed the last one.
    package var attempts = 0
    /// The reason why the hub has not confirmed; nil if it has.
    package var problem: String?

    /// Creates a subscription for which the hub was never asked.
    package init(token: String, source: Source.ID?, hub: Hub, secret: String?, nextAttempt: Date) {
        (self.token, self.source, self.hub, self.secret) = (token, source, hub, secret)
        self.nextAttempt = nextAttempt
    }

    /// Returns the state after a request that the hub has not confirmed yet.
    ///
    /// - Parameter problem: the reason why the hub did not accept the request; nil if it did.
    package func asked(problem: String?, at now: Date) -> HubSubscription {
        var asked = self
        let pause = Self.pauses.lowerBound * Double(1 << min(max(attempts - 1, 0), 10))
        asked.nextAttempt = now.addingTimeInterval(min(pause, Self.pauses.upperBound))
        asked.problem = Self.shown(problem ?? "the hub has not confirmed the subscription")
        return asked
    }

    /// Returns the state after the hub has confirmed the subscription.
    ///
    /// - Parameters:
    ///   - lease: the lease in seconds; nil if the hub did not state it.
    ///   - random: a number from 0 to 1, so that subscriptions of the same time are not renewed together forever.
    package func confirmed(lease: Int?, at now: Date, random: Double) -> HubSubscription {
        var confirmed = self
        let lease = Double(min(max(lease ?? Self.wishedLease, 0), Self.longestLease))
        confirmed.state = .active
        confirmed.leaseEnd = now.addingTimeInterval(lease)
        // After two thirds to three quarters of the lease, so that a hub that is down for a while can still renew it.
        confirmed.nextAttempt = now.addingTimeInterval(
            max(lease * (2.0 / 3 + random / 12), Self.pauses.lowerBound))
        (confirmed.attempts, confirmed.problem) = (0, nil)
        return confirmed
    }

    /// Returns the state after the hub has denied the subscription.
    package func denied(for reason: String, at now: Date) -> HubSubscription {
        var denied = self
        (denied.state, denied.leaseEnd) = (.denied, nil)
        denied.nextAttempt = now.addingTimeInterval(Self.denialTime)
        denied.problem = Self.shown("the hub has denied the subscription" + (reason.isEmpty ? "" : ": \(reason)"))
        return denied
    }

    /// A hub may send anything, and pages and terminals show it.
    private static func shown(_ problem: String) -> String { problem.sanitized(keeping: []).shortened() }
}

extension HubSubscription: CustomStringConvertible, CustomReflectable {
    // Neither a message nor the output of a debugger shows the secrets.
    package var description: String { "a subscription at \(Hub.host(of: hub.address)), \(state.rawValue)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Stores the subscriptions of sources at hubs. Several processes may ask hubs at the same time: each first claims
/// subscriptions.
package protocol HubRepository: Sendable {
    /// Returns active subscriptions that are not paused, and whose hub was never asked.
    ///
    /// - Parameter count: the maximum number.
    func sourcesWithoutHub(upTo count: Int) async throws -> [(source: Source.ID, hub: Hub)]

    /// Adds subscriptions at hubs. A source that has one already, or that is not subscribed, is left out.
    func insert(_ hubs: [HubSubscription]) async throws

    /// Claims subscriptions at hubs that are due, the ones that have waited longest first. It begins to leave the hubs of
    /// sources that are paused, not subscribed any more, or at another hub.
    ///
    /// - Parameters:
    ///   - count: the maximum number.
    ///   - now: the present time.
    ///   - end: the time at which others may ask the hubs, unless ``replace(_:with:)`` changes that.
    /// - Returns: the claimed subscriptions, in any order. The hub is about to be asked, and the request is counted.
    func claimHubs(upTo count: Int, at now: Date, until end: Date) async throws -> [HubSubscription]

    /// Returns the subscription to whose address a hub sends its requests; nil if there is none.
    func hubSubscription(withToken token: String) async throws -> HubSubscription?

    /// Replaces a subscription at a hub, or removes it, unless its state or its next attempt has changed since.
    ///
    /// - Returns: whether it had not changed.
    func replace(_ old: HubSubscription, with new: HubSubscription?) async throws -> Bool

    /// Records that a hub has announced a change of the feed. Does nothing if the source is not due yet because of an
    /// earlier call.
    ///
    /// - Returns: whether the source becomes due because of this call.
    func recordPing(token: String, at now: Date) async throws -> Bool

    /// Makes sources due whose hubs have announced a change, except those that were fetched in the last minute, that a
    /// process fetches, or whose server has asked to wait. These become due later.
    ///
    /// - Returns: the number of sources that are due now.
    func makePingedSourcesDue(at now: Date) async throws -> Int
}
