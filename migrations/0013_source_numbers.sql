-- The highest number that a source had which is gone; no row as long as none is. Programs know sources by their numbers, and
-- keep what a reader has done until they reach the library again: a number means one source for ever.
CREATE TABLE source_number (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL
) STRICT;

CREATE TRIGGER source_gone AFTER DELETE ON source BEGIN
    INSERT INTO source_number VALUES (1, old.id) ON CONFLICT DO UPDATE SET last = max(last, excluded.last);
END;
