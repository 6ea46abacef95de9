-- The searches that users saved. The query contains the parameters of the list's path.
CREATE TABLE saved_search (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    key text COLLATE "C" NOT NULL CHECK (key <> ''),
    name text NOT NULL CHECK (name <> ''),
    query text NOT NULL,
    PRIMARY KEY (user_id, key)
);
