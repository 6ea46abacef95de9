-- What an article hashes to as it was written here: damage inside a text is found by nothing else. NULL where it was
-- written before there was any.
ALTER TABLE article_body ADD COLUMN checksum INTEGER;
