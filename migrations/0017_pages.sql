-- Saved pages are recognized by their addresses.
CREATE INDEX article_body_by_source_url ON article_body (source_url) WHERE source_url IS NOT NULL;

-- Whether the main texts of the pages replace the summaries of the feed.
ALTER TABLE subscription ADD COLUMN has_full_text INTEGER NOT NULL DEFAULT 0 CHECK (has_full_text IN (0, 1));
