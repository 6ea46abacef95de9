-- When the password was last given in the session: what matters most is done only for a while after it.
ALTER TABLE session ADD COLUMN confirmed_at INTEGER NOT NULL DEFAULT 0;
UPDATE session SET confirmed_at = created_at;
