-- The whole schema as of version 15. Both engines number their migrations alike: the same number means the same content,
-- so that a library can move between them.
--
-- Times are whole seconds since 1970, as in SQLite, so that the contents of both engines can be compared. Keys are
-- compared byte by byte (COLLATE "C"): the order must not depend on the server's version of ICU or libc. PostgreSQL's text
-- cannot contain U+0000. The program writes U+10FFFD 0 in its place, and U+10FFFD 1 in place of U+10FFFD.

-- Writes -------------------------------------------------------------------------------------------------------------

-- The keys of transactions. If the answer to a commit is lost, the program sends the transaction again with its key, which
-- shows whether the first one was committed.
CREATE TABLE applied_write (
    key bytea PRIMARY KEY CHECK (length(key) = 16),
    applied_at bigint NOT NULL DEFAULT extract(epoch FROM now())::bigint
);

CREATE INDEX applied_write_by_time ON applied_write (applied_at);

-- Accounts -----------------------------------------------------------------------------------------------------------

CREATE TABLE account (
    -- An identity means one user forever, also after a deletion: deleted_account keeps the numbers.
    id bigint PRIMARY KEY,
    -- The name in NFKC, case-folded.
    username text COLLATE "C" NOT NULL UNIQUE,
    region text NOT NULL CHECK (length(region) = 2),
    password_hash text NOT NULL,
    created_at bigint NOT NULL,
    password_changed_at bigint NOT NULL,
    role text NOT NULL CHECK (role IN ('reader', 'editor', 'operator')),
    -- NULL while the user may log in.
    disabled_at bigint
);

CREATE TABLE deleted_account (
    id bigint PRIMARY KEY,
    deleted_at bigint NOT NULL
);

