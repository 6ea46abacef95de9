// The floor: what the commands do, done in C on the same file with the same SQLite, and nothing more.
//
//     floor show DATABASE SLUG        the body of an article
//     floor list DATABASE             the 50 newest articles, tab-separated
//     floor list-json DATABASE        the same as one JSON object, with the total
//     floor seed DATABASE FILE        a file of JSON Lines, in transactions of 4,000
//     floor reader DATABASE           the 50 newest on a raw terminal; j and k move, space and b page, q leaves
//
// The queries are those of ArticleStore; JSON is read and written by SQLite's own functions.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static sqlite3 *db;

static void fail(const char *what) {
    fprintf(stderr, "floor: %s: %s\n", what, db ? sqlite3_errmsg(db) : "");
    exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) fail(sql);
    return statement;
}

static void run(const char *sql) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

static void print(sqlite3_stmt *statement) {
    int columns = sqlite3_column_count(statement);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++) {
            if (i) putchar('\t');
            fwrite(sqlite3_column_text(statement, i), 1, sqlite3_column_bytes(statement, i), stdout);
        }
        putchar('\n');
    }
}

static void show(const char *slug) {
    sqlite3_stmt *statement = prepare(
        "SELECT b.body FROM article AS a JOIN article_body AS b ON b.article_id = a.id WHERE a.slug = ?");
    sqlite3_bind_text(statement, 1, slug, -1, SQLITE_STATIC);
    print(statement);
}

static void list(void) {
    print(prepare(
        "SELECT id, slug, date(published_at, 'unixepoch'), authors, title, tags FROM article "
        "ORDER BY published_at DESC, id DESC LIMIT 50"));
}

static void list_json(void) {
    print(prepare(
        "SELECT json_object('articles', (SELECT json_group_array(json_object("
        "'id', id, 'slug', slug, 'title', title, 'authors', json(authors), "
        "'published', strftime('%Y-%m-%dT%H:%M:%SZ', published_at, 'unixepoch'), "
        "'updated', strftime('%Y-%m-%dT%H:%M:%SZ', updated_at, 'unixepoch'), 'tags', json(tags), "
        "'summary', summary, 'language', language, 'readingMinutes', reading_minutes)) "
        "FROM (SELECT * FROM article ORDER BY published_at DESC, id DESC LIMIT 50)), "
        "'total', (SELECT count(*) FROM article))"));
}

static void seed(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    sqlite3_stmt *find = prepare("SELECT id FROM article WHERE slug = json_extract(?, '$.slug')");
    sqlite3_stmt *article = prepare(
        "INSERT INTO article (slug, title, title_key, authors, tags, summary, published_at, updated_at, reading_minutes) "
        "SELECT j ->> 'slug', j ->> 'title', lower(j ->> 'title'), json_array(j ->> 'author'), j -> 'tags', "
        "substr(j ->> 'body', 1, 240), unixepoch(j ->> 'date'), unixepoch(j ->> 'date'), "
        "1 + length(j ->> 'body') / 1200 FROM (SELECT ? AS j)");
    sqlite3_stmt *body = prepare(
        "INSERT INTO article_body (article_id, format, extra, body) VALUES (?, 'markdown', '{}', json_extract(?, '$.body'))");
    sqlite3_stmt *author = prepare(
        "INSERT INTO article_author (author_key, published_at, article_id, title_key) "
        "SELECT lower(json_extract(?2, '$.author')), published_at, id, title_key FROM article WHERE id = ?1");
    sqlite3_stmt *tag = prepare(
        "INSERT INTO article_tag (tag_key, published_at, article_id, title_key) SELECT lower(t.value), published_at, article.id, "
        "title_key FROM article, json_each(?2, '$.tags') AS t WHERE article.id = ?1");

    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int count = 0;
    while ((length = getline(&line, &capacity, file)) > 0) {
        if (count++ % 4000 == 0) run(count > 1 ? "COMMIT; BEGIN IMMEDIATE" : "BEGIN IMMEDIATE");
        sqlite3_bind_text(find, 1, line, length, SQLITE_STATIC);
        if (sqlite3_step(find) == SQLITE_ROW) fail("an article is there already");
        sqlite3_reset(find);
        sqlite3_bind_text(article, 1, line, length, SQLITE_STATIC);
        if (sqlite3_step(article) != SQLITE_DONE) fail("article");
        sqlite3_reset(article);
        sqlite3_int64 id = sqlite3_last_insert_rowid(db);
        sqlite3_stmt *rest[] = {body, author, tag};
        for (int i = 0; i < 3; i++) {
            sqlite3_bind_int64(rest[i], 1, id);
            sqlite3_bind_text(rest[i], 2, line, length, SQLITE_STATIC);
            if (sqlite3_step(rest[i]) != SQLITE_DONE) fail("a part of an article");
            sqlite3_reset(rest[i]);
        }
    }
    run("COMMIT");
    printf("%d\n", count);
}

