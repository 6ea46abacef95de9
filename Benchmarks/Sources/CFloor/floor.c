#include "floor.h"

#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct floor_reader {
    sqlite3 *db;
    sqlite3_stmt *count, *list, *after, *place, *article, *slug, *slug_of, *token, *other;
};

#define SUMMARY                                                                                                         \
    "SELECT a.id, s.name, a.slug, a.title, a.authors, a.summary, a.language, a.published_at, a.published_offset, "      \
    "a.updated_at, a.tags, a.reading_minutes"
#define SOURCE "CROSS JOIN source AS s ON s.id = a.source_id "
#define ARTICLE                                                                                                         \
    SUMMARY ", a.source_id, s.uid, a.key, b.format, b.source_url, b.base_url, b.extra, b.body FROM article AS a "       \
            "CROSS JOIN article_body AS b ON b.article_id = a.id " SOURCE

static void fail(floor_reader *reader, const char *what) {
    fprintf(stderr, "floor: %s: %s\n", what, sqlite3_errmsg(reader->db));
    exit(1);
}

static sqlite3_stmt *prepare(floor_reader *reader, const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(reader->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)) fail(reader, sql);
    return statement;
}

/// Reads every column of every row.
static int64_t read_all(floor_reader *reader, sqlite3_stmt *statement) {
    int64_t sum = 0;
    int columns = sqlite3_column_count(statement), result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++) {
            switch (sqlite3_column_type(statement, i)) {
            case SQLITE_INTEGER: sum += sqlite3_column_int64(statement, i); break;
            case SQLITE_TEXT:
                sum += sqlite3_column_text(statement, i)[0];
                sum += sqlite3_column_bytes(statement, i);
                break;
            }
        }
    }
    if (result != SQLITE_DONE) fail(reader, sqlite3_sql(statement));
    sqlite3_reset(statement);
    return sum;
}

floor_reader *floor_open(const char *path) {
    floor_reader *reader = calloc(1, sizeof *reader);
    if (sqlite3_open_v2(path, &reader->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)) fail(reader, path);
    sqlite3_exec(reader->db, "PRAGMA query_only = ON; PRAGMA cache_size = -65536", NULL, NULL, NULL);
    reader->count = prepare(reader, "SELECT count(*) FROM article");
    reader->list = prepare(
        reader, SUMMARY " FROM article AS a INDEXED BY article_by_date " SOURCE
                        "ORDER BY a.published_at DESC, a.number DESC LIMIT 51");
    reader->after = prepare(
        reader, SUMMARY " FROM article AS a INDEXED BY article_by_date " SOURCE "WHERE (a.published_at, a.number) < (?, ?) "
                        "ORDER BY a.published_at DESC, a.number DESC LIMIT 51");
    reader->place = prepare(
        reader, "SELECT published_at, number FROM article ORDER BY published_at DESC, number DESC LIMIT 1 OFFSET ?");
    reader->article = prepare(reader, ARTICLE "WHERE a.id = ?");
    reader->slug = prepare(reader, ARTICLE "WHERE a.slug = ?");
    reader->slug_of = prepare(reader, "SELECT slug FROM article WHERE id = ?");
    reader->token = prepare(
        reader, "SELECT session.id, client, session.created_at, last_used_at, expires_at, user.id, username, region, "
                "user.created_at, password_changed_at, secret_hash FROM session JOIN user ON user.id = session.user_id "
                "WHERE session.id = ?");
    return reader;
}

int64_t floor_count(floor_reader *reader) { return read_all(reader, reader->count); }

int64_t floor_list(floor_reader *reader, int64_t published, int64_t id) {
    if (id == 0) return read_all(reader, reader->list);
    sqlite3_bind_int64(reader->after, 1, published);
    sqlite3_bind_int64(reader->after, 2, id);
    return read_all(reader, reader->after);
}

int64_t floor_place(floor_reader *reader, int64_t skip, int64_t *id) {
    sqlite3_bind_int64(reader->place, 1, skip);
    if (sqlite3_step(reader->place) != SQLITE_ROW) fail(reader, "there is no such place");
    int64_t published = sqlite3_column_int64(reader->place, 0);
    *id = sqlite3_column_int64(reader->place, 1);
    sqlite3_reset(reader->place);
    return published;
}

int64_t floor_article(floor_reader *reader, int64_t id) {
    sqlite3_bind_int64(reader->article, 1, id);
    return read_all(reader, reader->article);
}

void floor_slug_of(floor_reader *reader, int64_t id, char *slug) {
    sqlite3_bind_int64(reader->slug_of, 1, id);
    if (sqlite3_step(reader->slug_of) != SQLITE_ROW) fail(reader, "there is no such article");
    snprintf(slug, 512, "%s", (const char *)sqlite3_column_text(reader->slug_of, 0));
    sqlite3_reset(reader->slug_of);
}

int64_t floor_slug(floor_reader *reader, const char *slug) {
    sqlite3_bind_text(reader->slug, 1, slug, -1, SQLITE_STATIC);
    return read_all(reader, reader->slug);
}

int64_t floor_token(floor_reader *reader, const char *session, const uint8_t *secret) {
    uint8_t hash[crypto_hash_sha256_BYTES];
    sqlite3_bind_text(reader->token, 1, session, -1, SQLITE_STATIC);
    if (sqlite3_step(reader->token) != SQLITE_ROW) fail(reader, "there is no such session");
    int64_t sum = sqlite3_column_int64(reader->token, 4) + sqlite3_column_bytes(reader->token, 6);
    crypto_hash_sha256(hash, secret, 32);
    sum += sodium_memcmp(hash, sqlite3_column_blob(reader->token, 10), sizeof hash);
    sqlite3_reset(reader->token);
    return sum;
}

int64_t floor_run(floor_reader *reader, const char *sql) {
    // Prepare the statement once and use it as long as the SQL stays the same.
    if (!reader->other || strcmp(sqlite3_sql(reader->other), sql)) {
        sqlite3_finalize(reader->other);
        reader->other = prepare(reader, sql);
    }
    return read_all(reader, reader->other);
}
