-- What a user may do, and who did what.

ALTER TABLE user ADD COLUMN role TEXT NOT NULL DEFAULT 'reader' CHECK (role IN ('reader', 'editor', 'operator'));
-- NULL while the user may log in.
ALTER TABLE user ADD COLUMN disabled_at INTEGER;
UPDATE user SET role = 'operator' WHERE id = (SELECT id FROM user ORDER BY created_at, id LIMIT 1);

-- The numbers of users who are gone: a number means one user for ever, in the log above all.
CREATE TABLE deleted_user (
    id INTEGER PRIMARY KEY,
    deleted_at INTEGER NOT NULL
) STRICT;

-- Who did it, where it was not the user in the session: 'user:ID', 'token:ID', 'system:NAME'.
ALTER TABLE audit ADD COLUMN actor TEXT NOT NULL DEFAULT '';
-- What else there is to know of it, such as the new role.
ALTER TABLE audit ADD COLUMN detail TEXT NOT NULL DEFAULT '';

-- What is given to somebody to be used once.
CREATE TABLE one_time_code (
    -- SHA-256 of the code; the code itself is never stored.
    code_hash BLOB PRIMARY KEY CHECK (length(code_hash) = 32),
    -- Who may choose another password with it: one code each. NULL where it invites somebody to make an account.
    user_id INTEGER UNIQUE REFERENCES user (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What programs log in with, in the name of a user.
CREATE TABLE api_token (
    id TEXT PRIMARY KEY,
    -- SHA-256 of the secret half of the token; the secret itself is never stored.
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('read', 'write')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- NULL until it is used.
    last_used_at INTEGER,
    UNIQUE (user_id, name)
) STRICT, WITHOUT ROWID;

-- Where the client was, as far as that is known.
ALTER TABLE audit ADD COLUMN origin TEXT NOT NULL DEFAULT '';
-- The SHA-256 of the hash of the row before and of all that this one says, so that a row that is changed or gone is
-- noticed. NULL in rows from before there were hashes.
ALTER TABLE audit ADD COLUMN hash BLOB CHECK (length(hash) = 32);

-- Between which rows the chain of hashes is whole.
CREATE TABLE audit_chain (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- The last row before it, from before there were hashes or pruned since, and what the first row counts on from.
    anchor_id INTEGER NOT NULL,
    anchor_hash BLOB NOT NULL CHECK (length(anchor_hash) = 32),
    -- The last row.
    head_id INTEGER NOT NULL,
    head_hash BLOB NOT NULL CHECK (length(head_hash) = 32)
) STRICT;

INSERT INTO audit_chain (id, anchor_id, anchor_hash, head_id, head_hash)
SELECT 1, ifnull(max(id), 0), zeroblob(32), ifnull(max(id), 0), zeroblob(32) FROM audit;

-- Who may make an account.
CREATE TABLE registration (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    policy TEXT NOT NULL CHECK (policy IN ('open', 'invitation', 'closed'))
) STRICT;

INSERT INTO registration (id, policy) VALUES (1, 'open');
