-- Saved pages are recognized by their addresses. A hash has a fixed size, unlike an address.
CREATE INDEX article_body_by_source_url ON article_body USING hash (source_url);

-- Whether the main texts of the pages replace the summaries of the feed.
ALTER TABLE subscription ADD COLUMN has_full_text boolean NOT NULL DEFAULT false;
