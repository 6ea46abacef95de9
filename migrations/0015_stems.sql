-- The index has the stems of words, which depend on the language of an article. The version of its rules has changed too
-- (csearch_version), so that the index is rebuilt and the queue can be emptied.

DELETE FROM search_queue;
ALTER TABLE search_queue ADD COLUMN language TEXT;

DROP TRIGGER article_unfound;
CREATE TRIGGER article_unfound BEFORE DELETE ON article
WHEN old.id <= (SELECT indexed_to FROM search_state) AND NOT EXISTS (SELECT 1 FROM search_queue WHERE article_id = old.id)
BEGIN
    INSERT INTO search_queue (article_id, title, authors, tags, summary, language, format, body)
    SELECT old.id, old.title, old.authors, old.tags, old.summary, old.language, ifnull(b.format, 'plain'), ifnull(b.body, '')
    FROM (SELECT 1) LEFT JOIN article_body AS b ON b.article_id = old.id;
END;

DROP TRIGGER article_reworded;
CREATE TRIGGER article_reworded BEFORE UPDATE OF title, authors, tags, summary, language ON article
WHEN old.id <= (SELECT indexed_to FROM search_state) AND NOT EXISTS (SELECT 1 FROM search_queue WHERE article_id = old.id)
    AND (old.title, old.authors, old.tags, old.summary, old.language)
        IS NOT (new.title, new.authors, new.tags, new.summary, new.language)
BEGIN
    INSERT INTO search_queue (article_id, title, authors, tags, summary, language, format, body)
    SELECT old.id, old.title, old.authors, old.tags, old.summary, old.language, ifnull(b.format, 'plain'), ifnull(b.body, '')
    FROM (SELECT 1) LEFT JOIN article_body AS b ON b.article_id = old.id;
END;

DROP TRIGGER article_body_reworded;
CREATE TRIGGER article_body_reworded BEFORE UPDATE OF format, body ON article_body
WHEN old.article_id <= (SELECT indexed_to FROM search_state)
    AND NOT EXISTS (SELECT 1 FROM search_queue WHERE article_id = old.article_id)
    AND (old.format, old.body) IS NOT (new.format, new.body)
BEGIN
    INSERT INTO search_queue (article_id, title, authors, tags, summary, language, format, body)
    SELECT a.id, a.title, a.authors, a.tags, a.summary, a.language, old.format, old.body
    FROM article AS a WHERE a.id = old.article_id;
END;
