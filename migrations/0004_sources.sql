-- Where articles come from. An article is known by its source and its key there; the slug is only what it is called.

CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    -- 128 random bits, in hexadecimal: what it is known by in every library.
    uid TEXT NOT NULL UNIQUE CHECK (length(uid) = 32),
    name TEXT NOT NULL CHECK (name <> ''),
    -- The name folded, as it is found by and unique.
    name_key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('folder', 'files', 'file', 'feed', 'stream', 'earlier')),
    -- The path or address that it was imported from.
    location TEXT,
    -- What relative links in its articles are relative to.
    home TEXT,
    -- The address of the feed that it is, which is not where a feed that was saved as a file lies.
    feed_url TEXT,
    imported_at INTEGER,
    problem_count INTEGER NOT NULL,
    -- The first problems of the last import, as a JSON array of strings.
    problems TEXT NOT NULL
) STRICT;

-- What is in the library already belongs to a source of its own, from which imports take articles over by their slugs.
INSERT INTO source (uid, name, name_key, kind, problem_count, problems)
SELECT lower(hex(randomblob(16))), 'earlier', 'earlier', 'earlier', 0, '[]' WHERE EXISTS (SELECT 1 FROM article);

-- What was deleted by somebody here, by its source and its key there: an import leaves it out.
CREATE TABLE deleted_article (
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    -- A hash of the record that it was made of, by which a file is known that was renamed; NULL where that is not known.
    content_hash INTEGER,
    PRIMARY KEY (source_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE new_article (
    -- A number means one article for ever, also when that is gone.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    -- What the article is known by in its source.
    key TEXT NOT NULL,
    -- A hash of the record that it was made from; NULL where that is not known.
    content_hash INTEGER,
    -- Whether it was changed here since.
    is_edited INTEGER NOT NULL,
    slug TEXT NOT NULL UNIQUE CHECK (slug <> ''),
    title TEXT NOT NULL,
    -- What lists by title are ordered by: the title folded and cut (ArticleQuery.titleKey).
    title_key TEXT NOT NULL,
    -- Authors and tags in their order, as JSON arrays of strings; article_label finds by them.
    authors TEXT NOT NULL,
    tags TEXT NOT NULL,
    summary TEXT NOT NULL,
    language TEXT,
    published_at INTEGER NOT NULL,
    -- By how many minutes the clock of who published it was ahead of UTC.
    published_offset INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    reading_minutes INTEGER NOT NULL,
    -- The id again: SQLite does not seek an index by a row value that the rowid is part of, and a page must start in
    -- the middle of articles of one date as quickly as elsewhere.
    number INTEGER GENERATED ALWAYS AS (id) VIRTUAL,
    UNIQUE (source_id, key)
) STRICT;

INSERT INTO new_article (id, source_id, key, is_edited, slug, title, title_key, authors, tags, summary, language,
    published_at, published_offset, updated_at, reading_minutes)
SELECT a.id, s.id, a.slug, 0, a.slug, a.title, a.title_key, a.authors, a.tags, a.summary, a.language, a.published_at, 0,
    a.updated_at, a.reading_minutes
FROM source AS s CROSS JOIN article AS a ORDER BY a.id;

DROP TABLE article;
ALTER TABLE new_article RENAME TO article;

CREATE INDEX article_by_date ON article (published_at, number);
CREATE INDEX article_by_title ON article (title_key, number);
CREATE INDEX article_by_language_and_date ON article (language, published_at, number) WHERE language IS NOT NULL;
CREATE INDEX article_by_language_and_title ON article (language, title_key, number) WHERE language IS NOT NULL;
CREATE INDEX article_by_source_and_date ON article (source_id, published_at, number);
CREATE INDEX article_by_source_and_title ON article (source_id, title_key, number);

-- Authors and tags, each once, by the name folded.
CREATE TABLE label (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('author', 'tag')),
    key TEXT NOT NULL,
    UNIQUE (kind, key)
) STRICT;

-- Which article has which. Articles are numbered as they come, so that a new one is written at the end.
CREATE TABLE article_label (
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    label_id INTEGER NOT NULL,
    PRIMARY KEY (article_id, label_id)
) STRICT, WITHOUT ROWID;

-- The same in the orders of lists: date and title are those of the article, repeated, because no index spans two
-- tables. They are as narrow as they can be: an import writes every page of them again in each of its transactions.
CREATE TABLE label_by_date (
    label_id INTEGER NOT NULL REFERENCES label (id),
    published_at INTEGER NOT NULL,
    article_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, published_at, article_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE label_by_title (
    label_id INTEGER NOT NULL,
    title_key TEXT NOT NULL,
    article_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, title_key, article_id)
) STRICT, WITHOUT ROWID;

INSERT INTO label (kind, key) SELECT DISTINCT 'author', author_key FROM article_author ORDER BY author_key;
INSERT INTO label (kind, key) SELECT DISTINCT 'tag', tag_key FROM article_tag ORDER BY tag_key;

-- Read in the order in which they are written, as labels were numbered by their keys: only article_label is sorted.
INSERT INTO label_by_date SELECT l.id, k.published_at, k.article_id
FROM label AS l CROSS JOIN article_author AS k NOT INDEXED ON k.author_key = l.key WHERE l.kind = 'author'
ORDER BY l.key, k.published_at, k.article_id;
INSERT INTO label_by_date SELECT l.id, k.published_at, k.article_id
FROM label AS l CROSS JOIN article_tag AS k NOT INDEXED ON k.tag_key = l.key WHERE l.kind = 'tag'
ORDER BY l.key, k.published_at, k.article_id;
INSERT INTO label_by_title SELECT l.id, k.title_key, k.article_id
FROM label AS l CROSS JOIN article_author AS k INDEXED BY article_author_by_title ON k.author_key = l.key
WHERE l.kind = 'author' ORDER BY l.key, k.title_key, k.article_id;
INSERT INTO label_by_title SELECT l.id, k.title_key, k.article_id
FROM label AS l CROSS JOIN article_tag AS k INDEXED BY article_tag_by_title ON k.tag_key = l.key
WHERE l.kind = 'tag' ORDER BY l.key, k.title_key, k.article_id;
INSERT INTO article_label SELECT article_id, label_id FROM label_by_date ORDER BY article_id, label_id;

DROP TABLE article_author;
DROP TABLE article_tag;

-- What leaves article_label leaves the orders too, and the last of a label takes it along. It must leave before date or
-- title of its article change, and does before an article goes.
CREATE TRIGGER article_label_removed AFTER DELETE ON article_label BEGIN
    DELETE FROM label_by_date WHERE label_id = old.label_id AND article_id = old.article_id
        AND published_at = (SELECT published_at FROM article WHERE id = old.article_id);
    DELETE FROM label_by_title WHERE label_id = old.label_id AND article_id = old.article_id
        AND title_key = (SELECT title_key FROM article WHERE id = old.article_id);
    DELETE FROM label WHERE id = old.label_id AND NOT EXISTS (SELECT 1 FROM label_by_date WHERE label_id = old.label_id);
END;

CREATE TRIGGER article_removed BEFORE DELETE ON article BEGIN
    DELETE FROM article_label WHERE article_id = old.id;
END;

-- What relative links in the body are relative to, where it is not source_url.
ALTER TABLE article_body ADD COLUMN base_url TEXT;
