-- Indexes of single fields, slugs of any length, and the number of articles of each label.

-- The index of all words does not know fields, so a search for a word in titles read the vector of each article with the word.
CREATE INDEX article_search_by_title ON article_search USING gin (ts_filter(words, '{A}'));
CREATE INDEX article_search_by_author ON article_search USING gin (ts_filter(words, '{B}'));
CREATE INDEX article_search_by_tag ON article_search USING gin (ts_filter(words, '{C}'));
-- The articles whose vectors do not have all words. A field cannot exclude them.
CREATE INDEX article_search_incomplete ON article_search (article_id) WHERE gap = 2;

-- The vectors of a word that fills its positions within the fields, so that it may lack a later field. The program stores them
-- again.
UPDATE article_search SET gap = -1
WHERE gap = 1 AND EXISTS (SELECT FROM unnest(words) AS n WHERE n.weights[255] IN ('A', 'B', 'C'));

-- A slug can be longer than a row of a B-tree.
CREATE INDEX article_by_slug ON article USING hash (slug);
CREATE UNIQUE INDEX article_by_whole_slug ON article (md5(slug));
CREATE INDEX article_by_start_of_slug ON article (left(slug, 200));
ALTER TABLE article DROP CONSTRAINT article_slug_key;

ALTER TABLE label ADD COLUMN articles bigint NOT NULL DEFAULT 0;
UPDATE label AS l SET articles = n.articles
FROM (SELECT label_id, count(*) AS articles FROM article_label GROUP BY label_id) AS n WHERE n.label_id = l.id;

-- A trigger counts, because foreign keys delete rows, too.
CREATE FUNCTION count_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE label AS l SET articles = l.articles + CASE WHEN TG_OP = 'INSERT' THEN n.articles ELSE -n.articles END
    FROM (SELECT label_id, count(*) AS articles FROM changed GROUP BY label_id) AS n WHERE n.label_id = l.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER article_label_added AFTER INSERT ON article_label
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();
CREATE TRIGGER article_label_removed AFTER DELETE ON article_label
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();