enum { rows = 50, height = 21 };

static char lines[rows][512];

/// Draws the rows from one place on screen to another, in one write, as a frame.
static void draw(int top, int selected, int from, int to) {
    static char frame[65536];
    int length = sprintf(frame, "\033[?2026h");
    for (int row = from; row < to; row++) {
        length += sprintf(
            frame + length, "\033[%d;1H%s%-78.78s\033[m", row + 3, top + row == selected ? "\033[7m" : "", lines[top + row]);
    }
    length += sprintf(frame + length, "\033[1;70H%2d/%d\033[?2026l", selected + 1, rows);
    if (write(STDOUT_FILENO, frame, length) != length) fail("the terminal");
}

static void reader(void) {
    struct termios cooked, raw;
    if (tcgetattr(STDIN_FILENO, &cooked)) fail("no terminal");
    sqlite3_stmt *list = prepare(
        "SELECT date(published_at, 'unixepoch') || '  ' || (authors ->> '$[0]') || '  ' || title FROM article "
        "ORDER BY published_at DESC, id DESC LIMIT 50");
    for (int row = 0; row < rows && sqlite3_step(list) == SQLITE_ROW; row++) {
        snprintf(lines[row], sizeof lines[row], "%s", (const char *)sqlite3_column_text(list, 0));
    }
    sqlite3_stmt *total = prepare("SELECT count(*) FROM article");
    if (sqlite3_step(total) != SQLITE_ROW) fail("count");
    raw = cooked;
    cfmakeraw(&raw);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    if (write(STDOUT_FILENO, "\033[?1049h\033[2J", 12) < 0) fail("the terminal");
    int top = 0, selected = 0;
    draw(top, selected, 0, height);
    char key = 0;
    while (read(STDIN_FILENO, &key, 1) == 1 && key != 'q') {
        int before = selected, old = top;
        selected += key == 'j' ? 1 : key == 'k' ? -1 : key == ' ' ? height - 1 : key == 'b' ? 1 - height : 0;
        selected = selected < 0 ? 0 : selected >= rows ? rows - 1 : selected;
        if (selected < top) top = selected;
        if (selected >= top + height) top = selected - height + 1;
        if (top != old) draw(top, selected, 0, height);
        else draw(top, selected, (before < selected ? before : selected) - top, (before < selected ? selected : before) - top + 1);
    }
    if (write(STDOUT_FILENO, "\033[?1049l", 8) < 0) fail("the terminal");
    tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: floor show|list|list-json|seed|reader DATABASE [SLUG|FILE]\n");
        return 64;
    }
    if (sqlite3_open_v2(argv[2], &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) fail(argv[2]);
    run("PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-65536");
    if (!strcmp(argv[1], "show") && argc == 4) show(argv[3]);
    else if (!strcmp(argv[1], "list")) list();
    else if (!strcmp(argv[1], "list-json")) list_json();
    else if (!strcmp(argv[1], "seed") && argc == 4) seed(argv[3]);
    else if (!strcmp(argv[1], "reader")) reader();
    else return 64;
    return 0;
}
