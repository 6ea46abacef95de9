package import ArticleStore
import Foundation
import Synchronization

/// Subscriptions in memory, with their holders.
package final class MemorySubscriptions: SubscriptionRepository {
    private let state = Mutex<[Source.ID: (subscription: Subscription, holder: String?)]>([:])
    private let passwords = Mutex<[Source.ID: FeedPassword]>([:])

    package init() {}

    package func subscriptions() async throws -> [Subscription] {
        state.withLock { $0.values.map(\.subscription).sorted { $0.id < $1.id } }
    }

    package func insert(_ subscriptions: [Subscription]) async throws {
        state.withLock { state in
            for new in subscriptions where state[new.id]?.subscription.state != .active {
                state[new.id] = (new, nil)
                passwords.withLock { $0[new.id] = nil }
            }
        }
    }

    package func setFullText(_ hasFullText: Bool, of sources: [Source.ID]) async throws {
        state.withLock { state in for id in sources { state[id]?.subscription.hasFullText = hasFullText } }
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

    package func remove(_ sources: [Source.ID]) async throws {
        state.withLock { state in for id in sources { state[id] = nil } }
        passwords.withLock { passwords in for id in sources { passwords[id] = nil } }
    }

    package func claimDue(upTo count: Int, by claim: FetchClaim) async throws -> [Subscription] {
        let latest = claim.start.addingTimeInterval(Subscription.longestWait)
        return state.withLock { state in
            let due = state.values.map(\.subscription).filter {
                $0.state == .active && ($0.nextFetch <= claim.start || $0.nextFetch > latest)
            }
            let ids = due.sorted { $0.nextFetch < $1.nextFetch }.prefix(count).map(\.id)
            return ids.map { Self.take($0, by: claim, in: &state) }
        }
    }

    package func claim(_ sources: [Source.ID], by claim: FetchClaim) async throws -> [Subscription] {
        state.withLock { state in
            let free = sources.filter { id in
                state[id].map { $0.holder == nil || $0.subscription.nextFetch <= claim.start } ?? false
            }
            return free.map { Self.take($0, by: claim, in: &state) }
        }
    }

    private static func take(
        _ id: Source.ID, by claim: FetchClaim,
        in state: inout [Source.ID: (subscription: Subscription, holder: String?)]
    ) -> Subscription {
        state[id]?.subscription.nextFetch = claim.end
        state[id]?.holder = claim.holder
        return state[id]?.subscription ?? Subscription(source: id, address: "", nextFetch: claim.end)
    }

    package func finish(_ subscriptions: [Subscription], holder: String) async throws {
        state.withLock { state in
            for done in subscriptions {
                guard let (old, owner) = state[done.id], owner == holder else { continue }
                var done = done
                (done.hasFullText, done.hasPassword) = (old.hasFullText, old.hasPassword)
                state[done.id] = (done, nil)
            }
        }
    }
}
