-- The sources that are fetched from the web. Each fetch changes one row.
CREATE TABLE subscription (
    source_id bigint PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE,
    address text NOT NULL CHECK (address <> ''),
    state text NOT NULL CHECK (state IN ('active', 'paused', 'ended')),
    -- While a process fetches the source, the time at which others may.
    next_fetch_at bigint NOT NULL,
    -- The process that fetches the source; NULL if none does.
    holder text,
    last_fetch_at bigint,
    last_success_at bigint,
    -- Since the last success.
    failures bigint NOT NULL,
    last_error text,
    -- ETag and Last-Modified of the last response, byte for byte.
    entity_tag bytea,
    last_modified bytea,
    -- A hash of the last imported response.
    content_hash bigint,
    -- The target of a permanent redirect, and the time of its first observation.
    moved_to text,
    moved_since bigint,
    -- The wishes of the feed: seconds, and bits for hours and days in UTC.
    wished_interval bigint,
    skipped_hours bigint NOT NULL,
    skipped_days bigint NOT NULL,
    -- The publication dates of the latest articles, as a JSON array of seconds.
    latest text NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX subscription_by_next_fetch ON subscription (next_fetch_at) WHERE state = 'active';
