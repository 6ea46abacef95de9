-- The steps of a flow in a browser, such as a registration, between its requests. No index contains the time, so that a
-- use stays on the page. There are at most some thousand rows.
CREATE TABLE visit (
    id bytea PRIMARY KEY CHECK (length(id) = 16),
    -- A hash of the browser and its session.
    owner bytea NOT NULL CHECK (length(owner) = 32),
    -- A hash of the user or, without a session, of the network address. The number of visits of each is limited.
    holder bytea NOT NULL CHECK (length(holder) = 32),
    -- Encrypted with a key that only the browser has.
    content bytea NOT NULL,
    -- The number of changes, so that one of two requests at once cannot undo the other.
    version bigint NOT NULL,
    used_at bigint NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- The requests that all servers have counted for a client in a minute. Losing them after a crash only admits a client too
-- often for a minute, so the log does not contain them.
CREATE UNLOGGED TABLE request_count (
    -- Minutes since 1970.
    minute bigint NOT NULL,
    client text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (minute, client)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
