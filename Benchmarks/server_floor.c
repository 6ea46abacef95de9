// The floor of the server: the work of articlesd for an article and for a page of the list, done in C with the same
// HTTP library, on the same file with the same SQLite, without anything else.
//
//     server-floor DATABASE PORT
//
//     /articles/SLUG   the session by the hash of its token, the article and its marks, as plain HTML
//     /articles        the session, the 50 newest articles and their marks, as plain HTML
//     /panes/SLUG      both, with the session once: the page of an article in a wide window
//     /unchanged       the session and the version of the database; 304 if the client has this version
//
// The queries are those of SQLiteStores. The text of an article is escaped but not
// rendered. The server does not check roles, store bookmarks, or write a log.
#include <microhttpd.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUMMARY                                                                                                   \
    "a.id, s.name, a.slug, a.title, a.authors, a.summary, a.language, a.published_at, a.published_offset, "       \
    "a.updated_at, a.tags, a.reading_minutes"

static const char *const session_sql =
    "SELECT session.user_id, session.expires_at, session.secret_hash, user.username, user.role, user.region, "
    "user.disabled_at FROM session JOIN user ON user.id = session.user_id WHERE session.id = ?";
static const char *const article_sql =
    "SELECT " SUMMARY ", a.source_id, s.uid, a.key, b.format, b.source_url, b.base_url, b.extra, b.body, s.home "
    "FROM article AS a CROSS JOIN article_body AS b ON b.article_id = a.id "
    "CROSS JOIN source AS s ON s.id = a.source_id WHERE a.slug = ?";
static const char *const list_sql =
    "SELECT " SUMMARY " FROM article AS a INDEXED BY article_by_date CROSS JOIN source AS s ON s.id = a.source_id "
    "ORDER BY a.published_at DESC, a.number DESC LIMIT 51";
static const char *const marks_sql =
    "SELECT a.id, ifnull(m.is_read, a.id <= ifnull(r.up_to, 0)), "
    "iif(m.is_read IS NOT NULL, m.read_at, iif(a.id <= r.up_to, r.changed_at, NULL)), "
    "ifnull(m.is_starred, 0), m.starred_at, ifnull(m.is_later, 0), m.later_at, m.place, m.placed_at, "
    "n.note, n.changed_at "
    "FROM json_each(?2) AS j CROSS JOIN article AS a ON a.id = j.value "
    "LEFT JOIN article_mark AS m ON m.user_id = ?1 AND m.article_id = a.id "
    "LEFT JOIN article_note AS n ON n.user_id = ?1 AND n.article_id = a.id "
    "LEFT JOIN all_read AS r ON r.user_id = ?1";
static const char *const tags_sql =
    "SELECT t.article_id, o.name, t.changed_at, t.is_set FROM json_each(?2) AS j "
    "CROSS JOIN article_own_tag AS t INDEXED BY article_own_tag_by_article ON t.article_id = j.value "
    "CROSS JOIN own_tag AS o ON o.id = t.tag_id WHERE o.user_id = ?1 ORDER BY o.key";

static const char *path;

/// The connection and the statements of a thread.
typedef struct {
    sqlite3 *db;
    sqlite3_stmt *session, *article, *list, *marks, *tags, *version;
} reader;

static _Thread_local reader mine;

static void fail(const char *what) {
    fprintf(stderr, "server-floor: %s: %s\n", what, mine.db ? sqlite3_errmsg(mine.db) : "");
    exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(mine.db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) fail(sql);
    return statement;
}

