-- The addresses from which feeds were fetched before permanent redirects. Lists of feeds may still contain them.
CREATE TABLE former_address (
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    address TEXT NOT NULL CHECK (address <> ''),
    PRIMARY KEY (source_id, address)
) STRICT, WITHOUT ROWID;

-- The sources whose subscriptions users have ended. Lists of feeds for other programs leave them out.
CREATE TABLE unsubscribed_source (
    source_id INTEGER PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE
) STRICT;
