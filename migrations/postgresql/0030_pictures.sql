-- Pictures of articles that this library has fetched.

-- The pictures, each once. The identifier is the secret part of the address, so it is random and not the hash.
CREATE TABLE picture (
    uid text COLLATE "C" PRIMARY KEY CHECK (length(uid) = 32),
    -- The SHA-256 of the bytes.
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    type text NOT NULL CHECK (type IN ('image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/avif')),
    bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 2097152)
);

-- The addresses of the pictures in the texts of articles. A row without a picture and without a next attempt has failed.
CREATE TABLE article_picture (
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    -- The absolute address.
    address text COLLATE "C" NOT NULL CHECK (address <> '' AND octet_length(address) <= 2048),
    picture_uid text COLLATE "C" REFERENCES picture (uid),
    next_attempt_at bigint,
    attempts bigint NOT NULL,
    PRIMARY KEY (article_id, address),
    CHECK (picture_uid IS NULL OR next_attempt_at IS NULL)
);

CREATE INDEX article_picture_by_picture ON article_picture (picture_uid) WHERE picture_uid IS NOT NULL;
CREATE INDEX article_picture_by_next_attempt ON article_picture (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- Deletes a picture that no article has any more. The lock comes first: else another transaction could give the picture to an
-- article after the search for articles.
CREATE FUNCTION delete_unused_picture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM picture WHERE uid = OLD.picture_uid FOR UPDATE;
    DELETE FROM picture WHERE uid = OLD.picture_uid
        AND NOT EXISTS (SELECT FROM article_picture WHERE picture_uid = OLD.picture_uid);
    RETURN NULL;
END
$$;

CREATE TRIGGER article_picture_removed AFTER DELETE ON article_picture
    FOR EACH ROW WHEN (OLD.picture_uid IS NOT NULL) EXECUTE FUNCTION delete_unused_picture();

-- The position in the log of changes up to which the addresses were read. There is at most one row.
CREATE TABLE picture_progress (
    id bigint PRIMARY KEY CHECK (id = 1),
    copy text NOT NULL,
    last_article bigint NOT NULL,
    last_change bigint NOT NULL,
    -- Articles up to this number arrived before the pictures were fetched.
    start_after bigint NOT NULL,
    read_at bigint NOT NULL
);
