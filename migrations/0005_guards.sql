-- Attempts are counted by what they have in common, and not by the name alone: whoever guesses keeps out nobody but
-- themselves. What was counted by the name, for a day at most, is forgotten.

DROP TABLE login_throttle;

CREATE TABLE attempt_counter (
    -- SHA-256 of what the attempts have in common, such as a name and an origin: people type passwords into the name field.
    key BLOB PRIMARY KEY CHECK (length(key) = 32),
    failures INTEGER NOT NULL,
    last_failure_at INTEGER NOT NULL,
    -- From when on the counter means nothing any more.
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX attempt_counter_by_end ON attempt_counter (expires_at);

-- Devices from which a user has logged in.
CREATE TABLE device (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    -- SHA-256 of the secret that the device keeps.
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, secret_hash)
) STRICT, WITHOUT ROWID;

-- Where a session was opened from, as the service saw it; what the client said of itself is another matter.
ALTER TABLE session ADD COLUMN origin TEXT NOT NULL DEFAULT '';
