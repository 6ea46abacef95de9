-- The hub and the topic that the feed states (WebSub).
ALTER TABLE subscription ADD COLUMN hub_address TEXT;
ALTER TABLE subscription ADD COLUMN hub_topic TEXT;
-- Whether the last fetch found new articles that the hub had not announced.
ALTER TABLE subscription ADD COLUMN is_hub_silent INTEGER NOT NULL DEFAULT 0 CHECK (is_hub_silent IN (0, 1));

-- The subscriptions at hubs. They are not in the table of the subscriptions, so that no list and no export contains the
-- secrets, and so that a hub can be told about the end of a subscription.
CREATE TABLE hub_subscription (
    -- The secret part of the address to which the hub sends its requests.
    token TEXT PRIMARY KEY CHECK (token <> ''),
    -- NULL after the subscription of the source has ended.
    source_id INTEGER REFERENCES subscription (source_id) ON DELETE SET NULL,
    hub TEXT NOT NULL CHECK (hub <> ''),
    topic TEXT NOT NULL CHECK (topic <> ''),
    -- The key with which the hub signs; NULL if the hub cannot be reached over an encrypted connection.
    secret TEXT,
    state TEXT NOT NULL CHECK (state IN ('asking', 'active', 'denied', 'leaving')),
    -- NULL before the hub has confirmed the subscription, and after it was denied.
    lease_end_at INTEGER,
    -- While a process asks the hub, the time at which others may.
    next_attempt_at INTEGER NOT NULL,
    -- The number of requests since the hub has confirmed the last one.
    attempts INTEGER NOT NULL,
    problem TEXT,
    last_ping_at INTEGER,
    -- The time of a ping after which the source was not made due yet.
    open_ping_at INTEGER
) STRICT;

CREATE UNIQUE INDEX hub_subscription_by_source ON hub_subscription (source_id) WHERE state <> 'leaving';
CREATE INDEX hub_subscription_by_any_source ON hub_subscription (source_id);
CREATE INDEX hub_subscription_by_next_attempt ON hub_subscription (next_attempt_at);
CREATE INDEX hub_subscription_by_open_ping ON hub_subscription (open_ping_at) WHERE open_ping_at IS NOT NULL;
