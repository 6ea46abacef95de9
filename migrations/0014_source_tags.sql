-- Tags of sources, by which readers on phones and desktops show feeds in folders. Everybody has the same.
CREATE TABLE source_tag (
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    -- The name folded, as it is found by.
    key TEXT NOT NULL,
    name TEXT NOT NULL CHECK (name <> ''),
    PRIMARY KEY (source_id, key)
) STRICT, WITHOUT ROWID;
