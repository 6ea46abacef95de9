PRAGMA foreign_keys=OFF;
PRAGMA application_id=1095914563;
PRAGMA user_version=2;
BEGIN TRANSACTION;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT;
INSERT INTO schema_migration VALUES(1,'accounts','7fb34f6fa44146bf',1795332211);
INSERT INTO schema_migration VALUES(2,'articles','dcd4aa8fd902714f',1795332211);
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
CREATE TABLE article (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE CHECK (slug <> ''),
    title TEXT NOT NULL,
    -- What lists by title are ordered by: the title folded and cut (ArticleQuery.titleKey).
    title_key TEXT NOT NULL,
    -- Authors and tags in their order, as JSON arrays of strings; article_author and article_tag find by them.
    authors TEXT NOT NULL,
    tags TEXT NOT NULL,
    summary TEXT NOT NULL,
    language TEXT,
    published_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    reading_minutes INTEGER NOT NULL,
    -- The id again: SQLite does not seek an index by a row value that the rowid is part of, and a page must start in
    -- the middle of articles of one date as quickly as elsewhere.
    number INTEGER GENERATED ALWAYS AS (id) VIRTUAL
) STRICT;
INSERT INTO article VALUES(1,'welcome','Welcome — “quoted”','welcome — “quoted”','["Ada Lindqvist","Grace","Naïve, Ünïcode"]','["Swift","news"]','First paragraph with emphasis and 🏳️‍🌈.','pt-BR',1449100800,1449100800,1);
INSERT INTO article VALUES(2,'page','A page','a page','[]','[]','A page',NULL,1795332211,1795332211,1);
INSERT INTO article VALUES(3,'c','C#','c#','[]','["news"]','sharp nul',NULL,1449144061,1449144061,1);
INSERT INTO article VALUES(4,'cpp','C++','c++','[]','[]','plus',NULL,1795332211,1795332211,1);
CREATE TABLE article_body (
    article_id INTEGER PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE,
    format TEXT NOT NULL CHECK (format IN ('markdown', 'html', 'plain')),
    source_url TEXT,
    -- What the source said and no column holds, as a JSON object.
    extra TEXT NOT NULL,
    -- Last, so that what comes before it is read without walking through it.
    body TEXT NOT NULL
) STRICT;
INSERT INTO article_body VALUES(1,'markdown','https://example.org/welcome','{"layout":"post"}',replace('First paragraph with *emphasis* and 🏳️‍🌈.\n\nSecond paragraph.\n','\n',char(10)));
INSERT INTO article_body VALUES(2,'html',NULL,'{}',replace('<title>A page</title><p>Text of a page.</p>\n','\n',char(10)));
INSERT INTO article_body VALUES(3,'markdown',NULL,'{"score":1.0e3}',CAST(X'7368617270006e756c' AS TEXT));
INSERT INTO article_body VALUES(4,'markdown',NULL,'{}','plus');
CREATE TABLE article_author (
    author_key TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    title_key TEXT NOT NULL,
    PRIMARY KEY (author_key, published_at, article_id)
) STRICT, WITHOUT ROWID;
INSERT INTO article_author VALUES('ada lindqvist',1449100800,1,'welcome — “quoted”');
INSERT INTO article_author VALUES('grace',1449100800,1,'welcome — “quoted”');
INSERT INTO article_author VALUES('naïve, ünïcode',1449100800,1,'welcome — “quoted”');
CREATE TABLE article_tag (
    tag_key TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    title_key TEXT NOT NULL,
    PRIMARY KEY (tag_key, published_at, article_id)
) STRICT, WITHOUT ROWID;
INSERT INTO article_tag VALUES('news',1449144061,3,'c#');
INSERT INTO article_tag VALUES('news',1449100800,1,'welcome — “quoted”');
INSERT INTO article_tag VALUES('swift',1449100800,1,'welcome — “quoted”');
CREATE INDEX session_by_user ON session (user_id, created_at);
CREATE INDEX login_throttle_by_time ON login_throttle (last_failure_at);
CREATE INDEX audit_by_user ON audit (user_id);
CREATE INDEX article_by_date ON article
    (published_at, number, slug, title, title_key, authors, tags, summary, language, updated_at, reading_minutes);
CREATE INDEX article_by_title ON article
    (title_key, number, slug, title, authors, tags, summary, language, published_at, updated_at, reading_minutes);
CREATE INDEX article_by_language_and_date ON article (language, published_at, number) WHERE language IS NOT NULL;
CREATE INDEX article_by_language_and_title ON article (language, title_key, number) WHERE language IS NOT NULL;
CREATE INDEX article_author_by_title ON article_author (author_key, title_key, article_id);
CREATE INDEX article_author_of_article ON article_author (article_id);
CREATE INDEX article_tag_by_title ON article_tag (tag_key, title_key, article_id);
CREATE INDEX article_tag_of_article ON article_tag (article_id);
COMMIT;
