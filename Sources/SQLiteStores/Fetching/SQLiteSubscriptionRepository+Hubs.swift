package import ArticleStore
import Database
package import Text

extension SQLiteSubscriptionRepository {
    private static let hubColumns =
        "token, source_id, hub, topic, secret, state, lease_end_at, next_attempt_at, attempts, problem"

    /// The state of the subscription at the hub, for each row of `subscription`.
    static let push = ["hub", "lease_end_at", "last_ping_at", "problem"].map { column in
        """
        (SELECT \(column) FROM hub_subscription AS h WHERE h.source_id = subscription.source_id AND h.state <> 'leaving')
        """
    }.joined(separator: ", ")

    /// Returns active subscriptions whose hub was never asked. See `HubRepository`.
    package func sourcesWithoutHub(upTo count: Int) async throws -> [(source: Source.ID, hub: Hub)] {
        try database.query(
            """
            SELECT source_id, hub_address, hub_topic FROM subscription AS s
            WHERE state = 'active' AND is_paused = 0 AND hub_address IS NOT NULL AND NOT EXISTS
                (SELECT 1 FROM hub_subscription AS h WHERE h.source_id = s.source_id AND h.state <> 'leaving')
            ORDER BY source_id LIMIT ?
            """, [Value(count)]
        ) { row in
            try Hub(address: try row.value(1), topic: try row.value(2)).map { (source: try row.value(0), hub: $0) }
        }.compactMap(\.self)
    }

    /// Adds subscriptions at hubs. See `HubRepository`.
    package func insert(_ hubs: [HubSubscription]) async throws {
        try await database.write { transaction in
            for hub in hubs {
                try transaction.run(
                    """
                    INSERT INTO hub_subscription (\(Self.hubColumns))
                    SELECT ?1, source_id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM subscription WHERE source_id = ?2
                    ON CONFLICT DO NOTHING
                    """,
                    [
                        Value(hub.token), Value(hub.source), Value(hub.hub.address), Value(hub.hub.topic),
                        Value(hub.secret),
                    ] + Self.changes(of: hub))
            }
        }
    }

    /// Claims subscriptions at hubs. See `HubRepository`.
    package func claimHubs(upTo count: Int, at now: Date, until end: Date) async throws -> [HubSubscription] {
        let due = "SELECT token FROM hub_subscription WHERE next_attempt_at <= ?1"
        // The hubs of sources that are paused, not subscribed any more, or at another hub.
        let unwanted = """
            SELECT token FROM hub_subscription AS h WHERE state <> 'leaving' AND NOT EXISTS
                (SELECT 1 FROM subscription AS s WHERE s.source_id = h.source_id AND s.state = 'active'
                    AND s.is_paused = 0 AND s.hub_address = h.hub AND s.hub_topic = h.topic)
            """
        // Usually nothing is due. Then do not wait for the write lock.
        let isDue = "SELECT 1 WHERE EXISTS (\(due)) OR EXISTS (\(unwanted))"
        guard try database.first(isDue, [Value(now)], { _ in true }) != nil else { return [] }
        return try await database.write { transaction in
            try transaction.run(
                """
                UPDATE hub_subscription SET state = 'leaving', attempts = 0, next_attempt_at = ?1
                WHERE token IN (\(unwanted))
                """, [Value(now)])
            return try transaction.query(
                """
                UPDATE hub_subscription SET next_attempt_at = ?2, attempts = attempts + 1,
                    state = CASE state WHEN 'leaving' THEN 'leaving' ELSE 'asking' END
                WHERE token IN (\(due) ORDER BY next_attempt_at LIMIT ?3) RETURNING \(Self.hubColumns)
                """, [Value(now), Value(end), Value(count)], Self.hubSubscription)
        }
    }

    /// Returns the subscription at a hub. See `HubRepository`.
    package func hubSubscription(withToken token: String) async throws -> HubSubscription? {
        try database.first(
            "SELECT \(Self.hubColumns) FROM hub_subscription WHERE token = ?", [Value(token)], Self.hubSubscription)
    }

    /// Replaces a subscription at a hub. See `HubRepository`.
    package func replace(_ old: HubSubscription, with new: HubSubscription?) async throws -> Bool {
        let key = [Value(old.token), Value(old.state.rawValue), Value(old.nextAttempt)]
        let isSame = "token = ?1 AND state = ?2 AND next_attempt_at = ?3"
        return try await database.write { transaction in
            guard let new else { return try transaction.run("DELETE FROM hub_subscription WHERE \(isSame)", key) > 0 }
            return try transaction.run(
                """
                UPDATE hub_subscription SET (state, lease_end_at, next_attempt_at, attempts, problem) = (?4, ?5, ?6, ?7, ?8)
                WHERE \(isSame)
                """, key + Self.changes(of: new)) > 0
        }
    }

    /// Records that a hub has announced a change. See `HubRepository`.
    package func recordPing(token: String, at now: Date) async throws -> Bool {
        try await database.write { transaction in
            try transaction.run(
                """
                UPDATE hub_subscription SET last_ping_at = ?2, open_ping_at = ?2
                WHERE token = ?1 AND open_ping_at IS NULL
                """, [Value(token), Value(now)]) > 0
        }
    }

    /// Makes sources due whose hubs have announced a change. See `HubRepository`.
    package func makePingedSourcesDue(at now: Date) async throws -> Int {
        let pinged = """
            SELECT s.source_id FROM hub_subscription AS h JOIN subscription AS s ON s.source_id = h.source_id
            WHERE h.open_ping_at IS NOT NULL AND s.state = 'active' AND s.is_paused = 0
                AND (s.holder IS NULL OR s.next_fetch_at <= ?1) AND ifnull(s.last_fetch_at <= ?2, true)
                AND ifnull(s.last_error NOT IN (?3, ?4), true)
            """
        let values =
            [Value(now), Value(now.addingTimeInterval(-Subscription.pingPause))]
            + Subscription.waitingProblems.map { Value($0) }
        // Usually there is none. Then do not wait for the write lock.
        guard try database.first(pinged + " LIMIT 1", values, { _ in true }) != nil else { return 0 }
        return try await database.write { transaction in
            let sources = try transaction.query(pinged, values) { try $0.value(0) as Source.ID }
            let list = Value(list: sources)
            try transaction.run(
                """
                UPDATE hub_subscription SET open_ping_at = NULL
                WHERE source_id IN (SELECT value FROM json_each(?))
                """, [list])
            return try transaction.run(
                """
                UPDATE subscription SET next_fetch_at = ?1 WHERE source_id IN (SELECT value FROM json_each(?2))
                """, [Value(now), list])
        }
    }

    /// The columns that change: the state, the end of the lease, the next attempt, the number of attempts, the problem.
    private static func changes(of hub: HubSubscription) -> [Value] {
        [
            Value(hub.state.rawValue), Value(hub.leaseEnd), Value(hub.nextAttempt), Value(hub.attempts),
            Value(hub.problem),
        ]
    }

    private static func hubSubscription(_ row: Row) throws -> HubSubscription {
        let topic: String = try row.value(3)
        var hub = HubSubscription(
            token: try row.value(0), source: try row.value(1),
            hub: try row.value(2) { Hub(address: $0, topic: topic) }, secret: try row.value(4),
            nextAttempt: try row.value(7))
        hub.state = try row.value(5) { HubSubscription.State(rawValue: $0) }
        hub.leaseEnd = try row.value(6)
        hub.attempts = try row.value(8)
        hub.problem = try row.value(9)
        return hub
    }
}
