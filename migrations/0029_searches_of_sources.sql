-- The source of a saved list, so that the list follows the source when it is renamed.
ALTER TABLE saved_search ADD COLUMN source_id INTEGER REFERENCES source (id) ON DELETE SET NULL;
CREATE INDEX saved_search_by_source ON saved_search (source_id) WHERE source_id IS NOT NULL;
