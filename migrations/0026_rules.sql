-- Marks that hide articles from the lists of a user.
ALTER TABLE article_mark ADD COLUMN is_hidden INTEGER CHECK (is_hidden IN (0, 1));
ALTER TABLE article_mark ADD COLUMN hidden_at INTEGER;
CREATE INDEX article_mark_hidden ON article_mark (user_id, article_id, is_hidden) WHERE is_hidden = 1;

-- The rules of users for articles that arrive.
CREATE TABLE rule (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    key TEXT NOT NULL CHECK (key <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    -- The conditions, all of which an article must meet; NULL for any article.
    source_id INTEGER REFERENCES source (id) ON DELETE CASCADE,
    search TEXT,
    address TEXT,
    pattern TEXT,
    -- Such as `hide,read,tag:NAME`.
    actions TEXT NOT NULL CHECK (actions <> ''),
    PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX rule_by_source ON rule (source_id) WHERE source_id IS NOT NULL;

-- The number of the last article to which the rules of a user were applied.
CREATE TABLE rule_position (
    user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    applied_to INTEGER NOT NULL
) STRICT;
