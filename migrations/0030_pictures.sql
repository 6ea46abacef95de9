-- Pictures of articles that this library has fetched.

-- The pictures, each once. The identifier is the secret part of the address, so it is random and not the hash.
CREATE TABLE picture (
    uid TEXT PRIMARY KEY CHECK (length(uid) = 32),
    -- The SHA-256 of the bytes.
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    type TEXT NOT NULL CHECK (type IN ('image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/avif')),
    bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 2097152)
) STRICT;

-- The addresses of the pictures in the texts of articles. A row without a picture and without a next attempt has failed.
CREATE TABLE article_picture (
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    -- The absolute address.
    address TEXT NOT NULL CHECK (address <> '' AND length(CAST(address AS BLOB)) <= 2048),
    picture_uid TEXT REFERENCES picture (uid),
    next_attempt_at INTEGER,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (article_id, address),
    CHECK (picture_uid IS NULL OR next_attempt_at IS NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX article_picture_by_picture ON article_picture (picture_uid) WHERE picture_uid IS NOT NULL;
CREATE INDEX article_picture_by_next_attempt ON article_picture (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- Deletes a picture that no article has any more.
CREATE TRIGGER article_picture_removed AFTER DELETE ON article_picture WHEN old.picture_uid IS NOT NULL BEGIN
    DELETE FROM picture WHERE uid = old.picture_uid
        AND NOT EXISTS (SELECT 1 FROM article_picture WHERE picture_uid = old.picture_uid);
END;

-- The position in the log of changes up to which the addresses were read. There is at most one row.
CREATE TABLE picture_progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    copy TEXT NOT NULL,
    last_article INTEGER NOT NULL,
    last_change INTEGER NOT NULL,
    -- Articles up to this number arrived before the pictures were fetched.
    start_after INTEGER NOT NULL,
    read_at INTEGER NOT NULL
) STRICT;
