-- The sources that are fetched from the web. Each fetch writes one row of this table, in a transaction with others.

CREATE TABLE subscription (
    source_id INTEGER PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE,
    address TEXT NOT NULL CHECK (address <> ''),
    state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'ended')),
    -- While a process fetches the source, the time at which others may.
    next_fetch_at INTEGER NOT NULL,
    -- The process that fetches the source; NULL if none does.
    holder TEXT,
    last_fetch_at INTEGER,
    last_success_at INTEGER,
    -- Since the last success.
    failures INTEGER NOT NULL,
    last_error TEXT,
    -- ETag and Last-Modified of the last response, byte for byte.
    entity_tag BLOB,
    last_modified BLOB,
    -- A hash of the last imported response.
    content_hash INTEGER,
    -- The target of a permanent redirect, and the time of its first observation.
    moved_to TEXT,
    moved_since INTEGER,
    -- The wishes of the feed: seconds, and bits for hours and days in UTC.
    wished_interval INTEGER,
    skipped_hours INTEGER NOT NULL,
    skipped_days INTEGER NOT NULL,
    -- The publication dates of the latest articles, as a JSON array of seconds.
    latest TEXT NOT NULL
) STRICT;

CREATE INDEX subscription_by_next_fetch ON subscription (next_fetch_at) WHERE state = 'active';
