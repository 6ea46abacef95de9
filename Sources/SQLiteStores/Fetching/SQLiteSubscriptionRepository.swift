package import ArticleStore
package import Database
package import Text

/// The subscriptions in the table `subscription`.
package struct SQLiteSubscriptionRepository: SubscriptionRepository {
    let database: LibraryFile

    /// Creates a repository of the subscriptions in `database`.
    package init(database: Database) { self.database = LibraryFile(database) }

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

    /// Selects what is due. Its values are the present time, and the time after which the clock was wrong.
    package static let due = """
        SELECT source_id FROM subscription
        WHERE state = 'active' AND is_paused = 0 AND (next_fetch_at <= ?1 OR next_fetch_at > ?2)
        """

    /// Returns all subscriptions. See `SubscriptionRepository`.
    package func subscriptions(for user: Int64?) async throws -> [Subscription] {
        let isQuiet = """
            EXISTS (SELECT 1 FROM quiet_source AS q WHERE q.user_id = ? AND q.source_id = subscription.source_id)
            """
        return try database.query(
            "SELECT \(Self.allColumns), \(isQuiet) FROM subscription ORDER BY source_id", [Value(user)]
        ) { row in
            var subscription = try Self.subscription(row)
            subscription.isQuiet = try row.value(31)
            return subscription
        }
    }

    /// Adds subscriptions. See `SubscriptionRepository`.
    package func insert(_ subscriptions: [Subscription]) async throws {
        try await database.write { transaction in
            for subscription in subscriptions {
                try transaction.run(
                    "DELETE FROM subscription WHERE source_id = ? AND state = 'ended'", [Value(subscription.id)])
                try transaction.run(
                    "DELETE FROM unsubscribed_source WHERE source_id = ?", [Value(subscription.id)])
                try transaction.run(
                    """
                    INSERT INTO subscription (\(Self.columns))
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                        ?22, ?23, ?24, ?25)
                    ON CONFLICT (source_id) DO NOTHING
                    """, Self.results(of: subscription) + Self.settings(of: subscription))
            }
        }
    }

    /// Changes settings. See `SubscriptionRepository`.
    package func change(_ sources: [Source.ID], as change: SubscriptionChange) async throws {
        try await database.write { transaction in
            try transaction.run(
                """
                UPDATE subscription SET has_full_text = ifnull(?2, has_full_text), is_paused = ifnull(?3, is_paused),
                    marks_changed_unread = ifnull(?4, marks_changed_unread), kept = ifnull(?5, kept)
                WHERE source_id IN (SELECT value FROM json_each(?1))
                """,
                [
                    Value(list: sources), Value(change.fullText.map { $0 ? 1 : 0 }),
                    Value(change.paused.map { $0 ? 1 : 0 }), Value(change.unreadOnUpdate.map { $0 ? 1 : 0 }),
                    Value(change.retention?.description),
                ])
        }
    }

    /// Changes whether sources are quiet for a user. See `SubscriptionRepository`.
    package func setQuiet(_ isQuiet: Bool, _ sources: [Source.ID], by user: Int64) async throws {
        let values = [Value(list: sources), Value(user)]
        try await database.write { transaction in
            try transaction.run(
                isQuiet
                    ? """
                    INSERT OR IGNORE INTO quiet_source (user_id, source_id)
                    SELECT u.id, s.source_id FROM user AS u CROSS JOIN subscription AS s
                    WHERE u.id = ?2 AND s.source_id IN (SELECT value FROM json_each(?1))
                    """
                    : "DELETE FROM quiet_source WHERE user_id = ?2 AND source_id IN (SELECT value FROM json_each(?1))",
                values)
        }
    }

    /// Stores a password. See `SubscriptionRepository`.
    package func setPassword(_ password: FeedPassword?, of source: Source.ID) async throws {
        try await database.write { transaction in
            guard let password else {
                try transaction.run("DELETE FROM subscription_password WHERE source_id = ?", [Value(source)])
                return
            }
            try transaction.run(
                """
                INSERT INTO subscription_password (source_id, origin, username, password)
                SELECT source_id, ?2, ?3, ?4 FROM subscription WHERE source_id = ?1
                ON CONFLICT (source_id) DO UPDATE
                SET (origin, username, password) = (excluded.origin, excluded.username, excluded.password)
                """,
                [
                    Value(source), Value(password.origin), Value(password.login.username),
                    Value(password.login.password),
                ])
        }
    }

    /// Returns passwords. See `SubscriptionRepository`.
    package func passwords(of sources: [Source.ID]) async throws -> [Source.ID: FeedPassword] {
        let rows = try database.query(
            """
            SELECT source_id, origin, username, password FROM subscription_password
            WHERE source_id IN (SELECT value FROM json_each(?))
            """, [Value(list: sources)]
        ) { row in
            let login = try FeedLogin(username: try row.value(2), password: try row.value(3))
            return (try row.value(0) as Source.ID, FeedPassword(login, for: try row.value(1)))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Selects the sources whose icons are due at a time.
    private static let dueIcons = """
        SELECT s.source_id FROM subscription AS s LEFT JOIN source_icon AS i ON i.source_id = s.source_id
        WHERE s.state = 'active' AND s.is_paused = 0 AND s.last_success_at IS NOT NULL
            AND ifnull(i.next_fetch_at, 0) <= ?1
        """

    /// Claims icons. See `SubscriptionRepository`.
    package func claimIcons(upTo count: Int, at now: Date, until end: Date) async throws -> [Subscription] {
        // Usually nothing is due. Then do not wait for the write lock.
        guard try database.first(Self.dueIcons + " LIMIT 1", [Value(now)], { _ in true }) != nil else { return [] }
        return try await database.write { transaction in
            let due = try transaction.query(
                Self.dueIcons + " ORDER BY s.source_id LIMIT ?2", [Value(now), Value(count)]
            ) { try $0.value(0) as Source.ID }
            try transaction.run(
                """
                INSERT INTO source_icon (source_id, next_fetch_at) SELECT value, ?2 FROM json_each(?1) WHERE true
                ON CONFLICT (source_id) DO UPDATE SET next_fetch_at = excluded.next_fetch_at
                """, [Value(list: due), Value(end)])
            return try transaction.query(
                """
                SELECT \(Self.allColumns) FROM subscription WHERE source_id IN (SELECT value FROM json_each(?))
                ORDER BY source_id
                """, [Value(list: due)], Self.subscription)
        }
    }

    /// Stores an icon. See `SubscriptionRepository`.
    package func setIcon(_ icon: SourceIcon, of source: Source.ID, until end: Date) async throws {
        try await database.write { transaction in
            try transaction.run(
                """
                INSERT INTO source_icon (source_id, next_fetch_at, type, bytes)
                SELECT source_id, ?2, ?3, ?4 FROM subscription WHERE source_id = ?1
                ON CONFLICT (source_id) DO UPDATE
                SET (next_fetch_at, type, bytes) = (excluded.next_fetch_at, excluded.type, excluded.bytes)
                """, [Value(source), Value(end), Value(icon.type), Value(icon.bytes)])
        }
    }

    /// Returns an icon. See `SubscriptionRepository`.
    package func icon(of source: SourceUID) async throws -> SourceIcon? {
        let bytes: [UInt8]?? = try database.first(
            """
            SELECT i.bytes FROM source AS s JOIN source_icon AS i ON i.source_id = s.id WHERE s.uid = ?
            """, [Value(source.description)]
        ) { try $0.value(0) as [UInt8]? }
        return bytes.flatMap(\.self).flatMap(SourceIcon.init)
    }

    /// Removes subscriptions. See `SubscriptionRepository`.
    package func remove(_ sources: [Source.ID]) async throws {
        try await database.write { transaction in
            try transaction.run(
                """
                INSERT OR IGNORE INTO unsubscribed_source (source_id)
                SELECT source_id FROM subscription WHERE source_id IN (SELECT value FROM json_each(?))
                """, [Value(list: sources)])
            try transaction.run(
                "DELETE FROM subscription WHERE source_id IN (SELECT value FROM json_each(?))", [Value(list: sources)])
        }
    }

    /// Returns the sources whose subscriptions were removed. See `SubscriptionRepository`.
    package func unsubscribedSources() async throws -> Set<Source.ID> {
        Set(try database.query("SELECT source_id FROM unsubscribed_source", []) { try $0.value(0) })
    }

    /// Claims due subscriptions. See `SubscriptionRepository`.
    package func claimDue(upTo count: Int, by claim: FetchClaim) async throws -> [Subscription] {
        let times = [Value(claim.start), Value(claim.start.addingTimeInterval(Subscription.longestWait))]
        // Usually nothing is due. Then do not wait for the write lock.
        guard try database.first(Self.due + " LIMIT 1", times, { _ in true }) != nil else { return [] }
        return try await database.write { transaction in
            try transaction.query(
                """
                UPDATE subscription SET next_fetch_at = ?3, holder = ?4
                WHERE source_id IN (\(Self.due) ORDER BY next_fetch_at LIMIT ?5) RETURNING \(Self.allColumns)
                """,
                times + [Value(claim.end), Value(claim.holder), Value(count)], Self.subscription)
        }
    }

    /// Claims subscriptions of sources. See `SubscriptionRepository`.
    package func claim(_ sources: [Source.ID], by claim: FetchClaim) async throws -> [Subscription] {
        try await database.write { transaction in
            try transaction.query(
                """
                UPDATE subscription SET next_fetch_at = ?2, holder = ?3
                WHERE source_id IN (SELECT value FROM json_each(?4)) AND (holder IS NULL OR next_fetch_at <= ?1)
                RETURNING \(Self.allColumns)
                """,
                [Value(claim.start), Value(claim.end), Value(claim.holder), Value(list: sources)], Self.subscription)
        }
    }

    /// Makes claims last longer. See `SubscriptionRepository`.
    package func renew(_ sources: [Source.ID], by claim: FetchClaim) async throws {
        guard !sources.isEmpty else { return }
        try await database.write { transaction in
            try transaction.run(
                """
                UPDATE subscription SET next_fetch_at = ?1
                WHERE holder = ?2 AND source_id IN (SELECT value FROM json_each(?3))
                """, [Value(claim.end), Value(claim.holder), Value(list: sources)])
        }
    }

    /// Stores the results of fetches. See `SubscriptionRepository`.
    package func finish(_ subscriptions: [Subscription], holder: String) async throws {
        guard !subscriptions.isEmpty else { return }
        try await database.write { transaction in
            for subscription in subscriptions {
                try transaction.run(
                    """
                    UPDATE subscription SET holder = NULL, (\(Self.results))
                        = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
                    WHERE source_id = ?1 AND holder = ?22
                    """, Self.results(of: subscription) + [Value(holder)])
            }
        }
    }

    private static func results(of subscription: Subscription) -> [Value] {
        [
            Value(subscription.id), Value(subscription.address), Value(subscription.state.rawValue),
            Value(subscription.nextFetch), Value(subscription.lastFetch), Value(subscription.lastSuccess),
            Value(subscription.failures), Value(subscription.lastError), Value(subscription.validators.entityTag),
            Value(subscription.validators.lastModified), Value(subscription.content),
            Value(subscription.move?.address), Value(subscription.move?.since),
            Value(subscription.wishes.interval.map { Int($0) }), Value(subscription.wishes.hourBits),
            Value(subscription.wishes.dayBits), Value(subscription.latest.secondsAsJSON),
            Value(subscription.iconAddress), Value(subscription.hub?.address), Value(subscription.hub?.topic),
            Value(subscription.isHubSilent),
        ]
    }

    private static func settings(of subscription: Subscription) -> [Value] {
        let settings = subscription.settings
        return [
            Value(settings.hasFullText), Value(settings.isPaused), Value(settings.marksChangedUnread),
            Value(settings.retention.description),
        ]
    }

    private static func subscription(_ row: Row) throws -> Subscription {
        var subscription = Subscription(
            source: try row.value(0), address: try row.value(1), nextFetch: try row.value(3))
        subscription.state = try row.value(2) { Subscription.State(rawValue: $0) }
        subscription.lastFetch = try row.value(4)
        subscription.lastSuccess = try row.value(5)
        subscription.failures = try row.value(6)
        subscription.lastError = try row.value(7)
        subscription.validators = Subscription.Validators(
            entityTag: try row.value(8), lastModified: try row.value(9))
        subscription.content = try row.value(10)
        let (target, since): (String?, Date?) = (try row.value(11), try row.value(12))
        if let target, let since { subscription.move = Subscription.Move(to: target, since: since) }
        subscription.wishes = FeedWishes(
            interval: try row.value(13), skippedHours: try row.value(14), skippedDays: try row.value(15))
        subscription.latest = try row.value(16) { (text: String) in [Date](secondsInJSON: text) }
        subscription.iconAddress = try row.value(17)
        let (hub, topic): (String?, String?) = (try row.value(18), try row.value(19))
        if let hub, let topic { subscription.hub = Hub(address: hub, topic: topic) }
        subscription.isHubSilent = try row.value(20) as Int == 1
        subscription.settings.hasFullText = try row.value(21)
        subscription.settings.isPaused = try row.value(22)
        subscription.settings.marksChangedUnread = try row.value(23)
        subscription.settings.retention = try row.value(24) { Retention($0) }
        subscription.hasPassword = try row.value(25) as Int == 1
        subscription.hasIcon = try row.value(26) as Int == 1
        if let hub: String = try row.value(27) {
            subscription.push = Subscription.Push(
                hubAddress: hub, end: try row.value(28), lastPing: try row.value(29), problem: try row.value(30))
        }
        return subscription
    }
}
