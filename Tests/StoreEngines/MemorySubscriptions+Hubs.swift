package import ArticleStore
package import Foundation
import Synchronization

/// Subscriptions at hubs in memory, with their pings.
struct MemoryHub {
    var hub: HubSubscription
    var lastPing: Date?
    var openPing: Date?
}

extension MemorySubscriptions {
    /// The subscription at the hub of a source that is not left.
    func hub(of source: Source.ID) -> MemoryHub? {
        hubs.withLock { hubs in hubs.values.first { $0.hub.source == source && $0.hub.state != .leaving } }
    }

    /// Leaves the hub of a source whose subscription has ended.
    func forgetSource(_ source: Source.ID) {
        hubs.withLock { hubs in
            for (token, entry) in hubs where entry.hub.source == source {
                hubs[token]?.hub = entry.hub.changed(source: nil)
            }
        }
    }

    package func sourcesWithoutHub(upTo count: Int) async throws -> [(source: Source.ID, hub: Hub)] {
        let all = try await subscriptions(for: nil).filter { $0.isScheduled && hub(of: $0.id) == nil }
        return Array(all.compactMap { subscription in subscription.hub.map { (subscription.id, $0) } }.prefix(count))
    }

    package func insert(_ hubs: [HubSubscription]) async throws {
        let sources = Set(try await subscriptions(for: nil).map(\.id))
        for hub in hubs where hub.source.map({ sources.contains($0) && self.hub(of: $0) == nil }) == true {
            self.hubs.withLock { $0[hub.token] = MemoryHub(hub: hub) }
        }
    }

    package func claimHubs(upTo count: Int, at now: Date, until end: Date) async throws -> [HubSubscription] {
        let wanted = Dictionary(
            uniqueKeysWithValues: try await subscriptions(for: nil).filter(\.isScheduled).map { ($0.id, $0.hub) })
        return hubs.withLock { hubs in
            for (token, entry) in hubs where entry.hub.state != .leaving {
                guard let source = entry.hub.source, wanted[source] == entry.hub.hub else {
                    hubs[token]?.hub = entry.hub.changed(source: entry.hub.source, .leaving, nextAttempt: now)
                    continue
                }
            }
            let due = hubs.values.map(\.hub).filter { $0.nextAttempt <= now }.sorted { $0.nextAttempt < $1.nextAttempt }
            return due.prefix(count).map { hub in
                var claimed = hub
                if hub.state != .leaving { claimed.state = .asking }
                (claimed.nextAttempt, claimed.attempts) = (end, hub.attempts + 1)
                hubs[hub.token]?.hub = claimed
                return claimed
            }
        }
    }

    package func hubSubscription(withToken token: String) async throws -> HubSubscription? {
        hubs.withLock { $0[token]?.hub }
    }

    package func replace(_ old: HubSubscription, with new: HubSubscription?) async throws -> Bool {
        hubs.withLock { hubs in
            guard let entry = hubs[old.token], entry.hub.state == old.state, entry.hub.nextAttempt == old.nextAttempt
            else { return false }
            guard let new else { return hubs.removeValue(forKey: old.token) != nil }
            hubs[old.token]?.hub = new
            return true
        }
    }

    package func recordPing(token: String, at now: Date) async throws -> Bool {
        hubs.withLock { hubs in
            guard let entry = hubs[token], entry.openPing == nil else { return false }
            hubs[token]?.lastPing = now
            hubs[token]?.openPing = now
            return true
        }
    }

    package func makePingedSourcesDue(at now: Date) async throws -> Int {
        let pinged = hubs.withLock { hubs in Set(hubs.values.filter { $0.openPing != nil }.compactMap(\.hub.source)) }
        let latest = now.addingTimeInterval(-Subscription.pingPause)
        let due = pinged.filter { source in
            makeDue(source, at: now) { subscription, isHeld in
                subscription.isScheduled && (!isHeld || subscription.nextFetch <= now)
                    && (subscription.lastFetch.map { $0 <= latest } ?? true) && !subscription.waitsForServer
            }
        }
        hubs.withLock { hubs in
            for (token, entry) in hubs where entry.hub.source.map(due.contains) == true { hubs[token]?.openPing = nil }
        }
        return due.count
    }
}

extension HubSubscription {
    /// Returns a subscription with another source or state.
    fileprivate func changed(
        source: Source.ID?, _ state: State? = nil, nextAttempt: Date? = nil
    ) -> HubSubscription {
        var changed = HubSubscription(
            token: token, source: source, hub: hub, secret: secret, nextAttempt: nextAttempt ?? self.nextAttempt)
        (changed.state, changed.leaseEnd, changed.problem) = (state ?? self.state, leaseEnd, problem)
        changed.attempts = state == .leaving ? 0 : attempts
        return changed
    }
}
