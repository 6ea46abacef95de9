-- The user names and the passwords of feeds behind Basic authentication. They are not in the table of the subscriptions,
-- so that no list and no export of subscriptions contains them.

CREATE TABLE subscription_password (
    source_id INTEGER PRIMARY KEY REFERENCES subscription (source_id) ON DELETE CASCADE,
    -- The scheme, the host, and the port to which they may be sent.
    origin TEXT NOT NULL CHECK (origin <> ''),
    username TEXT NOT NULL,
    password TEXT NOT NULL
) STRICT;
