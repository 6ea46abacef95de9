-- What a log-in takes besides the password.

CREATE TABLE second_factor (
    user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    -- What codes are made of (RFC 6238). It is stored as it is: a hash of it could check no code.
    secret BLOB NOT NULL CHECK (length(secret) = 20),
    -- The time step of the last code that was taken; only later ones are.
    last_step INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- What takes the place of a code when the authenticator is lost, once each.
CREATE TABLE recovery_code (
    user_id INTEGER NOT NULL REFERENCES second_factor (user_id) ON DELETE CASCADE,
    -- SHA-256 of the code; the code itself is never stored.
    code_hash BLOB NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;
