-- Who may read, and the proof that they are who they say.

CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    -- NFKC, case-folded: the one form in which a name is stored, shown and looked up.
    username TEXT NOT NULL UNIQUE,
    region TEXT NOT NULL CHECK (length(region) = 2),
    password_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    password_changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE session (
    id TEXT PRIMARY KEY,
    -- SHA-256 of the secret half of the token; the secret itself is never stored.
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    client TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_user ON session (user_id, created_at);

-- Failed log-ins, counted per name whether or not such a user exists. The name is kept as a SHA-256,
-- because people type passwords into the name field.
CREATE TABLE login_throttle (
    name_hash BLOB PRIMARY KEY CHECK (length(name_hash) = 32),
    failures INTEGER NOT NULL,
    last_failure_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX login_throttle_by_time ON login_throttle (last_failure_at);

-- What happened, never a token or a password.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    event TEXT NOT NULL,
    user_id INTEGER,
    session_id TEXT,
    client TEXT NOT NULL
) STRICT;

CREATE INDEX audit_by_user ON audit (user_id);
