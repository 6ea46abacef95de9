#include "csearch.h"
#include "fold.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// MARK: The tokenizer

/// The tokenizers of a connection. They share a cache, because only one thread at a time uses a connection.
struct Fts5Tokenizer {
    /// Null until a document is read: most connections only search.
    struct csearch_cache *cache;
};

static int create(void *context, const char **arguments, int count, Fts5Tokenizer **tokenizer) {
    (void)arguments;
    if (count > 0) return SQLITE_ERROR;
    *tokenizer = context;
    return SQLITE_OK;
}

static void forget(Fts5Tokenizer *tokenizer) { (void)tokenizer; }

static void destroy(void *context) {
    struct Fts5Tokenizer *tokenizer = context;
    csearch_cache_free(tokenizer->cache);
    free(tokenizer);
}

struct sink {
    void *context;
    int (*take)(void *, int, const char *, int, int, int);
};

static int pass(void *context, int position, int is_beside, const char *token, int count, int start, int end) {
    (void)position;
    struct sink *sink = context;
    return sink->take(sink->context, is_beside ? FTS5_TOKEN_COLOCATED : 0, token, count, start, end);
}

static int tokenize(Fts5Tokenizer *tokenizer, void *context, int flags, const char *text, int count,
                    int (*take)(void *, int, const char *, int, int, int)) {
    // The words of a query were already split (SearchExpression), and one word may contain what normally separates
    // words: U+FDFA, for example, is folded to four Arabic words. So take a word whole. The end of a label (after byte
    // 2) still needs the tokenizer.
    int is_word = flags & FTS5_TOKENIZE_QUERY && count > 0 && text[0] != 2;
    if (is_word) return take(context, 0, text, count, 0, count);
    struct sink sink = {context, take};
    struct csearch_reading reading = {csearch_query, 0, 0, 0};
    if (!(flags & FTS5_TOKENIZE_QUERY)) {
        if (!tokenizer->cache) tokenizer->cache = csearch_cache_new();
        reading.mode = csearch_document;
        reading.cache = tokenizer->cache;
    }
    return csearch_tokens(text, count, &reading, &sink, pass);
}

// MARK: The score

enum {
    // The maximum number of hits that are counted for a word, and for several words in a row. Beyond that the number is
    // estimated. For several words, FTS5 walks through all hits of the most common word, so fewer are counted.
    counted = 500,
    counted_in_row = 100,
};

struct phrase {
    /// The search word that the phrase is a form of.
    int term;
    double idf;
    /// For the row that is scored: the number of hits of the phrase, and the bonus of the best column with a hit.
    double frequency, bonus;
};

struct statistics {
    /// The number of phrases that count.
    int count;
    struct phrase phrases[];
};

struct tally {
    sqlite3_int64 most;
    sqlite3_int64 hits;
    sqlite3_int64 last;
};

static int count_hit(const Fts5ExtensionApi *api, Fts5Context *fts, void *context) {
    struct tally *tally = context;
    tally->hits++;
    tally->last = api->xRowid(fts);
    return tally->hits < tally->most ? SQLITE_OK : SQLITE_DONE;
}

/// Assigns each phrase to its term and returns the number of terms. `forms` lists the number of phrases of each term in
/// order, as in "3 1 20". Further phrases do not count. Without a list, each phrase is a term.
static int assign_terms(struct statistics *found, int phrases, const char *forms) {
    int terms = 0;
    found->count = 0;
    int is_listed = forms && *forms;
    while (found->count < phrases) {
        char *end = 0;
        long size = is_listed ? strtol(forms, &end, 10) : 1;
        if (is_listed && end == forms) break;
        forms = end;
        for (; size > 0 && found->count < phrases; size--) found->phrases[found->count++].term = terms;
        terms++;
    }
    return terms;
}

/// Returns the statistics for the score of a query. They are computed once per query.
static struct statistics *statistics_of(const Fts5ExtensionApi *api, Fts5Context *fts, const char *forms, int *code) {
    struct statistics *found = api->xGetAuxdata(fts, 0);
    if (found) return found;
    int phrases = api->xPhraseCount(fts);
    found = malloc(sizeof *found + sizeof(struct phrase) * (size_t)phrases);
    if (!found) {
        *code = SQLITE_NOMEM;
        return 0;
    }
    sqlite3_int64 rows = 0;
    *code = api->xRowCount(fts, &rows);
    if (rows < 1) rows = 1;
    int terms = assign_terms(found, phrases, forms);
    // If the query has a single term, its rarity is the same for all rows, so it does not matter.
    for (int i = 0; i < found->count; i++) found->phrases[i].idf = 1;
    for (int i = 0; i < found->count && terms > 1 && *code == SQLITE_OK; i++) {
        struct tally tally = {api->xPhraseSize(fts, i) > 1 ? counted_in_row : counted, 0, 0};
        *code = api->xQueryPhrase(fts, i, &tally, count_hit);
        double hits = (double)tally.hits;
        // Rows have numbers in the order of arrival. Estimate the total from the number of the row at which counting
        // stopped.
        if (tally.hits >= tally.most && tally.last > 0 && tally.last < rows) hits *= (double)rows / (double)tally.last;
        found->phrases[i].idf = csearch_rarity((double)rows, hits);
    }
    if (*code != SQLITE_OK) {
        free(found);
        return 0;
    }
    // If FTS5 cannot keep the statistics, it frees them.
    *code = api->xSetAuxdata(fts, found, free);
    return *code == SQLITE_OK ? found : 0;
}

