-- One story from several feeds: the entries of other sources that are the same story as an article.

-- A hash of the normalized address (StoryAddress), by which an entry finds the article. Articles from before this step get it
-- with their next change.
ALTER TABLE article ADD COLUMN address_hash bigint;
CREATE INDEX article_by_address_hash ON article (address_hash) WHERE address_hash IS NOT NULL;

CREATE TABLE article_appearance (
    source_id bigint NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    -- The identity of the entry in its source.
    key text COLLATE "C" NOT NULL,
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    -- A hash of the record of the entry, if known.
    content_hash bigint,
    appeared_at bigint NOT NULL,
    -- The date and the sort key of the article, repeated, because an index cannot span two tables.
    published_at bigint NOT NULL,
    title_key text COLLATE "C" NOT NULL,
    title text NOT NULL,
    address text,
    -- The text, if it differs from the text of the article.
    format text CHECK (format IN ('markdown', 'html', 'plain')),
    body text,
    UNIQUE (article_id, source_id),
    CHECK ((format IS NULL) = (body IS NULL))
);

CREATE UNIQUE INDEX article_appearance_by_key ON article_appearance (source_id, md5(key));
CREATE INDEX article_appearance_by_date ON article_appearance (source_id, published_at, article_id);
CREATE INDEX article_appearance_by_title ON article_appearance (source_id, title_key, article_id);

-- Articles that only appear in a source are counted apart, so that the sum of the articles of all sources stays the size of
-- the library. A trigger counts them, because foreign keys delete appearances, too.
ALTER TABLE source_size ADD COLUMN appearances bigint NOT NULL DEFAULT 0;

CREATE FUNCTION count_appearance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO source_size (source_id, articles, appearances) VALUES (NEW.source_id, 0, 1)
        ON CONFLICT (source_id) DO UPDATE SET appearances = source_size.appearances + 1;
    ELSE
        UPDATE source_size SET appearances = appearances - 1 WHERE source_id = OLD.source_id;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION log_appearance_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.article_id ELSE NEW.article_id END;
BEGIN
    DELETE FROM article_change WHERE article_id = changed;
    INSERT INTO article_change (article_id) VALUES (changed);
    RETURN NULL;
END
$$;

CREATE FUNCTION move_appearances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE article_appearance SET published_at = NEW.published_at, title_key = NEW.title_key
    WHERE article_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER article_appearance_counted AFTER INSERT OR DELETE ON article_appearance
    FOR EACH ROW EXECUTE FUNCTION count_appearance();
CREATE TRIGGER article_appearance_logged AFTER INSERT OR DELETE ON article_appearance
    FOR EACH ROW EXECUTE FUNCTION log_appearance_change();
CREATE TRIGGER article_appearance_changed AFTER UPDATE OF key, title, address, format, body ON article_appearance
    FOR EACH ROW WHEN ((OLD.key, OLD.title, OLD.address, OLD.format, OLD.body)
        IS DISTINCT FROM (NEW.key, NEW.title, NEW.address, NEW.format, NEW.body))
    EXECUTE FUNCTION log_appearance_change();
CREATE TRIGGER article_reordered AFTER UPDATE OF published_at, title_key ON article
    FOR EACH ROW WHEN ((OLD.published_at, OLD.title_key) IS DISTINCT FROM (NEW.published_at, NEW.title_key))
    EXECUTE FUNCTION move_appearances();

CREATE OR REPLACE FUNCTION log_source_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM article_change WHERE article_id IN (
        SELECT id FROM article WHERE source_id = OLD.id
        UNION ALL SELECT article_id FROM article_appearance WHERE source_id = OLD.id);
    INSERT INTO article_change (article_id)
    SELECT id FROM article WHERE source_id = OLD.id
    UNION ALL SELECT article_id FROM article_appearance WHERE source_id = OLD.id
    ORDER BY 1;
    RETURN NULL;
END
$$;
