-- What programs need that keep a copy of the library, or ask again and again what is new.

-- When articles came: from the article of a number on, each a millionth of a second after the one before. Numbers rise as
-- articles come, so that a row for each write says it of all.
CREATE TABLE arrival (
    first_id INTEGER PRIMARY KEY,
    -- In microseconds since 1970; it rises with the numbers.
    arrived_at INTEGER NOT NULL
) STRICT;

INSERT INTO arrival SELECT 1, unixepoch() * 1000000 WHERE EXISTS (SELECT 1 FROM article);

-- What tells this library from one that comes back from a backup, in which the numbers below mean something else.
CREATE TABLE library_copy (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    uid TEXT NOT NULL CHECK (length(uid) = 16)
) STRICT;

INSERT INTO library_copy VALUES (1, lower(hex(randomblob(8))));

-- Articles that were changed or are gone since they came, each by the last time. What came is known by its number.
CREATE TABLE article_change (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    -- It may be gone.
    article_id INTEGER NOT NULL UNIQUE
) STRICT;

-- Triggers, so that no change goes past, whoever makes it and with whatever program.
CREATE TRIGGER article_changed AFTER UPDATE OF source_id, key, slug, title, authors, tags, summary, language, published_at,
    published_offset, updated_at, reading_minutes ON article
BEGIN
    DELETE FROM article_change WHERE article_id = new.id;
    INSERT INTO article_change (article_id) VALUES (new.id);
END;

CREATE TRIGGER article_body_changed AFTER UPDATE OF format, source_url, base_url, extra, body ON article_body
WHEN new.article_id IS NOT (SELECT article_id FROM article_change ORDER BY sequence DESC LIMIT 1)
BEGIN
    DELETE FROM article_change WHERE article_id = new.article_id;
    INSERT INTO article_change (article_id) VALUES (new.article_id);
END;

CREATE TRIGGER article_gone AFTER DELETE ON article BEGIN
    DELETE FROM article_change WHERE article_id = old.id;
    INSERT INTO article_change (article_id) VALUES (old.id);
END;

CREATE TRIGGER source_renamed AFTER UPDATE OF name ON source WHEN new.name <> old.name BEGIN
    DELETE FROM article_change WHERE article_id IN (SELECT id FROM article WHERE source_id = new.id);
    INSERT INTO article_change (article_id) SELECT id FROM article WHERE source_id = new.id;
END;

-- Articles that a reader has marked, each by the last time.
CREATE TABLE mark_change (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    UNIQUE (user_id, article_id)
) STRICT;

CREATE INDEX mark_change_by_user ON mark_change (user_id, sequence);
CREATE INDEX mark_change_by_article ON mark_change (article_id);

INSERT INTO mark_change (user_id, article_id)
SELECT user_id, article_id FROM article_mark
UNION SELECT user_id, article_id FROM article_note
UNION SELECT t.user_id, a.article_id FROM article_own_tag AS a CROSS JOIN own_tag AS t ON t.id = a.tag_id;

CREATE TRIGGER article_mark_made AFTER INSERT ON article_mark BEGIN
    DELETE FROM mark_change WHERE user_id = new.user_id AND article_id = new.article_id;
    INSERT INTO mark_change (user_id, article_id) VALUES (new.user_id, new.article_id);
END;

CREATE TRIGGER article_mark_changed AFTER UPDATE ON article_mark BEGIN
    DELETE FROM mark_change WHERE user_id = new.user_id AND article_id = new.article_id;
    INSERT INTO mark_change (user_id, article_id) VALUES (new.user_id, new.article_id);
END;

CREATE TRIGGER article_note_made AFTER INSERT ON article_note BEGIN
    DELETE FROM mark_change WHERE user_id = new.user_id AND article_id = new.article_id;
    INSERT INTO mark_change (user_id, article_id) VALUES (new.user_id, new.article_id);
END;

CREATE TRIGGER article_note_changed AFTER UPDATE ON article_note BEGIN
    DELETE FROM mark_change WHERE user_id = new.user_id AND article_id = new.article_id;
    INSERT INTO mark_change (user_id, article_id) VALUES (new.user_id, new.article_id);
END;

CREATE TRIGGER article_own_tag_made AFTER INSERT ON article_own_tag BEGIN
    DELETE FROM mark_change WHERE article_id = new.article_id
        AND user_id = (SELECT user_id FROM own_tag WHERE id = new.tag_id);
    INSERT INTO mark_change (user_id, article_id) SELECT user_id, new.article_id FROM own_tag WHERE id = new.tag_id;
END;

CREATE TRIGGER article_own_tag_changed AFTER UPDATE ON article_own_tag BEGIN
    DELETE FROM mark_change WHERE article_id = new.article_id
        AND user_id = (SELECT user_id FROM own_tag WHERE id = new.tag_id);
    INSERT INTO mark_change (user_id, article_id) SELECT user_id, new.article_id FROM own_tag WHERE id = new.tag_id;
END;

-- What was made for a request that may be sent again, when the answer to it was lost.
CREATE TABLE creation (
    -- SHA-256 of who asked and of the key that they gave the request.
    request_hash BLOB PRIMARY KEY CHECK (length(request_hash) = 32),
    -- SHA-256 of what was to be made: another under the same key is a mistake.
    content_hash BLOB NOT NULL CHECK (length(content_hash) = 32),
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX creation_by_article ON creation (article_id);
CREATE INDEX creation_by_time ON creation (created_at);

-- What is in the addresses at which a user's feeds are.
CREATE TABLE feed_address (
    user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    -- SHA-256 of the secret; the secret itself is never stored.
    secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    created_at INTEGER NOT NULL
) STRICT;