double csearch_rarity(double articles, double hits) {
    double idf = log((articles - hits + 0.5) / (hits + 0.5));
    // A word that is in all articles still counts a little, as in FTS5's own function.
    return idf > 1e-6 ? idf : 1e-6;
}

double csearch_bonus(int column) {
    static const double bonuses[] = {6, 3, 3, 0.5, 0};
    return column >= 0 && column < (int)(sizeof bonuses / sizeof *bonuses) ? bonuses[column] : 0;
}

double csearch_value(double bonus, double frequency, double length) {
    // A fixed average, so that a score does not depend on the other articles, and both engines give the same one.
    enum { average = 400 };
    double norm = 1.2 * (0.25 + 0.75 * length / average);
    return bonus + frequency * 2.2 / (frequency + norm);
}

/// `search_score(table, forms)`: returns the score of a row (`csearch_value`). Each term counts with its best form,
/// multiplied by its rarity. `forms` lists the number of phrases of each term (`assign_terms`).
static void score(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context, int count, sqlite3_value **values) {
    const char *forms = count > 0 ? (const char *)sqlite3_value_text(values[0]) : 0;
    int code = SQLITE_OK;
    struct statistics *statistics = statistics_of(api, fts, forms, &code);
    int instances = 0, length = 0;
    if (code == SQLITE_OK) code = api->xInstCount(fts, &instances);
    if (code == SQLITE_OK) code = api->xColumnSize(fts, -1, &length);
    int phrases = code == SQLITE_OK ? statistics->count : 0;
    for (int i = 0; i < phrases; i++) statistics->phrases[i].frequency = statistics->phrases[i].bonus = 0;
    for (int i = 0; i < instances && code == SQLITE_OK; i++) {
        int which, column, offset;
        code = api->xInst(fts, i, &which, &column, &offset);
        if (code != SQLITE_OK || which >= phrases) continue;
        struct phrase *phrase = &statistics->phrases[which];
        phrase->frequency += 1;
        if (csearch_bonus(column) > phrase->bonus) phrase->bonus = csearch_bonus(column);
    }
    // A term is as rare as its most frequent form: a rare form must not make its term look rare.
    double sum = 0, best = 0, rarity = HUGE_VAL;
    for (int i = 0; i < phrases && code == SQLITE_OK; i++) {
        const struct phrase *phrase = &statistics->phrases[i];
        double value = phrase->frequency > 0 ? csearch_value(phrase->bonus, phrase->frequency, length) : 0;
        if (value > best) best = value;
        if (phrase->idf < rarity) rarity = phrase->idf;
        if (i + 1 < phrases && statistics->phrases[i + 1].term == phrase->term) continue;
        sum += rarity * best;
        best = 0;
        rarity = HUGE_VAL;
    }
    if (code == SQLITE_OK) sqlite3_result_double(context, sum);
    else sqlite3_result_error_code(context, code);
}

// MARK: Folding

static void fold(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    if (!text) return;
    struct fold folded;
    if (fold_text(&folded, text, (size_t)sqlite3_value_bytes(values[0])) != 0) return sqlite3_result_error_nomem(context);
    sqlite3_result_text64(context, folded.bytes, folded.count, SQLITE_TRANSIENT, SQLITE_UTF8);
    fold_free(&folded);
}

// MARK: Registration

/// Returns the API of FTS5 for a connection; 0 if SQLite was built without FTS5. Source:
/// <https://www.sqlite.org/fts5.html#extending_fts5>.
static fts5_api *api_of(sqlite3 *db) {
    fts5_api *api = 0;
    sqlite3_stmt *statement = 0;
    if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, 0) == SQLITE_OK) {
        sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", 0);
        sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    return api;
}

int csearch_register(struct sqlite3 *db) {
    fts5_api *api = api_of(db);
    // SQLite was built without full-text search.
    if (!api || api->iVersion < 2) return SQLITE_ERROR;
    struct Fts5Tokenizer *shared = calloc(1, sizeof *shared);
    if (!shared) return SQLITE_NOMEM;
    fts5_tokenizer tokenizer = {create, forget, tokenize};
    int code = api->xCreateTokenizer(api, "words", shared, &tokenizer, destroy);
    if (code != SQLITE_OK) {
        destroy(shared);
        return code;
    }
    code = api->xCreateFunction(api, "search_score", 0, score, 0);
    if (code == SQLITE_OK)
        code = sqlite3_create_function_v2(db, "search_fold", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, 0, fold,
                                          0, 0, 0);
    return code;
}
