package import Text

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
