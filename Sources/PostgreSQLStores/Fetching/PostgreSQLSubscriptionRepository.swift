package import ArticleStore
internal import PostgreSQL
package import Text

/// The subscriptions in the table `subscription`.
package struct PostgreSQLSubscriptionRepository: SubscriptionRepository {
    let server: LibraryServer

    /// Creates a repository of the subscriptions on `server`.
    package init(_ server: LibraryServer) { self.server = server }

    /// The columns that the result of a fetch changes.
    private static let results = """
        source_id, address, state, next_fetch_at, last_fetch_at, last_success_at, failures, last_error, entity_tag,
        last_modified, content_hash, moved_to, moved_since, wished_interval, skipped_hours, skipped_days, latest,
        icon_address, hub_address, hub_topic, is_hub_silent
        """
    private static let columns = results + ", has_full_text, is_paused, marks_changed_unread, kept"
    private static let allColumns = """
        \(columns), EXISTS (SELECT 1 FROM subscription_password AS p WHERE p.source_id = subscription.source_id),
        EXISTS (SELECT 1 FROM source_icon AS i WHERE i.source_id = subscription.source_id AND i.type IS NOT NULL),
        \(push)
        """

    private static let parameters = """
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21
        """

    /// Returns all subscriptions. See `SubscriptionRepository`.
    package func subscriptions(for user: Int64?) async throws -> [Subscription] {
        let isQuiet = """
            EXISTS (SELECT FROM quiet_source AS q WHERE q.user_id = $1::bigint AND q.source_id = subscription.source_id)
            """
        return try await server.query(
            Statement("SELECT \(Self.allColumns), \(isQuiet) FROM subscription ORDER BY source_id", [Value(user)])
        ) { row in
            var subscription = try Self.subscription(row)
            subscription.isQuiet = try row.value(31)
            return subscription
        }
    }

    /// Adds subscriptions. See `SubscriptionRepository`.
    package func insert(_ subscriptions: [Subscription]) async throws {
        guard !subscriptions.isEmpty else { return }
        try await server.write(
            subscriptions.flatMap { subscription in
                [
                    Statement(
                        "DELETE FROM subscription WHERE source_id = $1 AND state = 'ended'",
                        [.integer(subscription.id)]),
                    Statement(
                        "DELETE FROM unsubscribed_source WHERE source_id = $1", [.integer(subscription.id)]),
                    Statement(
                        """
                        INSERT INTO subscription (\(Self.columns)) 
                        VALUES (\(Self.parameters), $22, $23, $24, $25) ON CONFLICT (source_id) DO NOTHING
                        """, Self.results(of: subscription) + Self.settings(of: subscription)),
                ]
            })
    }

    /// Changes settings. See `SubscriptionRepository`.
    package func change(_ sources: [Source.ID], as change: SubscriptionChange) async throws {
        let switches: [Value] = [change.fullText, change.paused, change.unreadOnUpdate].map { isOn in
            isOn.map { .bool($0) } ?? .null
        }
        try await server.write([
            Statement(
                """
                UPDATE subscription SET has_full_text = coalesce($2::boolean, has_full_text),
                    is_paused = coalesce($3::boolean, is_paused),
                    marks_changed_unread = coalesce($4::boolean, marks_changed_unread),
                    kept = coalesce($5::text, kept)
                WHERE source_id = ANY ($1)
                """,
                [.integers(sources)] + switches + [Value(change.retention?.description)])
        ])
    }

    /// Changes whether sources are quiet for a user. See `SubscriptionRepository`.
    package func setQuiet(_ isQuiet: Bool, _ sources: [Source.ID], by user: Int64) async throws {
        try await server.write([
            Statement(
                isQuiet
                    ? """
                    INSERT INTO quiet_source (user_id, source_id)
                    SELECT u.id, s.source_id FROM account AS u CROSS JOIN subscription AS s
                    WHERE u.id = $2 AND s.source_id = ANY ($1) ON CONFLICT DO NOTHING
                    """
                    : "DELETE FROM quiet_source WHERE user_id = $2 AND source_id = ANY ($1)",
                [.integers(sources), .integer(user)])
        ])
    }

    /// Stores a password. See `SubscriptionRepository`.
    package func setPassword(_ password: FeedPassword?, of source: Source.ID) async throws {
        guard let password else {
            try await server.write([
                Statement("DELETE FROM subscription_password WHERE source_id = $1", [.integer(source)])
            ])
            return
        }
        try await server.write([
            Statement(
                """
                INSERT INTO subscription_password (source_id, origin, username, password)
                SELECT source_id, $2, $3, $4 FROM subscription WHERE source_id = $1
                ON CONFLICT (source_id) DO UPDATE
                SET (origin, username, password) = (excluded.origin, excluded.username, excluded.password)
                """,
                [
                    .integer(source), .text(password.origin), Value(anyText: password.login.username),
                    Value(anyText: password.login.password),
                ])
        ])
    }

    /// Returns passwords. See `SubscriptionRepository`.
    package func passwords(of sources: [Source.ID]) async throws -> [Source.ID: FeedPassword] {
        let rows = try await server.query(
            Statement(
                """
                SELECT source_id, origin, username, password FROM subscription_password
                WHERE source_id = ANY ($1)
                """, [.integers(sources)])
        ) { row in
            let login = try FeedLogin(username: try row.anyText(2), password: try row.anyText(3))
            return (try row.value(0) as Source.ID, FeedPassword(login, for: try row.value(1)))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Claims icons. See `SubscriptionRepository`.
    package func claimIcons(upTo count: Int, at now: Date, until end: Date) async throws -> [Subscription] {
        let rows = try await server.write([
            Statement(
                """
                INSERT INTO source_icon (source_id, next_fetch_at)
                SELECT s.source_id, $2 FROM subscription AS s LEFT JOIN source_icon AS i ON i.source_id = s.source_id
                WHERE s.state = 'active' AND NOT s.is_paused AND s.last_success_at IS NOT NULL
                    AND coalesce(i.next_fetch_at, 0) <= $1
                ORDER BY s.source_id LIMIT $3
                ON CONFLICT (source_id) DO UPDATE SET next_fetch_at = excluded.next_fetch_at
                    WHERE source_icon.next_fetch_at <= $1
                RETURNING source_id
                """, [Value(now), Value(end), Value(count)])
        ])[0]
        let claimed = try translating { try rows.map { try $0.value(0) as Source.ID } }
        guard !claimed.isEmpty else { return [] }
        return try await server.query(
            Statement(
                "SELECT \(Self.allColumns) FROM subscription WHERE source_id = ANY ($1) ORDER BY source_id",
                [.integers(claimed)]), Self.subscription)
    }

    /// Stores an icon. See `SubscriptionRepository`.
    package func setIcon(_ icon: SourceIcon, of source: Source.ID, until end: Date) async throws {
        try await server.write([
            Statement(
                """
                INSERT INTO source_icon (source_id, next_fetch_at, type, bytes)
                SELECT source_id, $2, $3, $4 FROM subscription WHERE source_id = $1
                ON CONFLICT (source_id) DO UPDATE
                SET (next_fetch_at, type, bytes) = (excluded.next_fetch_at, excluded.type, excluded.bytes)
                """, [.integer(source), Value(end), .text(icon.type), .bytes(icon.bytes)])
        ])
    }

    /// Returns an icon. See `SubscriptionRepository`.
    package func icon(of source: SourceUID) async throws -> SourceIcon? {
        try await server.query(
            Statement(
                """
                SELECT i.bytes FROM source AS s JOIN source_icon AS i ON i.source_id = s.id
                WHERE s.uid = $1 AND i.type IS NOT NULL
                """, [.text(source.description)])
        ) { SourceIcon(try $0.value(0) as [UInt8]) }.first ?? nil
    }

    /// Removes subscriptions. See `SubscriptionRepository`.
    package func remove(_ sources: [Source.ID]) async throws {
        try await server.write([
            Statement(
                """
                INSERT INTO unsubscribed_source (source_id)
                SELECT source_id FROM subscription WHERE source_id = ANY ($1) ON CONFLICT DO NOTHING
                """, [.integers(sources)]),
            Statement("DELETE FROM subscription WHERE source_id = ANY ($1)", [.integers(sources)]),
        ])
    }

    /// Returns the sources whose subscriptions were removed. See `SubscriptionRepository`.
    package func unsubscribedSources() async throws -> Set<Source.ID> {
        Set(try await server.query("SELECT source_id FROM unsubscribed_source") { try $0.value(0) })
    }

    /// Claims due subscriptions. See `SubscriptionRepository`.
    package func claimDue(upTo count: Int, by claim: FetchClaim) async throws -> [Subscription] {
        // A process skips rows that another one is claiming, instead of waiting for it. PostgreSQL may run a subquery in a
        // condition several times, which would claim more rows than the limit, so the rows are chosen before.
        try await claimed(
            Statement(
                """
                WITH due AS MATERIALIZED (
                    SELECT source_id AS id FROM subscription
                    WHERE state = 'active' AND NOT is_paused AND (next_fetch_at <= $1 OR next_fetch_at > $2)
                    ORDER BY next_fetch_at LIMIT $5 FOR UPDATE SKIP LOCKED)
                UPDATE subscription SET next_fetch_at = $3, holder = $4 FROM due WHERE source_id = due.id
                RETURNING \(Self.allColumns)
                """,
                [
                    Value(claim.start), Value(claim.start.addingTimeInterval(Subscription.longestWait)),
                    Value(claim.end), .text(claim.holder), Value(count),
                ]))
    }

    /// Claims subscriptions of sources. See `SubscriptionRepository`.
    package func claim(_ sources: [Source.ID], by claim: FetchClaim) async throws -> [Subscription] {
        try await claimed(
            Statement(
                """
                UPDATE subscription SET next_fetch_at = $2, holder = $3
                WHERE source_id = ANY ($4) AND (holder IS NULL OR next_fetch_at <= $1) RETURNING \(Self.allColumns)
                """,
                [Value(claim.start), Value(claim.end), .text(claim.holder), .integers(sources)]))
    }

    private func claimed(_ statement: Statement) async throws -> [Subscription] {
        let rows = try await server.write([statement])[0]
        return try translating { try rows.map(Self.subscription) }
    }

    /// Makes claims last longer. See `SubscriptionRepository`.
    package func renew(_ sources: [Source.ID], by claim: FetchClaim) async throws {
        guard !sources.isEmpty else { return }
        try await server.write([
            Statement(
                "UPDATE subscription SET next_fetch_at = $1 WHERE holder = $2 AND source_id = ANY ($3)",
                [Value(claim.end), .text(claim.holder), .integers(sources)])
        ])
    }

    /// Stores the results of fetches. See `SubscriptionRepository`.
    package func finish(_ subscriptions: [Subscription], holder: String) async throws {
        guard !subscriptions.isEmpty else { return }
        try await server.write(
            subscriptions.map { subscription in
                Statement(
                    """
                    UPDATE subscription SET holder = NULL, (\(Self.results)) = ROW (\(Self.parameters))
                    WHERE source_id = $1 AND holder = $22
                    """, Self.results(of: subscription) + [.text(holder)])
            })
    }

    private static func results(of subscription: Subscription) -> [Value] {
        [
            .integer(subscription.id), Value(anyText: subscription.address), .text(subscription.state.rawValue),
            Value(subscription.nextFetch), Value(subscription.lastFetch), Value(subscription.lastSuccess),
            Value(subscription.failures), Value(anyText: subscription.lastError),
            Value(subscription.validators.entityTag), Value(subscription.validators.lastModified),
            Value(subscription.content), Value(anyText: subscription.move?.address), Value(subscription.move?.since),
            Value(subscription.wishes.interval.map { Int($0) }), Value(subscription.wishes.hourBits),
            Value(subscription.wishes.dayBits), .text(subscription.latest.secondsAsJSON),
            Value(anyText: subscription.iconAddress), Value(subscription.hub?.address), Value(subscription.hub?.topic),
            .bool(subscription.isHubSilent),
        ]
    }

    private static func settings(of subscription: Subscription) -> [Value] {
        let settings = subscription.settings
        return [
            .bool(settings.hasFullText), .bool(settings.isPaused), .bool(settings.marksChangedUnread),
            .text(settings.retention.description),
        ]
    }

    private static func subscription(_ row: Row) throws -> Subscription {
        var subscription = Subscription(
            source: try row.value(0), address: try row.anyText(1), nextFetch: try row.value(3))
        subscription.state = try row.value(2) { Subscription.State(rawValue: $0) }
        subscription.lastFetch = try row.value(4)
        subscription.lastSuccess = try row.value(5)
        subscription.failures = try row.value(6)
        subscription.lastError = try row.optionalText(7)
        subscription.validators = Subscription.Validators(
            entityTag: try row.value(8), lastModified: try row.value(9))
        subscription.content = try row.value(10)
        let (target, since): (String?, Date?) = (try row.optionalText(11), try row.value(12))
        if let target, let since { subscription.move = Subscription.Move(to: target, since: since) }
        subscription.wishes = FeedWishes(
            interval: try row.value(13), skippedHours: try row.value(14), skippedDays: try row.value(15))
        subscription.latest = try row.value(16) { (text: String) in [Date](secondsInJSON: text) }
        subscription.iconAddress = try row.optionalText(17)
        let (hub, topic): (String?, String?) = (try row.value(18), try row.value(19))
        if let hub, let topic { subscription.hub = Hub(address: hub, topic: topic) }
        subscription.isHubSilent = try row.value(20)
        subscription.settings.hasFullText = try row.value(21)
        subscription.settings.isPaused = try row.value(22)
        subscription.settings.marksChangedUnread = try row.value(23)
        subscription.settings.retention = try row.value(24) { Retention($0) }
        subscription.hasPassword = try row.value(25)
        subscription.hasIcon = try row.value(26)
        if let hub: String = try row.value(27) {
            subscription.push = Subscription.Push(
                hubAddress: hub, end: try row.value(28), lastPing: try row.value(29), problem: try row.value(30))
        }
        return subscription
    }
}
