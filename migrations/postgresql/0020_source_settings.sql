-- The settings of subscriptions. The result of a fetch does not change them.

-- A paused source is not fetched until a user resumes it.
ALTER TABLE subscription ADD COLUMN is_paused boolean NOT NULL DEFAULT false;
-- Whether an article becomes unread again when the feed changes it.
ALTER TABLE subscription ADD COLUMN marks_changed_unread boolean NOT NULL DEFAULT false;
-- The articles to keep: 'all', a number such as '500', or a number of days such as '30d'.
ALTER TABLE subscription ADD COLUMN kept text NOT NULL DEFAULT 'all' CHECK (kept <> '');

DROP INDEX subscription_by_next_fetch;
CREATE INDEX subscription_by_next_fetch ON subscription (next_fetch_at) WHERE state = 'active' AND NOT is_paused;

-- The sources whose new articles are read at once, for each user.
CREATE TABLE quiet_source (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    source_id bigint NOT NULL REFERENCES subscription (source_id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, source_id)
);

CREATE INDEX quiet_source_by_source ON quiet_source (source_id);
