-- What readers mark articles with. Each mark has the time of its last change, and a mark that was taken away stays as 0, so
-- that what two devices say can be told apart by time.

CREATE TABLE article_mark (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    -- NULL where nobody said: all_read says it then.
    is_read INTEGER CHECK (is_read IN (0, 1)),
    read_at INTEGER,
    is_starred INTEGER CHECK (is_starred IN (0, 1)),
    starred_at INTEGER,
    is_later INTEGER CHECK (is_later IN (0, 1)),
    later_at INTEGER,
    -- How far the reader has come, in thousandths of the text.
    place INTEGER CHECK (place BETWEEN 0 AND 1000),
    placed_at INTEGER,
    PRIMARY KEY (user_id, article_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX article_mark_by_article ON article_mark (article_id);
-- The few among many that are asked for. Each has the column that it is about, so that no row is looked up for it.
CREATE INDEX article_mark_unread ON article_mark (user_id, article_id, is_read) WHERE is_read = 0;
CREATE INDEX article_mark_starred ON article_mark (user_id, article_id, is_starred) WHERE is_starred = 1;
CREATE INDEX article_mark_later ON article_mark (user_id, article_id, is_later) WHERE is_later = 1;

-- Up to which article everything is read that article_mark says nothing else of: who reads the whole library away makes one
-- row, not a million.
CREATE TABLE all_read (
    user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    -- 0 where everything was made unread.
    up_to INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX all_read_by_end ON all_read (up_to);

-- Tags of a reader's own.
CREATE TABLE own_tag (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (name <> ''),
    -- The name folded.
    key TEXT NOT NULL,
    UNIQUE (user_id, key)
) STRICT;

CREATE TABLE article_own_tag (
    tag_id INTEGER NOT NULL REFERENCES own_tag (id) ON DELETE CASCADE,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    is_set INTEGER NOT NULL CHECK (is_set IN (0, 1)),
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (tag_id, article_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX article_own_tag_by_article ON article_own_tag (article_id);

CREATE TABLE article_note (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    -- NULL where it was taken away.
    note TEXT CHECK (length(note) <= 65536),
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, article_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX article_note_by_article ON article_note (article_id);

-- How many articles each source and label has, and how many of them each reader has read: counting a hundred thousand takes
-- longer than a person waits. What is written to the library keeps these right by itself; who writes marks writes them too.

CREATE TABLE source_size (
    source_id INTEGER PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE,
    articles INTEGER NOT NULL
) STRICT;

INSERT INTO source_size SELECT source_id, count(*) FROM article GROUP BY source_id;

ALTER TABLE label ADD COLUMN articles INTEGER NOT NULL DEFAULT 0;
UPDATE label SET articles = (SELECT count(*) FROM label_by_date WHERE label_id = label.id);

CREATE TABLE source_read (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    articles INTEGER NOT NULL,
    PRIMARY KEY (user_id, source_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX source_read_by_source ON source_read (source_id);

CREATE TABLE label_read (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    label_id INTEGER NOT NULL REFERENCES label (id) ON DELETE CASCADE,
    articles INTEGER NOT NULL,
    PRIMARY KEY (user_id, label_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX label_read_by_label ON label_read (label_id);

-- Who has read which article, to be asked of one article.
CREATE VIEW article_reader AS
SELECT article_id, user_id FROM article_mark WHERE is_read = 1
UNION ALL
SELECT a.id, r.user_id FROM article AS a CROSS JOIN all_read AS r ON r.up_to >= a.id
WHERE NOT EXISTS (
    SELECT 1 FROM article_mark AS m WHERE m.user_id = r.user_id AND m.article_id = a.id AND m.is_read IS NOT NULL);

CREATE TRIGGER article_counted AFTER INSERT ON article BEGIN
    INSERT INTO source_size VALUES (new.source_id, 1) ON CONFLICT DO UPDATE SET articles = articles + 1;
END;

CREATE TRIGGER article_uncounted BEFORE DELETE ON article BEGIN
    UPDATE source_size SET articles = articles - 1 WHERE source_id = old.source_id;
    UPDATE source_read SET articles = articles - 1 WHERE source_id = old.source_id
        AND user_id IN (SELECT user_id FROM article_reader WHERE article_id = old.id);
END;

CREATE TRIGGER article_moved AFTER UPDATE OF source_id ON article WHEN new.source_id <> old.source_id BEGIN
    UPDATE source_size SET articles = articles - 1 WHERE source_id = old.source_id;
    UPDATE source_read SET articles = articles - 1 WHERE source_id = old.source_id
        AND user_id IN (SELECT user_id FROM article_reader WHERE article_id = new.id);
    INSERT INTO source_size VALUES (new.source_id, 1) ON CONFLICT DO UPDATE SET articles = articles + 1;
    INSERT INTO source_read SELECT user_id, new.source_id, 1 FROM article_reader WHERE article_id = new.id
        ON CONFLICT DO UPDATE SET articles = articles + 1;
END;

CREATE TRIGGER article_label_counted AFTER INSERT ON article_label BEGIN
    UPDATE label SET articles = articles + 1 WHERE id = new.label_id;
    INSERT INTO label_read SELECT user_id, new.label_id, 1 FROM article_reader WHERE article_id = new.article_id
        ON CONFLICT DO UPDATE SET articles = articles + 1;
END;

CREATE TRIGGER article_label_uncounted BEFORE DELETE ON article_label BEGIN
    UPDATE label SET articles = articles - 1 WHERE id = old.label_id;
    UPDATE label_read SET articles = articles - 1 WHERE label_id = old.label_id
        AND user_id IN (SELECT user_id FROM article_reader WHERE article_id = old.article_id);
END;
