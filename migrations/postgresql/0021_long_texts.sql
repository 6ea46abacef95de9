-- A tsvector has at most 16,383 positions, 255 of each word, and 1 MiB. A text beyond these limits is also stored in parts that
-- overlap, so that a phrase is inside of a part. A search for a phrase or without a word reads them (SearchCondition).
ALTER TABLE article_search
    -- What is not in the vector: 0 nothing, 1 some positions, 2 some words. With -1, an older version has stored the vector,
    -- and the program stores it again.
    ADD COLUMN gap smallint NOT NULL DEFAULT 0 CHECK (gap BETWEEN -1 AND 2);

-- During an update of several servers, older ones still store vectors.
ALTER TABLE article_search ALTER COLUMN gap SET DEFAULT -1;

CREATE INDEX article_search_outdated ON article_search (article_id) WHERE gap < 0;

CREATE TABLE article_search_part (
    article_id bigint NOT NULL REFERENCES article_search (article_id) ON DELETE CASCADE,
    part bigint NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (article_id, part)
);

-- Whether each wanted query matches a part of the article, and the unwanted one does not. A function, because planning the
-- subqueries for each search would take longer than most searches.
CREATE FUNCTION article_parts_match(article bigint, wanted tsquery[], unwanted tsquery) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RETURN NOT EXISTS (
            SELECT FROM unnest(wanted) AS n (words) WHERE NOT EXISTS (
                SELECT FROM article_search_part AS p WHERE p.article_id = article AND p.words @@ n.words))
        AND NOT EXISTS (SELECT FROM article_search_part AS p WHERE p.article_id = article AND p.words @@ unwanted);
END
$$;

-- The vectors that have reached a limit. One of 1 MB has more than 60,000 bytes of text.
UPDATE article_search AS w SET gap = -1
FROM article AS a JOIN article_body AS b ON b.article_id = a.id,
LATERAL (SELECT octet_length(b.body) + octet_length(a.title) + octet_length(a.authors) + octet_length(a.tags)
    + octet_length(a.summary) AS size) AS text
WHERE a.id = w.article_id AND (text.size > 60000 OR text.size >= 500 AND EXISTS (
    SELECT FROM unnest(w.words) AS n WHERE cardinality(n.positions) >= 255 OR 16383 = ANY (n.positions)));
