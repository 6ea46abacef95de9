// The floor: the work of the commands, done in C on the same file with the same SQLite, without anything else.
//
//     floor show DATABASE SLUG      the body of an article
//     floor list DATABASE           the 50 newest articles, separated by tabs
//     floor search DATABASE WORDS   the 50 best articles of the FTS5 table "found"
//     floor list-json DATABASE      the same as a JSON object, with the total
//     floor seed DATABASE FILE      a file of JSON Lines, in transactions of 64 MiB or 25,000 articles
//     floor reader DATABASE         the 50 newest on a raw terminal; j and k move, space and b page, q leaves
//
// The queries and the tables are those of ArticleStore. SQLite's own functions write the JSON. The reader accepts only
// the JSON that run.py writes: objects with strings and lists of strings, and only escapes of one letter.
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

static void search(const char *words) {
    sqlite3_stmt *statement = prepare(
        "SELECT a.id, a.title FROM found JOIN article AS a ON a.id = found.rowid WHERE found MATCH ? "
        "ORDER BY rank LIMIT 50");
    sqlite3_bind_text(statement, 1, words, -1, SQLITE_STATIC);
    print(statement);
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

/// A text inside the current line.
typedef struct {
    char *start;
    int length;
} text;

typedef struct {
    text slug, title, author, date, language, body, tags, tag[8];
    int tag_count;
} record;

/// Reads a string that begins at its quotation mark, in place. Returns the position after it.
static char *read_string(char *from, text *string) {
    if (*from != '"') fail("a string was expected");
    char *to = ++from;
    string->start = to;
    for (; *from != '"'; from++) {
        if (*from != '\\') *to++ = *from;
        else switch (*++from) {
            case 'n': *to++ = '\n'; break;
            case 't': *to++ = '\t'; break;
            case '"': case '\\': case '/': *to++ = *from; break;
            default: fail("an escape that is not understood");
            }
    }
    string->length = to - string->start;
    return from + 1;
}

static char *blank(char *from) {
    while (*from == ' ' || *from == ',' || *from == ':') from++;
    return from;
}

static void read_record(char *line, record *record) {
    memset(record, 0, sizeof *record);
    for (char *from = blank(line + 1); *from == '"'; from = blank(from)) {
        text key;
        from = blank(read_string(from, &key));
        if (*from == '[') {
            record->tags.start = from++;
            while (*(from = blank(from)) != ']') {
                if (record->tag_count == 8) fail("too many tags");
                from = read_string(from, &record->tag[record->tag_count++]);
            }
            record->tags.length = ++from - record->tags.start;
            continue;
        }
        struct { const char *name; text *value; } keys[] = {
            {"slug", &record->slug}, {"title", &record->title}, {"author", &record->author}, {"date", &record->date},
            {"language", &record->language}, {"body", &record->body}};
        text ignored, *value = &ignored;
        for (int i = 0; i < 6; i++) {
            if ((int)strlen(keys[i].name) == key.length && !memcmp(keys[i].name, key.start, key.length)) value = keys[i].value;
        }
        from = read_string(from, value);
    }
}

static void bind(sqlite3_stmt *statement, int index, text value) {
    if (value.start) sqlite3_bind_text(statement, index, value.start, value.length, SQLITE_STATIC);
    else sqlite3_bind_null(statement, index);
}

static void done(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_sql(statement));
    sqlite3_reset(statement);
}

static sqlite3_int64 number(sqlite3_stmt *statement) {
    sqlite3_int64 result = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_reset(statement);
    return result;
}

static int frames, last_frames;

static int committed(void *context, sqlite3 *connection, const char *name, int now) {
    (void)context, (void)connection, (void)name;
    last_frames = now > frames ? now - frames : now;
    frames = now;
    return SQLITE_OK;
}