-- Each use of a session changes its row, and no index contains the changed columns, so that the change stays on the page.
CREATE TABLE session (
    id text COLLATE "C" PRIMARY KEY,
    -- SHA-256 of the secret half of the token. The secret is not stored.
    secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    client text NOT NULL,
    origin text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    -- The last time the password was given.
    confirmed_at bigint NOT NULL,
    expires_at bigint NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX session_by_user ON session (user_id);

CREATE TABLE device (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    -- SHA-256 of the secret that the device keeps.
    secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    PRIMARY KEY (user_id, secret_hash)
);

-- Attempts to log in and to register, counted by a hash: people type passwords into the name field.
CREATE TABLE attempt_counter (
    key bytea PRIMARY KEY CHECK (length(key) = 32),
    failures bigint NOT NULL,
    last_failure_at bigint NOT NULL,
    expires_at bigint NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX attempt_counter_by_end ON attempt_counter (expires_at);

-- The delay after a number of failures, by ThrottleRule.doubling. Other rules have none.
CREATE FUNCTION attempt_delay(rule text, free bigint, step bigint, longest bigint, failures bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN rule <> 'doubling' OR failures < free THEN 0
        -- Shift the longest delay right for the comparison, because shifting the first one left could overflow.
        WHEN longest >> least(failures - free, 62)::integer < step THEN longest
        ELSE step << least(failures - free, 62)::integer
    END
$$;

-- The time from which failures no longer count.
CREATE FUNCTION attempt_end(rule text, step bigint, memory bigint, failures bigint, last bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN rule = 'rate' THEN last + failures * step ELSE last + memory END
$$;

-- Decides about an attempt by the rules of all its counters and counts it, as AccountStore.admitAttempt describes. The
-- arrays have an element for each counter; groups are numbered from 1. The result has a row for each decided counter.
CREATE FUNCTION admit_attempt(
    keys bytea[], groups bigint[], rules text[], frees bigint[], steps bigint[], longests bigint[], memories bigint[],
    present bigint, kept bigint
) RETURNS TABLE (group_number bigint, verdict text, amount bigint)
LANGUAGE plpgsql AS $$
DECLARE
    known record;
    verdicts text[];
    counts bigint[];
    sinces bigint[];
    interval_length bigint;
    freed bigint;
    is_refused boolean := false;
BEGIN
    -- Create or lock the counters in the order of their keys: parallel attempts wait for each other, but never in a circle.
    INSERT INTO attempt_counter (key, failures, last_failure_at, expires_at)
    SELECT DISTINCT new_key, 0, present, present FROM unnest(keys) AS new_key ORDER BY new_key
    ON CONFLICT (key) DO UPDATE SET failures = 0 WHERE false;
    UPDATE attempt_counter AS c SET failures = 0 WHERE c.key = ANY (keys) AND c.failures > 0 AND c.expires_at <= present;

    FOR current_group IN 1..coalesce((SELECT max(g) FROM unnest(groups) AS g), 0) LOOP
        verdicts := array_fill(NULL::text, ARRAY[cardinality(keys)]);
        counts := array_fill(NULL::bigint, ARRAY[cardinality(keys)]);
        sinces := counts;
        FOR known IN
            SELECT i, c.failures, least(c.last_failure_at, present) AS last
            FROM generate_subscripts(keys, 1) AS i LEFT JOIN attempt_counter AS c
                ON c.key = keys[i] AND c.failures > 0
            WHERE groups[i] = current_group ORDER BY i
        LOOP
            verdict := 'admitted';
            amount := coalesce(known.failures, 0) + 1;
            sinces[known.i] := present;
            IF known.failures IS NULL THEN
                NULL;
            ELSIF rules[known.i] = 'doubling' THEN
                freed := known.last - present + attempt_delay(
                    rules[known.i], frees[known.i], steps[known.i], longests[known.i], known.failures);
                IF freed > 0 THEN
                    verdict := 'refused';
                    amount := freed;
                END IF;
            ELSIF rules[known.i] = 'limit' AND known.failures >= frees[known.i] THEN
                verdict := 'blocked';
            ELSIF rules[known.i] = 'rate' THEN
                interval_length := greatest(1, steps[known.i]);
                freed := least((present - known.last) / interval_length, known.failures);
                amount := known.failures - freed + 1;
                IF amount > frees[known.i] THEN
                    verdict := 'refused';
                    amount := interval_length - (present - known.last);
                ELSIF amount > 1 THEN
                    -- The elapsed part of an interval counts towards the next attempt.
                    sinces[known.i] := known.last + freed * interval_length;
                END IF;
            ELSIF rules[known.i] = 'tally' THEN
                amount := least(known.failures, 2147483647) + 1;
            END IF;
            verdicts[known.i] := verdict;
            counts[known.i] := amount;
            is_refused := is_refused OR verdict = 'blocked' OR verdict = 'refused' AND amount > 0;
            group_number := current_group;
            RETURN NEXT;
        END LOOP;
        IF is_refused THEN
            -- If the clock was set back, the wait starts at the new time; otherwise it would last too long.
            UPDATE attempt_counter AS c
            SET last_failure_at = present, expires_at = attempt_end(rules[i], steps[i], memories[i], c.failures, present)
            FROM generate_subscripts(keys, 1) AS i
            WHERE c.key = keys[i] AND groups[i] = current_group AND c.failures > 0 AND c.last_failure_at > present;
            EXIT;
        END IF;
        UPDATE attempt_counter AS c
        SET failures = counts[i], last_failure_at = sinces[i],
            expires_at = attempt_end(rules[i], steps[i], memories[i], counts[i], sinces[i])
        FROM generate_subscripts(keys, 1) AS i
        WHERE c.key = keys[i] AND groups[i] = current_group AND verdicts[i] = 'admitted';
    END LOOP;

    DELETE FROM attempt_counter AS c WHERE c.key = ANY (keys) AND c.failures = 0;
    -- Skip the counters of other attempts: waiting for them here could wait in a circle.
    DELETE FROM attempt_counter AS c WHERE c.key IN (
        SELECT e.key FROM attempt_counter AS e
        WHERE e.expires_at <= present AND e.key <> ALL (keys) FOR UPDATE SKIP LOCKED);
    IF EXISTS (SELECT FROM attempt_counter OFFSET kept) THEN
        DELETE FROM attempt_counter AS c WHERE c.key IN (
            SELECT e.key FROM attempt_counter AS e WHERE e.key IN (
                SELECT b.key FROM attempt_counter AS b ORDER BY b.expires_at DESC OFFSET kept)
            FOR UPDATE SKIP LOCKED);
    END IF;
END
$$;

-- Removes an attempt from its counters after it succeeded or could not be carried out, as ThrottleRule describes.
CREATE FUNCTION remove_attempt(
    keys bytea[], rules text[], frees bigint[], steps bigint[], longests bigint[], memories bigint[], has_succeeded boolean
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM attempt_counter AS c WHERE c.key = ANY (keys) ORDER BY c.key FOR UPDATE;
    DELETE FROM attempt_counter AS c USING generate_subscripts(keys, 1) AS i
    WHERE c.key = keys[i] AND (c.failures <= 1 OR has_succeeded AND rules[i] <> 'rate');
    UPDATE attempt_counter AS c
    SET failures = c.failures - 1,
        last_failure_at
            = c.last_failure_at - attempt_delay(rules[i], frees[i], steps[i], longests[i], c.failures - 1),
        expires_at = attempt_end(
            rules[i], steps[i], memories[i], c.failures - 1,
            c.last_failure_at - attempt_delay(rules[i], frees[i], steps[i], longests[i], c.failures - 1))
    FROM generate_subscripts(keys, 1) AS i
    WHERE c.key = keys[i];
END
$$;

CREATE TABLE one_time_code (
    -- SHA-256 of the code.
    code_hash bytea PRIMARY KEY CHECK (length(code_hash) = 32),
    -- The user who may choose another password with it, or NULL for an invitation.
    user_id bigint UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    expires_at bigint NOT NULL
);

CREATE TABLE api_token (
    id text COLLATE "C" PRIMARY KEY,
    secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    scope text NOT NULL CHECK (scope IN ('read', 'write')),
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    last_used_at bigint,
    UNIQUE (user_id, name)
) WITH (fillfactor = 80);

CREATE TABLE second_factor (
    user_id bigint PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    -- The secret of RFC 6238. It cannot be a hash, because codes are computed from it.
    secret bytea NOT NULL CHECK (length(secret) = 20),
    -- The time step of the last accepted code.
    last_step bigint NOT NULL,
    created_at bigint NOT NULL
);

CREATE TABLE recovery_code (
    user_id bigint NOT NULL REFERENCES second_factor (user_id) ON DELETE CASCADE,
    code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE feed_address (
    user_id bigint PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    secret_hash bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    created_at bigint NOT NULL
);

CREATE TABLE registration (
    id bigint PRIMARY KEY CHECK (id = 1),
    policy text NOT NULL CHECK (policy IN ('open', 'invitation', 'closed'))
);

INSERT INTO registration VALUES (1, 'open');

CREATE TABLE audit (
    id bigint PRIMARY KEY,
    at bigint NOT NULL,
    event text NOT NULL,
    user_id bigint,
    session_id text,
    client text NOT NULL,
    -- The user, token, or system that did it, if it was not the user in the session.
    actor text NOT NULL,
    detail text NOT NULL,
    origin text NOT NULL,
    -- SHA-256 of the hash of the row before and of this row, so that a changed or missing row is noticed.
    hash bytea CHECK (length(hash) = 32)
);

CREATE INDEX audit_by_user ON audit (user_id);

-- One row. Its lock orders the writers of the log.
CREATE TABLE audit_chain (
    id bigint PRIMARY KEY CHECK (id = 1),
    -- The last row before the chain, and the hash with which its first row continues.
    anchor_id bigint NOT NULL,
    anchor_hash bytea NOT NULL CHECK (length(anchor_hash) = 32),
    head_id bigint NOT NULL,
    head_hash bytea NOT NULL CHECK (length(head_hash) = 32)
) WITH (fillfactor = 50);

INSERT INTO audit_chain VALUES (1, 0, decode(repeat('00', 32), 'hex'), 0, decode(repeat('00', 32), 'hex'));

-- Reading state ------------------------------------------------------------------------------------------------------

CREATE TABLE session_place (
    session_id text COLLATE "C" PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    place text NOT NULL CHECK (length(place) <= 65536)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE account_appearance (
    user_id bigint PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    appearance text NOT NULL
);

-- Articles -----------------------------------------------------------------------------------------------------------

-- One row. Its lock admits one writer of articles at a time, so that numbers become visible in their order.
CREATE TABLE library (
    id bigint PRIMARY KEY CHECK (id = 1),
    -- The identity of this copy. Positions that clients follow belong to it.
    uid text NOT NULL CHECK (length(uid) = 16),
    -- The highest numbers that were ever given out. A number means one article or source forever.
    last_article bigint NOT NULL,
    last_source bigint NOT NULL
) WITH (fillfactor = 50);

INSERT INTO library VALUES (1, left(md5(gen_random_uuid()::text), 16), 0, 0);

CREATE TABLE source (
    id bigint PRIMARY KEY,
    -- 128 random bits in hexadecimal, which identify the source in every library.
    uid text COLLATE "C" NOT NULL UNIQUE CHECK (length(uid) = 32),
    name text NOT NULL CHECK (name <> ''),
    -- The name, case-folded.
    name_key text COLLATE "C" NOT NULL,
    kind text NOT NULL CHECK (kind IN ('folder', 'files', 'file', 'feed', 'stream', 'earlier')),
    location text,
    home text,
    feed_url text,
    imported_at bigint,
    problem_count bigint NOT NULL,
    -- The first problems of the last import, as a JSON array of strings.
    problems text NOT NULL
);

-- An index cannot contain long texts, so it contains their hashes.
CREATE UNIQUE INDEX source_by_name ON source (md5(name_key));

CREATE TABLE source_tag (
    source_id bigint NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    key text COLLATE "C" NOT NULL,
    name text NOT NULL CHECK (name <> '')
);

CREATE UNIQUE INDEX source_tag_by_key ON source_tag (source_id, md5(key));

CREATE TABLE source_size (
    source_id bigint PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE,
    articles bigint NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Articles that were deleted for good. Imports leave them out.
CREATE TABLE deleted_article (
    source_id bigint NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    key text COLLATE "C" NOT NULL,
    content_hash bigint
);

CREATE UNIQUE INDEX deleted_article_by_key ON deleted_article (source_id, md5(key));

CREATE TABLE article (
    id bigint PRIMARY KEY,
    source_id bigint NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    -- The identity of the article in its source.
    key text COLLATE "C" NOT NULL,
    -- A hash of the record from which the article was made, if known.
    content_hash bigint,
    -- Whether the article was changed here.
    is_edited boolean NOT NULL,
    slug text COLLATE "C" NOT NULL UNIQUE CHECK (slug <> ''),
    title text NOT NULL,
    -- The order of lists by title (ArticleQuery.titleKey).
    title_key text COLLATE "C" NOT NULL,
    -- Authors and tags in their order, as JSON arrays of strings.
    authors text NOT NULL,
    tags text NOT NULL,
    summary text NOT NULL,
    language text COLLATE "C",
    published_at bigint NOT NULL,
    -- The minutes by which the publisher's clock was ahead of UTC.
    published_offset bigint NOT NULL,
    updated_at bigint NOT NULL,
    reading_minutes bigint NOT NULL
);

CREATE UNIQUE INDEX article_by_key ON article (source_id, md5(key));
CREATE INDEX article_by_date ON article (published_at, id);
CREATE INDEX article_by_title ON article (title_key, id);
CREATE INDEX article_by_language_and_date ON article (language, published_at, id) WHERE language IS NOT NULL;
CREATE INDEX article_by_language_and_title ON article (language, title_key, id) WHERE language IS NOT NULL;
CREATE INDEX article_by_source_and_date ON article (source_id, published_at, id);
CREATE INDEX article_by_source_and_title ON article (source_id, title_key, id);

CREATE TABLE article_body (
    article_id bigint PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE,
    format text NOT NULL CHECK (format IN ('markdown', 'html', 'plain')),
    source_url text,
    base_url text,
    extra text NOT NULL,
    body text NOT NULL
);

-- The words of articles as the program makes them (IndexedText). The weights are: A title, B authors, C tags, D the rest.
CREATE TABLE article_search (
    article_id bigint PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE,
    words tsvector NOT NULL
);

CREATE INDEX article_search_by_word ON article_search USING gin (words);

-- Authors and tags, each once.
CREATE TABLE label (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('author', 'tag')),
    -- The name, folded.
    key text COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX label_by_key ON label (kind, md5(key));

-- The articles of labels in the orders of lists. Date and title repeat those of the article, because an index cannot span
-- two tables.
CREATE TABLE article_label (
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    label_id bigint NOT NULL REFERENCES label (id),
    published_at bigint NOT NULL,
    title_key text COLLATE "C" NOT NULL,
    PRIMARY KEY (article_id, label_id)
);

CREATE INDEX article_label_by_date ON article_label (label_id, published_at, article_id);
CREATE INDEX article_label_by_title ON article_label (label_id, title_key, article_id);

-- Articles that were created for a request, which may be sent again.
CREATE TABLE creation (
    request_hash bytea PRIMARY KEY CHECK (length(request_hash) = 32),
    content_hash bytea NOT NULL CHECK (length(content_hash) = 32),
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    created_at bigint NOT NULL
);

CREATE INDEX creation_by_article ON creation (article_id);
CREATE INDEX creation_by_time ON creation (created_at);

-- The arrival of articles: from a number on, each article arrived a microsecond after the one before.
CREATE TABLE arrival (
    first_id bigint PRIMARY KEY,
    -- Microseconds since 1970. They rise with the numbers.
    arrived_at bigint NOT NULL
);

-- Articles that were changed or deleted after their arrival, each with its last change.
CREATE TABLE article_change (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The article may be deleted.
    article_id bigint NOT NULL UNIQUE
);

-- Triggers, so that the log has every change, whichever program makes it.
CREATE FUNCTION log_article_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM article_change WHERE article_id = OLD.id;
    INSERT INTO article_change (article_id) VALUES (OLD.id);
    RETURN NULL;
END
$$;

CREATE FUNCTION log_body_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM article_change WHERE article_id = OLD.article_id;
    INSERT INTO article_change (article_id) VALUES (OLD.article_id);
    RETURN NULL;
END
$$;

CREATE FUNCTION log_source_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM article_change WHERE article_id IN (SELECT id FROM article WHERE source_id = OLD.id);
    INSERT INTO article_change (article_id) SELECT id FROM article WHERE source_id = OLD.id ORDER BY id;
    RETURN NULL;
END
$$;

CREATE TRIGGER article_changed AFTER UPDATE OF source_id, key, slug, title, authors, tags, summary, language, published_at,
    published_offset, updated_at, reading_minutes ON article
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION log_article_change();
CREATE TRIGGER article_deleted AFTER DELETE ON article FOR EACH ROW EXECUTE FUNCTION log_article_change();
CREATE TRIGGER article_body_changed AFTER UPDATE ON article_body
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION log_body_change();
CREATE TRIGGER source_renamed AFTER UPDATE OF name ON source
    FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION log_source_change();

-- Marks --------------------------------------------------------------------------------------------------------------

-- One row for each user who has marked articles. Its lock admits one writer of the user's marks at a time, so that the
-- numbers of changes become visible in their order.
CREATE TABLE reader (
    user_id bigint PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    -- Articles up to this one are read unless article_read has a row; 0 if all are unread.
    read_up_to bigint NOT NULL DEFAULT 0,
    -- The time of the last mark on all articles.
    all_read_at bigint,
    -- The number of the last change in mark_change.
    last_change bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Each mark has its own table: no index contains what changes. All keys begin with the user, so that the tables can be
-- divided by users. A removed mark stays as a row with the time of its removal.
CREATE TABLE article_read (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    is_set boolean NOT NULL,
    -- NULL if the user has not said it about this article.
    changed_at bigint,
    PRIMARY KEY (user_id, article_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX article_read_by_article ON article_read (article_id, user_id);

CREATE TABLE article_star (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    is_set boolean NOT NULL,
    changed_at bigint,
    PRIMARY KEY (user_id, article_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX article_star_by_article ON article_star (article_id, user_id);

CREATE TABLE article_later (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    is_set boolean NOT NULL,
    changed_at bigint,
    PRIMARY KEY (user_id, article_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX article_later_by_article ON article_later (article_id, user_id);

CREATE TABLE article_place (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    -- In thousandths of the text.
    place bigint CHECK (place BETWEEN 0 AND 1000),
    changed_at bigint,
    PRIMARY KEY (user_id, article_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX article_place_by_article ON article_place (article_id, user_id);

CREATE TABLE article_note (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    -- NULL if the note was removed.
    note text,
    changed_at bigint NOT NULL,
    PRIMARY KEY (user_id, article_id)
);

CREATE INDEX article_note_by_article ON article_note (article_id, user_id);

CREATE TABLE own_tag (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    -- The name, folded.
    key text COLLATE "C" NOT NULL,
    name text NOT NULL CHECK (name <> ''),
    PRIMARY KEY (user_id, key)
);

CREATE TABLE article_own_tag (
    user_id bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    is_set boolean NOT NULL,
    changed_at bigint NOT NULL,
    PRIMARY KEY (user_id, key, article_id),
    FOREIGN KEY (user_id, key) REFERENCES own_tag (user_id, key) ON DELETE CASCADE
);

CREATE INDEX article_own_tag_by_article ON article_own_tag (article_id, user_id);

-- Articles that a user has marked, each with its last change.
CREATE TABLE mark_change (
    user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    article_id bigint NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    sequence bigint NOT NULL,
    PRIMARY KEY (user_id, article_id)
);

CREATE INDEX mark_change_by_sequence ON mark_change (user_id, sequence);
CREATE INDEX mark_change_by_article ON mark_change (article_id);
