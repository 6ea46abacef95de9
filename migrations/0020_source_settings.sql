-- The settings of subscriptions. The result of a fetch does not change them.

-- A paused source is not fetched until a user resumes it.
ALTER TABLE subscription ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0 CHECK (is_paused IN (0, 1));
-- Whether an article becomes unread again when the feed changes it.
ALTER TABLE subscription ADD COLUMN marks_changed_unread INTEGER NOT NULL DEFAULT 0
    CHECK (marks_changed_unread IN (0, 1));
-- The articles to keep: 'all', a number such as '500', or a number of days such as '30d'.
ALTER TABLE subscription ADD COLUMN kept TEXT NOT NULL DEFAULT 'all' CHECK (kept <> '');

DROP INDEX subscription_by_next_fetch;
CREATE INDEX subscription_by_next_fetch ON subscription (next_fetch_at) WHERE state = 'active' AND is_paused = 0;

-- The sources whose new articles are read at once, for each user.
CREATE TABLE quiet_source (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    source_id INTEGER NOT NULL REFERENCES subscription (source_id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, source_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX quiet_source_by_source ON quiet_source (source_id);
