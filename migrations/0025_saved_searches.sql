-- The searches that users saved. The query contains the parameters of the list's path.
CREATE TABLE saved_search (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    key TEXT NOT NULL CHECK (key <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    query TEXT NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;
