-- One story from several feeds: the entries of other sources that are the same story as an article.

-- A hash of the normalized address (StoryAddress), by which an entry finds the article. Articles from before this step get it
-- with their next change.
ALTER TABLE article ADD COLUMN address_hash INTEGER;
CREATE INDEX article_by_address_hash ON article (address_hash) WHERE address_hash IS NOT NULL;

CREATE TABLE article_appearance (
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    -- The identity of the entry in its source.
    key TEXT NOT NULL,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    -- A hash of the record of the entry, if known.
    content_hash INTEGER,
    appeared_at INTEGER NOT NULL,
    -- The date and the sort key of the article, repeated, because an index cannot span two tables.
    published_at INTEGER NOT NULL,
    title_key TEXT NOT NULL,
    title TEXT NOT NULL,
    address TEXT,
    -- The text, if it differs from the text of the article.
    format TEXT CHECK (format IN ('markdown', 'html', 'plain')),
    body TEXT,
    PRIMARY KEY (source_id, key),
    UNIQUE (article_id, source_id),
    CHECK ((format IS NULL) = (body IS NULL))
) STRICT;

CREATE INDEX article_appearance_by_date ON article_appearance (source_id, published_at, article_id);
CREATE INDEX article_appearance_by_title ON article_appearance (source_id, title_key, article_id);

-- Articles that only appear in a source are counted apart, so that the sum of the articles of all sources stays the size of
-- the library.
ALTER TABLE source_size ADD COLUMN appearances INTEGER NOT NULL DEFAULT 0;
ALTER TABLE source_read ADD COLUMN appearances INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER article_counted;
CREATE TRIGGER article_counted AFTER INSERT ON article BEGIN
    INSERT INTO source_size (source_id, articles) VALUES (new.source_id, 1)
        ON CONFLICT DO UPDATE SET articles = articles + 1;
END;

DROP TRIGGER article_moved;
CREATE TRIGGER article_moved AFTER UPDATE OF source_id ON article WHEN new.source_id <> old.source_id BEGIN
    UPDATE source_size SET articles = articles - 1 WHERE source_id = old.source_id;
    UPDATE source_read SET articles = articles - 1 WHERE source_id = old.source_id
        AND user_id IN (SELECT user_id FROM article_reader WHERE article_id = new.id);
    INSERT INTO source_size (source_id, articles) VALUES (new.source_id, 1)
        ON CONFLICT DO UPDATE SET articles = articles + 1;
    INSERT INTO source_read (user_id, source_id, articles)
        SELECT user_id, new.source_id, 1 FROM article_reader WHERE article_id = new.id
        ON CONFLICT DO UPDATE SET articles = articles + 1;
END;

CREATE TRIGGER article_appeared AFTER INSERT ON article_appearance BEGIN
    INSERT INTO source_size (source_id, articles, appearances) VALUES (new.source_id, 0, 1)
        ON CONFLICT DO UPDATE SET appearances = appearances + 1;
    INSERT INTO source_read (user_id, source_id, articles, appearances)
        SELECT user_id, new.source_id, 0, 1 FROM article_reader WHERE article_id = new.article_id
        ON CONFLICT DO UPDATE SET appearances = appearances + 1;
    DELETE FROM article_change WHERE article_id = new.article_id;
    INSERT INTO article_change (article_id) VALUES (new.article_id);
END;

CREATE TRIGGER article_appearance_changed AFTER UPDATE OF key, title, address, format, body ON article_appearance
WHEN (old.key, old.title, old.address, old.format, old.body)
    IS NOT (new.key, new.title, new.address, new.format, new.body)
BEGIN
    DELETE FROM article_change WHERE article_id = new.article_id;
    INSERT INTO article_change (article_id) VALUES (new.article_id);
END;

CREATE TRIGGER article_disappeared AFTER DELETE ON article_appearance BEGIN
    UPDATE source_size SET appearances = appearances - 1 WHERE source_id = old.source_id;
    UPDATE source_read SET appearances = appearances - 1 WHERE source_id = old.source_id
        AND user_id IN (SELECT user_id FROM article_reader WHERE article_id = old.article_id);
    DELETE FROM article_change WHERE article_id = old.article_id;
    INSERT INTO article_change (article_id) VALUES (old.article_id);
END;

-- The counts of read articles need the article and its marks, which are gone when a foreign key deletes the appearances.
CREATE TRIGGER article_unlisted BEFORE DELETE ON article BEGIN
    DELETE FROM article_appearance WHERE article_id = old.id;
END;

CREATE TRIGGER article_reordered AFTER UPDATE OF published_at, title_key ON article
WHEN (old.published_at, old.title_key) IS NOT (new.published_at, new.title_key)
BEGIN
    UPDATE article_appearance SET published_at = new.published_at, title_key = new.title_key
    WHERE article_id = new.id;
END;

CREATE TRIGGER appearances_renamed AFTER UPDATE OF name ON source WHEN new.name <> old.name BEGIN
    DELETE FROM article_change WHERE article_id IN (
        SELECT article_id FROM article_appearance WHERE source_id = new.id);
    INSERT INTO article_change (article_id) SELECT article_id FROM article_appearance WHERE source_id = new.id;
END;
