-- What finds articles by their words. The tokenizer, and how a text becomes what is indexed, is csearch.h.
--
-- The tables have no text of their own: what they hold of an article can only be taken out by who says again what was put
-- in. So what an article was is kept until the index has followed.

CREATE VIRTUAL TABLE article_text USING fts5 (title, authors, tags, summary, body, content='', tokenize='words');
-- The short of it, in which a beginning of a word finds as one types.
CREATE VIRTUAL TABLE article_name USING fts5 (title, authors, tags, content='', tokenize='words', prefix='1 2 3');

-- The words of the short of it, among which those are looked for that a misspelled one was meant to be.
CREATE VIRTUAL TABLE article_word USING fts5vocab (article_name, row);

-- How much is gathered in memory before it is written: what is written in larger pieces is merged less often.
INSERT INTO article_text (article_text, rank) VALUES ('hashsize', 33554432);
INSERT INTO article_name (article_name, rank) VALUES ('hashsize', 8388608);

CREATE TABLE search_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- By which rules texts became words (csearch_version). By others the index is made anew; none are numbered 0.
    version INTEGER NOT NULL,
    -- Articles up to this number are in the index: as they are, or, if search_queue has them, as they were. Numbers rise,
    -- so that what an import adds waits behind it without being noted.
    indexed_to INTEGER NOT NULL
) STRICT;

INSERT INTO search_state (id, version, indexed_to) VALUES (1, 0, 0);

-- Articles that have changed, or are gone, since they were indexed: what they were then. A commit leaves them behind only
-- where it changed more than it takes along.
CREATE TABLE search_queue (
    article_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    authors TEXT NOT NULL,
    tags TEXT NOT NULL,
    summary TEXT NOT NULL,
    format TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;

-- Triggers, so that no change goes past the index, whoever makes it and with whatever program.
CREATE TRIGGER article_unfound BEFORE DELETE ON article
WHEN old.id <= (SELECT indexed_to FROM search_state) AND NOT EXISTS (SELECT 1 FROM search_queue WHERE article_id = old.id)
BEGIN
    INSERT INTO search_queue SELECT old.id, old.title, old.authors, old.tags, old.summary, ifnull(b.format, 'plain'), ifnull(b.body, '')
    FROM (SELECT 1) LEFT JOIN article_body AS b ON b.article_id = old.id;
END;

CREATE TRIGGER article_reworded BEFORE UPDATE OF title, authors, tags, summary ON article
WHEN old.id <= (SELECT indexed_to FROM search_state) AND NOT EXISTS (SELECT 1 FROM search_queue WHERE article_id = old.id)
    AND (old.title, old.authors, old.tags, old.summary) IS NOT (new.title, new.authors, new.tags, new.summary)
BEGIN
    INSERT INTO search_queue SELECT old.id, old.title, old.authors, old.tags, old.summary, ifnull(b.format, 'plain'), ifnull(b.body, '')
    FROM (SELECT 1) LEFT JOIN article_body AS b ON b.article_id = old.id;
END;

CREATE TRIGGER article_body_reworded BEFORE UPDATE OF format, body ON article_body
WHEN old.article_id <= (SELECT indexed_to FROM search_state)
    AND NOT EXISTS (SELECT 1 FROM search_queue WHERE article_id = old.article_id)
    AND (old.format, old.body) IS NOT (new.format, new.body)
BEGIN
    INSERT INTO search_queue SELECT a.id, a.title, a.authors, a.tags, a.summary, old.format, old.body
    FROM article AS a WHERE a.id = old.article_id;
END;

-- Labels are found as words are: without regard to the accents of Latin letters too. Those that are one then become one.
CREATE TABLE label_kept (id INTEGER PRIMARY KEY, kept INTEGER NOT NULL) STRICT;
INSERT INTO label_kept SELECT id, min(id) OVER (PARTITION BY kind, search_fold(key)) FROM label;
DELETE FROM label_kept WHERE id = kept;
INSERT OR IGNORE INTO label_by_date SELECT k.kept, d.published_at, d.article_id
FROM label_kept AS k CROSS JOIN label_by_date AS d ON d.label_id = k.id;
INSERT OR IGNORE INTO label_by_title SELECT k.kept, t.title_key, t.article_id
FROM label_kept AS k CROSS JOIN label_by_title AS t ON t.label_id = k.id;
INSERT OR IGNORE INTO article_label SELECT d.article_id, k.kept
FROM label_kept AS k CROSS JOIN label_by_date AS d ON d.label_id = k.id;
DELETE FROM article_label WHERE (article_id, label_id) IN (
    SELECT d.article_id, d.label_id FROM label_kept AS k CROSS JOIN label_by_date AS d ON d.label_id = k.id);
UPDATE label SET key = search_fold(key);
DROP TABLE label_kept;