static void seed(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    sqlite3_wal_autocheckpoint(db, 0);
    sqlite3_wal_hook(db, committed, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    run("INSERT INTO source (uid, name, name_key, kind, problem_count, problems) "
        "VALUES (lower(hex(randomblob(16))), 'floor', 'floor', 'file', 0, '[]')");
    sqlite3_int64 source = sqlite3_last_insert_rowid(db);
    sqlite3_stmt *find = prepare("SELECT id FROM article WHERE source_id = ? AND key = ?");
    sqlite3_stmt *holder = prepare("SELECT id FROM article WHERE slug = ?");
    sqlite3_stmt *article = prepare(
        "INSERT INTO article (source_id, key, content_hash, is_edited, slug, title, title_key, authors, tags, summary, "
        "language, published_at, published_offset, updated_at, reading_minutes) "
        "VALUES (?1, ?2, random(), 0, ?2, ?3, lower(?3), json_array(?4), ?5, substr(?6, 12, 240), ?7, unixepoch(?8), 0, "
        "unixepoch(?8), 1 + length(?6) / 1200)");
    sqlite3_stmt *body = prepare(
        "INSERT INTO article_body (article_id, format, extra, body) VALUES (?, 'markdown', '{}', ?)");
    sqlite3_stmt *order = prepare("SELECT published_at, title_key FROM article WHERE id = ?");
    sqlite3_stmt *label = prepare("SELECT id FROM label WHERE kind = ? AND key = lower(?)");
    sqlite3_stmt *new_label = prepare("INSERT INTO label (kind, key) VALUES (?, lower(?))");
    sqlite3_stmt *of_article = prepare("INSERT INTO article_label (article_id, label_id) VALUES (?, ?)");
    sqlite3_stmt *by_date = prepare("INSERT INTO label_by_date (label_id, published_at, article_id) VALUES (?, ?, ?)");
    sqlite3_stmt *by_title = prepare("INSERT INTO label_by_title (label_id, title_key, article_id) VALUES (?, ?, ?)");

    char *line = NULL;
    size_t capacity = 0, size = 0;
    ssize_t length;
    int count = 0, begun = 0;
    run("BEGIN IMMEDIATE");
    while ((length = getline(&line, &capacity, file)) > 0) {
        if (count - begun == 25000 || size >= 64 << 20) {
            run("COMMIT");
            if (frames >= 1000 && frames >= last_frames + last_frames / 2) {
                sqlite3_wal_checkpoint_v2(db, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
            }
            run("BEGIN IMMEDIATE");
            begun = count;
            size = 0;
        }
        count++;
        size += length;
        record record;
        read_record(line, &record);
        sqlite3_bind_int64(find, 1, source);
        bind(find, 2, record.slug);
        bind(holder, 1, record.slug);
        if (number(find) || number(holder)) fail("an article is there already");

        sqlite3_bind_int64(article, 1, source);
        text columns[] = {record.slug, record.title, record.author, record.tags, record.body, record.language, record.date};
        for (int i = 0; i < 7; i++) bind(article, i + 2, columns[i]);
        done(article);
        sqlite3_int64 id = sqlite3_last_insert_rowid(db);
        sqlite3_bind_int64(body, 1, id);
        bind(body, 2, record.body);
        done(body);

        sqlite3_bind_int64(order, 1, id);
        if (sqlite3_step(order) != SQLITE_ROW) fail("an article is gone");
        for (int i = -1; i < record.tag_count; i++) {
            text name = i < 0 ? record.author : record.tag[i];
            text kind = i < 0 ? (text){"author", 6} : (text){"tag", 3};
            bind(label, 1, kind);
            bind(label, 2, name);
            sqlite3_int64 label_id = number(label);
            if (!label_id) {
                bind(new_label, 1, kind);
                bind(new_label, 2, name);
                done(new_label);
                label_id = sqlite3_last_insert_rowid(db);
            }
            sqlite3_bind_int64(of_article, 1, id);
            sqlite3_bind_int64(of_article, 2, label_id);
            done(of_article);
            sqlite3_bind_int64(by_date, 1, label_id);
            sqlite3_bind_int64(by_date, 2, sqlite3_column_int64(order, 0));
            sqlite3_bind_int64(by_date, 3, id);
            done(by_date);
            sqlite3_bind_int64(by_title, 1, label_id);
            sqlite3_bind_value(by_title, 2, sqlite3_column_value(order, 1));
            sqlite3_bind_int64(by_title, 3, id);
            done(by_title);
        }
        sqlite3_reset(order);
    }
    run("COMMIT");
    sqlite3_wal_checkpoint_v2(db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    printf("%d\n", count);
}

enum { rows = 50, height = 21 };

static char lines[rows][512];

/// Draws the rows of a range of the screen in a single write, as a frame.
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
        fprintf(stderr, "usage: floor show|list|list-json|search|seed|reader DATABASE [SLUG|WORDS|FILE]\n");
        return 64;
    }
    if (sqlite3_open_v2(argv[2], &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) fail(argv[2]);
    run("PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-65536");
    if (!strcmp(argv[1], "show") && argc == 4) show(argv[3]);
    else if (!strcmp(argv[1], "list")) list();
    else if (!strcmp(argv[1], "list-json")) list_json();
    else if (!strcmp(argv[1], "search") && argc == 4) search(argv[3]);
    else if (!strcmp(argv[1], "seed") && argc == 4) seed(argv[3]);
    else if (!strcmp(argv[1], "reader")) reader();
    else return 64;
    return 0;
}
