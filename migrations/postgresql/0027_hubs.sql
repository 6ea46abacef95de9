-- The hub and the topic that the feed states (WebSub).
ALTER TABLE subscription ADD COLUMN hub_address text;
ALTER TABLE subscription ADD COLUMN hub_topic text;
-- Whether the last fetch found new articles that the hub had not announced.
ALTER TABLE subscription ADD COLUMN is_hub_silent boolean NOT NULL DEFAULT false;

-- The subscriptions at hubs. They are not in the table of the subscriptions, so that no list and no export contains the
-- secrets, and so that a hub can be told about the end of a subscription.
CREATE TABLE hub_subscription (
    -- The secret part of the address to which the hub sends its requests.
    token text COLLATE "C" PRIMARY KEY CHECK (token <> ''),
    -- NULL after the subscription of the source has ended.
    source_id bigint REFERENCES subscription (source_id) ON DELETE SET NULL,
    hub text NOT NULL CHECK (hub <> ''),
    topic text NOT NULL CHECK (topic <> ''),
    -- The key with which the hub signs; NULL if the hub cannot be reached over an encrypted connection.
    secret text,
    state text NOT NULL CHECK (state IN ('asking', 'active', 'denied', 'leaving')),
    -- NULL before the hub has confirmed the subscription, and after it was denied.
    lease_end_at bigint,
    -- While a process asks the hub, the time at which others may.
    next_attempt_at bigint NOT NULL,
    -- The number of requests since the hub has confirmed the last one.
    attempts bigint NOT NULL,
    problem text,
    last_ping_at bigint,
    -- The time of a ping after which the source was not made due yet.
    open_ping_at bigint
);

CREATE UNIQUE INDEX hub_subscription_by_source ON hub_subscription (source_id) WHERE state <> 'leaving';
CREATE INDEX hub_subscription_by_any_source ON hub_subscription (source_id);
CREATE INDEX hub_subscription_by_next_attempt ON hub_subscription (next_attempt_at);
CREATE INDEX hub_subscription_by_open_ping ON hub_subscription (open_ping_at) WHERE open_ping_at IS NOT NULL;
