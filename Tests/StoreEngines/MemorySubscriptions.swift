package import ArticleStore
package import Foundation
import Synchronization

/// Subscriptions in memory, with their holders.
package final class MemorySubscriptions: SubscriptionRepository {
    private let state = Mutex<[Source.ID: (subscription: Subscription, holder: String?)]>([:])
    private let passwords = Mutex<[Source.ID: FeedPassword]>([:])
    private let unsubscribed = Mutex<Set<Source.ID>>([])
    private let quiet = Mutex<[Source.ID: Set<Int64>]>([:])
    let hubs = Mutex<[String: MemoryHub]>([:])
    private let icons = Mutex<[Source.ID: (nextFetch: Date, icon: SourceIcon?)]>([:])
    /// Returns the sources of the library.
    private let sources = Mutex<@Sendable () -> [Source]>({ [] })
    /// Returns whether a user has this number.
    private let isUser: @Sendable (Int64) -> Bool

    package init(isUser: @escaping @Sendable (Int64) -> Bool = { _ in true }) { self.isUser = isUser }

    package func subscriptions(for user: Int64?) async throws -> [Subscription] {
        let quiet = quiet.withLock { $0 }
        let icons = icons.withLock { $0 }
        return state.withLock { $0.values.map(\.subscription).sorted { $0.id < $1.id } }.map { subscription in
            var subscription = subscription
            subscription.isQuiet = user.flatMap { quiet[subscription.id]?.contains($0) } ?? false
            subscription.hasIcon = icons[subscription.id]?.icon != nil
            subscription.push = push(of: subscription.id)
            return subscription
        }
    }

    package func insert(_ subscriptions: [Subscription]) async throws {
        unsubscribed.withLock { $0.subtract(subscriptions.map(\.id)) }
        state.withLock { state in
            for new in subscriptions where state[new.id]?.subscription.state != .active {
                state[new.id] = (new, nil)
                passwords.withLock { $0[new.id] = nil }
                quiet.withLock { $0[new.id] = nil }
                icons.withLock { $0[new.id] = nil }
                forgetSource(new.id)
            }
        }
    }

    package func change(_ sources: [Source.ID], as change: SubscriptionChange) async throws {
        state.withLock { state in
            for id in sources {
                guard var settings = state[id]?.subscription.settings else { continue }
                change.apply(to: &settings)
                state[id]?.subscription.settings = settings
            }
        }
    }

    package func setPassword(_ password: FeedPassword?, of source: Source.ID) async throws {
        state.withLock { state in
            guard state[source] != nil else { return }
            state[source]?.subscription.hasPassword = password != nil
            passwords.withLock { $0[source] = password }
        }
    }

    package func passwords(of sources: [Source.ID]) async throws -> [Source.ID: FeedPassword] {
        passwords.withLock { $0.filter { sources.contains($0.key) } }
    }

    /// Lets the icons be found by the identifiers of the sources.
    package func findSources(_ sources: @escaping @Sendable () -> [Source]) {
        self.sources.withLock { $0 = sources }
    }

    package func claimIcons(upTo count: Int, at now: Date, until end: Date) async throws -> [Subscription] {
        let subscriptions = try await subscriptions(for: nil)
        return icons.withLock { icons in
            let due = subscriptions.filter {
                $0.isScheduled && $0.lastSuccess != nil && (icons[$0.id].map { $0.nextFetch <= now } ?? true)
            }
            for subscription in due.prefix(count) { icons[subscription.id, default: (end, nil)].nextFetch = end }
            return Array(due.prefix(count))
        }
    }

    package func setIcon(_ icon: SourceIcon, of source: Source.ID, until end: Date) async throws {
        guard state.withLock({ $0[source] != nil }) else { return }
        icons.withLock { $0[source] = (end, icon) }
    }

    package func icon(of source: SourceUID) async throws -> SourceIcon? {
        guard let source = sources.withLock({ $0 })().first(where: { $0.uid == source }) else { return nil }
        return icons.withLock { $0[source.id]?.icon }
    }

    package func setQuiet(_ isQuiet: Bool, _ sources: [Source.ID], by user: Int64) async throws {
        guard isUser(user) else { return }
        let subscribed = state.withLock { state in sources.filter { state[$0] != nil } }
        quiet.withLock { quiet in
            for id in subscribed {
                if isQuiet { quiet[id, default: []].insert(user) } else { quiet[id]?.remove(user) }
            }
        }
    }

    /// Returns the users to whom a source is quiet.
    package func quietUsers(of source: Source.ID) -> Set<Int64> { quiet.withLock { $0[source] ?? [] } }

    package func remove(_ sources: [Source.ID]) async throws {
        state.withLock { state in
            let removed = sources.filter { state.removeValue(forKey: $0) != nil }
            unsubscribed.withLock { $0.formUnion(removed) }
        }
        passwords.withLock { passwords in for id in sources { passwords[id] = nil } }
        quiet.withLock { quiet in for id in sources { quiet[id] = nil } }
        icons.withLock { icons in for id in sources { icons[id] = nil } }
        sources.forEach(forgetSource)
    }

    package func unsubscribedSources() async throws -> Set<Source.ID> { unsubscribed.withLock { $0 } }

    package func claimDue(upTo count: Int, by claim: FetchClaim) async throws -> [Subscription] {
        let latest = claim.start.addingTimeInterval(Subscription.longestWait)
        return state.withLock { state in
            let due = state.values.map(\.subscription).filter {
                $0.isScheduled && ($0.nextFetch <= claim.start || $0.nextFetch > latest)
            }
            let ids = due.sorted { $0.nextFetch < $1.nextFetch }.prefix(count).map(\.id)
            return ids.map { take($0, by: claim, in: &state) }
        }
    }

    package func claim(_ sources: [Source.ID], by claim: FetchClaim) async throws -> [Subscription] {
        state.withLock { state in
            let free = sources.filter { id in
                state[id].map { $0.holder == nil || $0.subscription.nextFetch <= claim.start } ?? false
            }
            return free.map { take($0, by: claim, in: &state) }
        }
    }

    private func take(
        _ id: Source.ID, by claim: FetchClaim,
        in state: inout [Source.ID: (subscription: Subscription, holder: String?)]
    ) -> Subscription {
        state[id]?.subscription.nextFetch = claim.end
        state[id]?.holder = claim.holder
        var claimed = state[id]?.subscription ?? Subscription(source: id, address: "", nextFetch: claim.end)
        claimed.push = push(of: id)
        return claimed
    }

    private func push(of source: Source.ID) -> Subscription.Push? {
        hub(of: source).map { entry in
            Subscription.Push(
                hubAddress: entry.hub.hub.address, end: entry.hub.leaseEnd, lastPing: entry.lastPing,
                problem: entry.hub.problem)
        }
    }

    /// Makes a subscription due if it meets a condition, and returns whether it does.
    func makeDue(_ source: Source.ID, at now: Date, if condition: (Subscription, Bool) -> Bool) -> Bool {
        state.withLock { state in
            guard let (subscription, holder) = state[source], condition(subscription, holder != nil) else {
                return false
            }
            state[source]?.subscription.nextFetch = now
            return true
        }
    }

    package func renew(_ sources: [Source.ID], by claim: FetchClaim) async throws {
        state.withLock { state in
            for id in sources where state[id]?.holder == claim.holder { state[id]?.subscription.nextFetch = claim.end }
        }
    }

    package func finish(_ subscriptions: [Subscription], holder: String) async throws {
        state.withLock { state in
            for done in subscriptions {
                guard let (old, owner) = state[done.id], owner == holder else { continue }
                var done = done
                (done.settings, done.hasPassword) = (old.settings, old.hasPassword)
                state[done.id] = (done, nil)
            }
        }
    }
}
