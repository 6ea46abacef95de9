/// A table of a library in a form that all engines share, for copying a library from one engine to another.
///
/// An engine reads and writes these rows from and to its own tables. Data that it computes from other rows is not
/// copied: the search index, the labels of articles, and the counters.
package struct TransferTable: Sendable, Hashable {
    /// A column.
    package struct Column: Sendable, Hashable {
        /// The type of the values.
        package enum Kind: Sendable, Hashable {
            case integer
            /// 0 or 1.
            case bool
            case text
            case bytes
            /// An integer that only orders the rows. The target may store a higher one.
            case order
        }

        /// The name.
        package let name: String
        /// The type of the values.
        package let kind: Kind
    }

    /// The name.
    package let name: String
    /// The columns. The key comes first.
    package let columns: [Column]
    /// The number of columns that identify a row and by which the rows are ordered.
    package let keyCount: Int
    /// The number of rows that are copied in one transaction.
    package let batchSize: Int
    /// Whether a new library has a row in it, which the copy replaces.
    package let hasInitialRow: Bool

    private init(
        _ name: String, key: KeyValuePairs<String, Column.Kind>, _ others: KeyValuePairs<String, Column.Kind>,
        batchSize: Int = 1_000, hasInitialRow: Bool = false
    ) {
        self.name = name
        columns = (Array(key) + Array(others)).map { Column(name: $0.key, kind: $0.value) }
        keyCount = key.count
        (self.batchSize, self.hasInitialRow) = (batchSize, hasInitialRow)
    }

    /// The columns that identify a row.
    package var key: ArraySlice<Column> { columns.prefix(keyCount) }

    /// The table `library`, whose row contains the identity of the library.
    package static let library = TransferTable(
        "library", key: ["id": .integer], ["uid": .text, "last_article": .integer, "last_source": .integer],
        hasInitialRow: true)

    /// The texts of articles. When they are written, an engine also computes the labels and the words of the articles.
    package static let articleBody = TransferTable(
        "article_body", key: ["article_id": .integer],
        ["format": .text, "source_url": .text, "base_url": .text, "extra": .text, "body": .text], batchSize: 50)

    /// All tables. A table comes after those to which its rows refer.
    package static let all: [TransferTable] = [
        TransferTable(
            "account", key: ["id": .integer],
            [
                "username": .text, "region": .text, "password_hash": .text, "created_at": .integer,
                "password_changed_at": .integer, "role": .text, "disabled_at": .integer,
            ]),
        TransferTable("deleted_account", key: ["id": .integer], ["deleted_at": .integer]),
        TransferTable(
            "session", key: ["id": .text],
            [
                "secret_hash": .bytes, "user_id": .integer, "client": .text, "origin": .text, "created_at": .integer,
                "last_used_at": .integer, "confirmed_at": .integer, "expires_at": .integer,
            ]),
        TransferTable(
            "device", key: ["user_id": .integer, "secret_hash": .bytes],
            ["created_at": .integer, "last_used_at": .integer]),
        TransferTable(
            "attempt_counter", key: ["key": .bytes],
            ["failures": .integer, "last_failure_at": .integer, "expires_at": .integer]),
        TransferTable("one_time_code", key: ["code_hash": .bytes], ["user_id": .integer, "expires_at": .integer]),
        TransferTable(
            "api_token", key: ["id": .text],
            [
                "secret_hash": .bytes, "user_id": .integer, "name": .text, "scope": .text, "created_at": .integer,
                "expires_at": .integer, "last_used_at": .integer,
            ]),
        TransferTable(
            "second_factor", key: ["user_id": .integer],
            ["secret": .bytes, "last_step": .integer, "created_at": .integer]),
        TransferTable("recovery_code", key: ["user_id": .integer, "code_hash": .bytes], [:]),
        TransferTable("feed_address", key: ["user_id": .integer], ["secret_hash": .bytes, "created_at": .integer]),
        TransferTable("registration", key: ["id": .integer], ["policy": .text], hasInitialRow: true),
        TransferTable(
            "audit", key: ["id": .integer],
            [
                "at": .integer, "event": .text, "user_id": .integer, "session_id": .text, "client": .text,
                "actor": .text, "detail": .text, "origin": .text, "hash": .bytes,
            ]),
        TransferTable(
            "audit_chain", key: ["id": .integer],
            ["anchor_id": .integer, "anchor_hash": .bytes, "head_id": .integer, "head_hash": .bytes],
            hasInitialRow: true),
        TransferTable("session_place", key: ["session_id": .text], ["place": .text]),
        TransferTable("account_appearance", key: ["user_id": .integer], ["appearance": .text]),

        TransferTable(
            "source", key: ["id": .integer],
            [
                "uid": .text, "name": .text, "name_key": .text, "kind": .text, "location": .text, "home": .text,
                "feed_url": .text, "imported_at": .integer, "problem_count": .integer, "problems": .text,
            ]),
        TransferTable("source_tag", key: ["source_id": .integer, "key": .text], ["name": .text]),
        TransferTable("former_address", key: ["source_id": .integer, "address": .text], [:]),
        TransferTable("unsubscribed_source", key: ["source_id": .integer], [:]),
        TransferTable("deleted_article", key: ["source_id": .integer, "key": .text], ["content_hash": .integer]),
        TransferTable(
            "article", key: ["id": .integer],
            [
                "source_id": .integer, "key": .text, "content_hash": .integer, "is_edited": .bool, "slug": .text,
                "title": .text, "title_key": .text, "authors": .text, "tags": .text, "summary": .text,
                "language": .text, "published_at": .integer, "published_offset": .integer, "updated_at": .integer,
                "reading_minutes": .integer, "address_hash": .integer,
            ]),
        articleBody,
        TransferTable(
            "article_appearance", key: ["source_id": .integer, "key": .text],
            [
                "article_id": .integer, "content_hash": .integer, "appeared_at": .integer, "published_at": .integer,
                "title_key": .text, "title": .text, "address": .text, "format": .text, "body": .text,
            ], batchSize: 50),
        TransferTable(
            "picture", key: ["uid": .text], ["hash": .bytes, "type": .text, "bytes": .bytes], batchSize: 8),
        TransferTable(
            "article_picture", key: ["article_id": .integer, "address": .text],
            ["picture_uid": .text, "next_attempt_at": .integer, "attempts": .integer]),
        TransferTable(
            "picture_progress", key: ["id": .integer],
            [
                "copy": .text, "last_article": .integer, "last_change": .integer, "start_after": .integer,
                "read_at": .integer,
            ]),
        TransferTable(
            "creation", key: ["request_hash": .bytes],
            ["content_hash": .bytes, "article_id": .integer, "created_at": .integer]),
        TransferTable("arrival", key: ["first_id": .integer], ["arrived_at": .integer]),
        TransferTable("article_change", key: ["sequence": .integer], ["article_id": .integer]),
        library,
        TransferTable(
            "subscription", key: ["source_id": .integer],
            [
                "address": .text, "state": .text, "next_fetch_at": .integer, "holder": .text,
                "last_fetch_at": .integer, "last_success_at": .integer, "failures": .integer, "last_error": .text,
                "entity_tag": .bytes, "last_modified": .bytes, "content_hash": .integer, "moved_to": .text,
                "moved_since": .integer, "wished_interval": .integer, "skipped_hours": .integer,
                "skipped_days": .integer, "latest": .text, "has_full_text": .bool, "is_paused": .bool,
                "marks_changed_unread": .bool, "kept": .text, "icon_address": .text,
                "hub_address": .text, "hub_topic": .text, "is_hub_silent": .bool,
            ]),
        TransferTable(
            "subscription_password", key: ["source_id": .integer],
            ["origin": .text, "username": .text, "password": .text]),
        TransferTable(
            "hub_subscription", key: ["token": .text],
            [
                "source_id": .integer, "hub": .text, "topic": .text, "secret": .text, "state": .text,
                "lease_end_at": .integer, "next_attempt_at": .integer, "attempts": .integer, "problem": .text,
                "last_ping_at": .integer, "open_ping_at": .integer,
            ]),
        TransferTable(
            "source_icon", key: ["source_id": .integer],
            ["next_fetch_at": .integer, "type": .text, "bytes": .bytes], batchSize: 100),
        TransferTable("quiet_source", key: ["user_id": .integer, "source_id": .integer], [:]),

        // The users who have marked all articles.
        TransferTable("reader", key: ["user_id": .integer], ["read_up_to": .integer, "all_read_at": .integer]),
        mark("article_read", "is_set", .bool), mark("article_star", "is_set", .bool),
        mark("article_later", "is_set", .bool), mark("article_hidden", "is_set", .bool),
        mark("article_place", "place", .integer), mark("article_note", "note", .text),
        TransferTable("own_tag", key: ["user_id": .integer, "key": .text], ["name": .text]),
        TransferTable(
            "article_own_tag", key: ["user_id": .integer, "key": .text, "article_id": .integer],
            ["is_set": .bool, "changed_at": .integer]),
        TransferTable(
            "saved_search", key: ["user_id": .integer, "key": .text],
            ["name": .text, "query": .text, "source_id": .integer]),
        TransferTable(
            "rule", key: ["user_id": .integer, "key": .text],
            [
                "name": .text, "source_id": .integer, "search": .text, "address": .text, "pattern": .text,
                "actions": .text,
            ]),
        TransferTable("rule_position", key: ["user_id": .integer], ["applied_to": .integer]),
        // In SQLite, all users share one sequence. On PostgreSQL, each user has an own one. So the target may raise the
        // numbers. Clients continue after the highest number that they know: they get some changes again, and miss none.
        TransferTable("mark_change", key: ["user_id": .integer, "sequence": .order], ["article_id": .integer]),
        // The highest number that a change of a mark ever had.
        TransferTable("mark_number", key: ["id": .integer], ["last": .order], hasInitialRow: true),
    ]

    private static func mark(_ name: String, _ column: String, _ kind: Column.Kind) -> TransferTable {
        TransferTable(
            name, key: ["user_id": .integer, "article_id": .integer], [column: kind, "changed_at": .integer])
    }
}

/// A value of a row in a `TransferTable`.
package enum TransferValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}
