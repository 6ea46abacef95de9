-- Marks that hide articles from the lists of a user.
CREATE TABLE article_hidden (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    is_set boolean NOT NULL,
    changed_at bigint,
    PRIMARY KEY (user_id, article_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX article_hidden_by_article ON article_hidden (article_id, user_id);

-- The rules of users for articles that arrive.
CREATE TABLE rule (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    key text COLLATE "C" NOT NULL CHECK (key <> ''),
    name text NOT NULL CHECK (name <> ''),
    -- The conditions, all of which an article must meet; NULL for any article.
    source_id bigint REFERENCES source (id) ON DELETE CASCADE,
    search text,
    address text,
    pattern text,
    -- Such as `hide,read,tag:NAME`.
    actions text NOT NULL CHECK (actions <> ''),
    PRIMARY KEY (user_id, key)
);

CREATE INDEX rule_by_source ON rule (source_id);

-- The number of the last article to which the rules of a user were applied.
CREATE TABLE rule_position (
    user_id bigint PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    applied_to bigint NOT NULL
);
