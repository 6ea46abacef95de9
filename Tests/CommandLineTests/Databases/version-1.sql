PRAGMA foreign_keys=OFF;
PRAGMA application_id=1095914563;
PRAGMA user_version=1;
BEGIN TRANSACTION;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT;
INSERT INTO schema_migration VALUES(1,'accounts','7fb34f6fa44146bf',1795332211);
CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    -- NFKC, case-folded: the one form in which a name is stored, shown and looked up.
    username TEXT NOT NULL UNIQUE,
    region TEXT NOT NULL CHECK (length(region) = 2),
    password_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    password_changed_at INTEGER NOT NULL
) STRICT;
INSERT INTO user VALUES(1,'ada','SE','$argon2id$v=19$m=65536,t=3,p=1$9QagQ6DKH0d+23Lr0IcHmw$NGYmX7O7M5IFY8rm22icsvD1nHXwdUNyv6AtanuGj1k',1795332211,1795332211);
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
INSERT INTO session VALUES('635e8fe4cea16838',X'fff61bffb50cc28e058379418a63cb0e48cbb51ff0cda17aaf321b5155fde0d5',1,'articlesctl on vm',1795332212,1795332212,1797924212);
CREATE TABLE login_throttle (
    name_hash BLOB PRIMARY KEY CHECK (length(name_hash) = 32),
    failures INTEGER NOT NULL,
    last_failure_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    event TEXT NOT NULL,
    user_id INTEGER,
    session_id TEXT,
    client TEXT NOT NULL
) STRICT;
INSERT INTO audit VALUES(1,1795332211,'registered',1,NULL,'articlesctl on vm');
INSERT INTO audit VALUES(2,1795332212,'loggedIn',1,'635e8fe4cea16838','articlesctl on vm');
CREATE INDEX session_by_user ON session (user_id, created_at);
CREATE INDEX login_throttle_by_time ON login_throttle (last_failure_at);
CREATE INDEX audit_by_user ON audit (user_id);
COMMIT;
