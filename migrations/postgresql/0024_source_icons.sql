-- The address of the icon that the feed states.
ALTER TABLE subscription ADD COLUMN icon_address text;

-- The icons of subscribed sources. A row without an icon contains the time of the next attempt.
CREATE TABLE source_icon (
    source_id bigint PRIMARY KEY REFERENCES subscription (source_id) ON DELETE CASCADE,
    next_fetch_at bigint NOT NULL,
    type text CHECK (type IN ('image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/x-icon')),
    bytes bytea CHECK (length(bytes) BETWEEN 1 AND 65536),
    CHECK ((type IS NULL) = (bytes IS NULL))
);
