-- Where articles come from. An article is known by its source and its key there; the slug is only what it is called.

CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    -- 128 random bits, in hexadecimal: what it is known by in every library.
    uid TEXT NOT NULL UNIQUE CHECK (length(uid) = 32),
    name TEXT NOT NULL CHECK (name <> ''),
    -- The name folded, as it is found by and unique.
    name_key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('folder', 'file', 'feed', 'stream', 'earlier')),
    -- The path or address that it was imported from.
    location TEXT,
    -- What relative links in its articles are relative to.
    home TEXT,
    imported_at INTEGER,
    problem_count INTEGER NOT NULL,
    -- The first problems of the last import, as a JSON array of strings.
    problems TEXT NOT NULL
) STRICT;

-- What is in the library already belongs to a source of its own, from which imports take articles over by their slugs.
INSERT INTO source (uid, name, name_key, kind, problem_count, problems)
SELECT lower(hex(randomblob(16))), 'earlier', 'earlier', 'earlier', 0, '[]' WHERE EXISTS (SELECT 1 FROM article);

CREATE TABLE new_article (
    id INTEGER PRIMARY KEY,
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
    -- Authors and tags in their order, as JSON arrays of strings; article_author and article_tag find by them.
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

-- What relative links in the body are relative to, where it is not source_url.
ALTER TABLE article_body ADD COLUMN base_url TEXT;