static void begin(void) {
    if (mine.db) return;
    if (sqlite3_open_v2(path, &mine.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) fail(path);
    sqlite3_exec(mine.db, "PRAGMA query_only=ON; PRAGMA cache_size=-65536", NULL, NULL, NULL);
    mine.session = prepare(session_sql);
    mine.article = prepare(article_sql);
    mine.list = prepare(list_sql);
    mine.marks = prepare(marks_sql);
    mine.tags = prepare(tags_sql);
    mine.version = prepare("PRAGMA data_version");
}

/// A text that grows.
typedef struct page {
    char *start;
    size_t length, capacity;
} page;

static void put(page *page, const char *text, size_t length) {
    if (page->length + length > page->capacity) {
        page->capacity = (page->length + length) * 2;
        if (!(page->start = realloc(page->start, page->capacity))) fail("no memory");
    }
    memcpy(page->start + page->length, text, length);
    page->length += length;
}

static void say(page *page, const char *text) { put(page, text, strlen(text)); }

/// Appends a column, escaped for HTML.
static void column(page *page, sqlite3_stmt *row, int index) {
    const char *from = (const char *)sqlite3_column_text(row, index);
    const char *end = from + sqlite3_column_bytes(row, index);
    const char *start = from;
    for (; from < end; from++) {
        const char *name = *from == '<' ? "&lt;" : *from == '>' ? "&gt;" : *from == '&' ? "&amp;" : *from == '"' ? "&quot;" : NULL;
        if (!name) continue;
        put(page, start, from - start);
        say(page, name);
        start = from + 1;
    }
    if (start) put(page, start, end - start);
}

/// Returns the ID of the user to whom the session belongs; 0 if the session is unknown.
static sqlite3_int64 reader_of(const char *token) {
    unsigned char secret[32], hash[32], given[32];
    size_t length;
    if (!token || strlen(token) != 16 + 1 + 43) return 0;
    if (sodium_base642bin(secret, sizeof secret, token + 17, 43, NULL, &length, NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
        || length != 32) return 0;
    crypto_hash_sha256(given, secret, sizeof secret);
    sqlite3_int64 user = 0;
    sqlite3_bind_text(mine.session, 1, token, 16, SQLITE_STATIC);
    if (sqlite3_step(mine.session) == SQLITE_ROW && sqlite3_column_bytes(mine.session, 2) == 32) {
        memcpy(hash, sqlite3_column_blob(mine.session, 2), 32);
        if (!sodium_memcmp(hash, given, 32)) user = sqlite3_column_int64(mine.session, 0);
    }
    sqlite3_reset(mine.session);
    return user;
}

enum { most = 51 };

/// Reads the marks of a user on articles, in the order of `numbers`.
static void read_marks(sqlite3_int64 user, const sqlite3_int64 *numbers, int count, unsigned char *marks) {
    char json[most * 21 + 3];
    int length = sprintf(json, "[");
    for (int i = 0; i < count; i++) length += sprintf(json + length, "%s%lld", i ? "," : "", numbers[i]);
    length += sprintf(json + length, "]");
    sqlite3_bind_int64(mine.marks, 1, user);
    sqlite3_bind_text(mine.marks, 2, json, length, SQLITE_STATIC);
    for (int i = 0; i < count && sqlite3_step(mine.marks) == SQLITE_ROW; i++) {
        marks[i] = sqlite3_column_int(mine.marks, 1) | sqlite3_column_int(mine.marks, 3) << 1
            | sqlite3_column_int(mine.marks, 5) << 2;
    }
    sqlite3_reset(mine.marks);
    sqlite3_bind_int64(mine.tags, 1, user);
    sqlite3_bind_text(mine.tags, 2, json, length, SQLITE_STATIC);
    while (sqlite3_step(mine.tags) == SQLITE_ROW) {}
    sqlite3_reset(mine.tags);
}

static void put_marks(page *page, unsigned char marks) {
    say(page, marks & 1 ? "<td>read" : "<td>unread");
    if (marks & 2) say(page, ", starred");
    if (marks & 4) say(page, ", later");
    say(page, "</td>");
}

static int show_article(page *page, sqlite3_int64 user, const char *slug) {
    sqlite3_bind_text(mine.article, 1, slug, -1, SQLITE_STATIC);
    int found = sqlite3_step(mine.article) == SQLITE_ROW;
    if (found) {
        sqlite3_int64 number = sqlite3_column_int64(mine.article, 0);
        unsigned char marks = 0;
        read_marks(user, &number, 1, &marks);
        say(page, "<!doctype html><meta charset=utf-8><title>");
        column(page, mine.article, 3);
        say(page, "</title><h1>");
        column(page, mine.article, 3);
        say(page, "</h1><table><tr>");
        put_marks(page, marks);
        for (int i = 4; i < 12; i++) {
            say(page, "<td>");
            column(page, mine.article, i);
            say(page, "</td>");
        }
        say(page, "</table><pre>");
        column(page, mine.article, 19);
        say(page, "</pre>");
    }
    sqlite3_reset(mine.article);
    return found;
}

static void show_list(page *page, sqlite3_int64 user) {
    // The marks are read after the numbers are known, but each row begins with its marks. So keep the rows until then.
    sqlite3_int64 numbers[most];
    unsigned char marks[most] = {0};
    static _Thread_local struct page kept;
    struct page *rows = &kept;
    size_t ends[most];
    int count = 0;
    rows->length = 0;
    while (count < most && sqlite3_step(mine.list) == SQLITE_ROW) {
        numbers[count] = sqlite3_column_int64(mine.list, 0);
        say(rows, "<td><a href=\"/articles/");
        column(rows, mine.list, 2);
        say(rows, "\">");
        column(rows, mine.list, 3);
        say(rows, "</a></td>");
        for (int i = 4; i < 12; i++) {
            say(rows, "<td>");
            column(rows, mine.list, i);
            say(rows, "</td>");
        }
        ends[count++] = rows->length;
    }
    sqlite3_reset(mine.list);
    read_marks(user, numbers, count, marks);
    say(page, "<!doctype html><meta charset=utf-8><title>Articles</title><table>");
    for (int i = 0; i < count && i < most - 1; i++) {
        size_t from = i ? ends[i - 1] : 0;
        say(page, "<tr>");
        put_marks(page, marks[i]);
        put(page, rows->start + from, ends[i] - from);
    }
    say(page, "</table>");
}

/// Whether the client has the present version, which the entity tag names.
static int has_copy(struct MHD_Connection *connection, char tag[32]) {
    sqlite3_int64 version = sqlite3_step(mine.version) == SQLITE_ROW ? sqlite3_column_int64(mine.version, 0) : -1;
    sqlite3_reset(mine.version);
    snprintf(tag, 32, "\"%lld\"", (long long)version);
    const char *known = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");
    return known && strstr(known, tag);
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *target, const char *method, const char *version,
    const char *body, size_t *size, void **state) {
    (void)context, (void)method, (void)version, (void)body, (void)size, (void)state;
    begin();
    page page = {malloc(65536), 0, 65536};
    char tag[32] = "";
    int status = MHD_HTTP_NOT_FOUND;
    sqlite3_int64 user = reader_of(MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, "session"));
    if (!user) status = MHD_HTTP_UNAUTHORIZED;
    else if (!strcmp(target, "/unchanged")) status = has_copy(connection, tag) ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK;
    else if (!strcmp(target, "/articles")) show_list(&page, user), status = MHD_HTTP_OK;
    else if (!strncmp(target, "/articles/", 10) && show_article(&page, user, target + 10)) status = MHD_HTTP_OK;
    else if (!strncmp(target, "/panes/", 7)) {
        show_list(&page, user);
        if (show_article(&page, user, target + 7)) status = MHD_HTTP_OK;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer(page.length, page.start, MHD_RESPMEM_MUST_FREE);
    MHD_add_response_header(response, "content-type", "text/html; charset=utf-8");
    if (*tag) MHD_add_response_header(response, "etag", tag);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

int main(int argc, char **argv) {
    if (argc != 3 || sodium_init() < 0) {
        fprintf(stderr, "usage: server-floor DATABASE PORT\n");
        return 64;
    }
    path = argv[1];
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG, atoi(argv[2]), NULL, NULL, answer, NULL, MHD_OPTION_THREAD_POOL_SIZE, 2u,
        MHD_OPTION_CONNECTION_LIMIT, 2000u, MHD_OPTION_END);
    if (!daemon) fail("it does not listen");
    // Run until SIGTERM ends the process.
    for (;;) pause();
}
