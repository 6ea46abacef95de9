-- The library. A list never reads a body: bodies are a table of their own.

CREATE TABLE article (
    id INTEGER PRIMARY KEY,
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
    updated_at INTEGER NOT NULL,
    reading_minutes INTEGER NOT NULL,
    -- The id again: SQLite does not seek an index by a row value that the rowid is part of, and a page must start in
    -- the middle of articles of one date as quickly as elsewhere.
    number INTEGER GENERATED ALWAYS AS (id) VIRTUAL
) STRICT;

-- Lists of the whole library are answered from these alone. They hold every column, because SQLite takes a query that
-- names a generated column to need all of them.
CREATE INDEX article_by_date ON article
    (published_at, number, slug, title, title_key, authors, tags, summary, language, updated_at, reading_minutes);
CREATE INDEX article_by_title ON article
    (title_key, number, slug, title, authors, tags, summary, language, published_at, updated_at, reading_minutes);

-- Lists in one language find their order here and the rest in the table: two more indexes as wide as those above would
-- halve the speed of an import, and save a list of fifty no more than 20 microseconds.
CREATE INDEX article_by_language_and_date ON article (language, published_at, number) WHERE language IS NOT NULL;
CREATE INDEX article_by_language_and_title ON article (language, title_key, number) WHERE language IS NOT NULL;

CREATE TABLE article_body (
    article_id INTEGER PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE,
    format TEXT NOT NULL CHECK (format IN ('markdown', 'html', 'plain')),
    source_url TEXT,
    -- What the source said and no column holds, as a JSON object.
    extra TEXT NOT NULL,
    -- Last, so that what comes before it is read without walking through it.
    body TEXT NOT NULL
) STRICT;

-- The key of these tables is the order of the list, by date; an index has the order by title. Date and title are
-- those of the article, repeated, because no index spans two tables.
CREATE TABLE article_author (
    author_key TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    title_key TEXT NOT NULL,
    PRIMARY KEY (author_key, published_at, article_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX article_author_by_title ON article_author (author_key, title_key, article_id);
CREATE INDEX article_author_of_article ON article_author (article_id);

CREATE TABLE article_tag (
    tag_key TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    title_key TEXT NOT NULL,
    PRIMARY KEY (tag_key, published_at, article_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX article_tag_by_title ON article_tag (tag_key, title_key, article_id);
CREATE INDEX article_tag_of_article ON article_tag (article_id);
