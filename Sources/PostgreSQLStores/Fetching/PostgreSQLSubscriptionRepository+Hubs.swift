package import ArticleStore
import PostgreSQL
package import Text

extension PostgreSQLSubscriptionRepository {
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
        try await server.query(
            Statement(
                """
                SELECT source_id, hub_address, hub_topic FROM subscription AS s
                WHERE state = 'active' AND NOT is_paused AND hub_address IS NOT NULL AND NOT EXISTS
                    (SELECT FROM hub_subscription AS h WHERE h.source_id = s.source_id AND h.state <> 'leaving')
                ORDER BY source_id LIMIT $1
                """, [Value(count)])
        ) { row in
            try Hub(address: try row.value(1), topic: try row.value(2)).map { (source: try row.value(0), hub: $0) }
        }.compactMap(\.self)
    }

    /// Adds subscriptions at hubs. See `HubRepository`.
    package func insert(_ hubs: [HubSubscription]) async throws {
        guard !hubs.isEmpty else { return }
        try await server.write(
            hubs.map { hub in
                Statement(
                    """
                    INSERT INTO hub_subscription (\(Self.hubColumns))
                    SELECT $1, source_id, $3, $4, $5, $6, $7, $8, $9, $10 FROM subscription WHERE source_id = $2
                    ON CONFLICT DO NOTHING
                    """,
                    [
                        .text(hub.token), Value(hub.source), .text(hub.hub.address), .text(hub.hub.topic),
                        Value(hub.secret),
                    ] + Self.changes(of: hub))
            })
    }

    /// Claims subscriptions at hubs. See `HubRepository`.
    package func claimHubs(upTo count: Int, at now: Date, until end: Date) async throws -> [HubSubscription] {
        // A process skips rows that another one is claiming, and chooses the others before: see `claimDue`.
        let rows = try await server.write([
            // The hubs of sources that are paused, not subscribed any more, or at another hub.
            Statement(
                """
                UPDATE hub_subscription AS h SET state = 'leaving', attempts = 0, next_attempt_at = $1
                WHERE state <> 'leaving' AND NOT EXISTS
                    (SELECT FROM subscription AS s WHERE s.source_id = h.source_id AND s.state = 'active'
                        AND NOT s.is_paused AND s.hub_address = h.hub AND s.hub_topic = h.topic)
                """, [Value(now)]),
            Statement(
                """
                WITH due AS MATERIALIZED (
                    SELECT token AS id FROM hub_subscription WHERE next_attempt_at <= $1
                    ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
                UPDATE hub_subscription SET next_attempt_at = $2, attempts = attempts + 1,
                    state = CASE state WHEN 'leaving' THEN 'leaving' ELSE 'asking' END
                FROM due WHERE token = due.id RETURNING \(Self.hubColumns)
                """, [Value(now), Value(end), Value(count)]),
        ])[1]
        return try translating { try rows.map(Self.hubSubscription) }
    }

    /// Returns the subscription at a hub. See `HubRepository`.
    package func hubSubscription(withToken token: String) async throws -> HubSubscription? {
        try await server.first(
            Statement("SELECT \(Self.hubColumns) FROM hub_subscription WHERE token = $1", [.text(token)]),
            Self.hubSubscription)
    }

    /// Replaces a subscription at a hub. See `HubRepository`.
    package func replace(_ old: HubSubscription, with new: HubSubscription?) async throws -> Bool {
        let key: [Value] = [.text(old.token), .text(old.state.rawValue), Value(old.nextAttempt)]
        let isSame = "token = $1 AND state = $2 AND next_attempt_at = $3"
        guard let new else {
            return try await server.write([Statement("DELETE FROM hub_subscription WHERE \(isSame)", key)])[0].affected
                > 0
        }
        return try await server.write([
            Statement(
                """
                UPDATE hub_subscription
                SET (state, lease_end_at, next_attempt_at, attempts, problem) = ROW ($4, $5, $6, $7, $8)
                WHERE \(isSame)
                """, key + Self.changes(of: new))
        ])[0].affected > 0
    }

    /// Records that a hub has announced a change. See `HubRepository`.
    package func recordPing(token: String, at now: Date) async throws -> Bool {
        try await server.write([
            Statement(
                """
                UPDATE hub_subscription SET last_ping_at = $2, open_ping_at = $2
                WHERE token = $1 AND open_ping_at IS NULL
                """, [.text(token), Value(now)])
        ])[0].affected > 0
    }

    /// Makes sources due whose hubs have announced a change. See `HubRepository`.
    package func makePingedSourcesDue(at now: Date) async throws -> Int {
        try await server.write([
            Statement(
                """
                WITH pinged AS MATERIALIZED (
                    SELECT s.source_id AS id FROM hub_subscription AS h JOIN subscription AS s ON s.source_id = h.source_id
                    WHERE h.open_ping_at IS NOT NULL AND s.state = 'active' AND NOT s.is_paused
                        AND (s.holder IS NULL OR s.next_fetch_at <= $1) AND coalesce(s.last_fetch_at <= $2, true)
                        AND coalesce(s.last_error NOT IN ($3, $4), true)
                    FOR UPDATE OF s SKIP LOCKED),
                closed AS (
                    UPDATE hub_subscription SET open_ping_at = NULL FROM pinged WHERE source_id = pinged.id)
                UPDATE subscription SET next_fetch_at = $1 FROM pinged WHERE source_id = pinged.id
                """,
                [Value(now), Value(now.addingTimeInterval(-Subscription.pingPause))]
                    + Subscription.waitingProblems.map { .text($0) })
        ])[0].affected
    }

    /// The columns that change: the state, the end of the lease, the next attempt, the number of attempts, the problem.
    private static func changes(of hub: HubSubscription) -> [Value] {
        [
            .text(hub.state.rawValue), Value(hub.leaseEnd), Value(hub.nextAttempt), Value(hub.attempts),
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
