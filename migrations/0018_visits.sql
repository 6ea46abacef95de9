-- The steps of a flow in a browser, such as a registration, between its requests.
CREATE TABLE visit (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    -- A hash of the browser and its session.
    owner BLOB NOT NULL CHECK (length(owner) = 32),
    -- A hash of the user or, without a session, of the network address. The number of visits of each is limited.
    holder BLOB NOT NULL CHECK (length(holder) = 32),
    -- Encrypted with a key that only the browser has.
    content BLOB NOT NULL,
    -- The number of changes, so that one of two requests at once cannot undo the other.
    version INTEGER NOT NULL,
    used_at INTEGER NOT NULL
) STRICT;
