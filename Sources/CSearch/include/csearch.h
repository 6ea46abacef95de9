#pragma once

#include <stddef.h>

struct sqlite3;

/// The version of the search index. If it changes, the index of a library is built again. Increase it after any change
/// of the tokens of a text (`csearch_tokens`) or of the indexed text (`csearch_plain`).
enum { csearch_version = 5 };

/// The purpose of the tokens from `csearch_tokens`.
enum {
    /// All tokens of a text, for the index.
    csearch_document = 0,
    /// The tokens for a query. If several are at the same position, only the most specific one.
    csearch_query = 1,
};

/// Receives a token: `count` bytes of folded UTF-8, for the bytes `start..<end` of the text. Positions are counted from 0.
/// `is_beside` is 1 if the token is at the same position as the token before. A nonzero result stops `csearch_tokens`.
typedef int (*csearch_take)(void *context, int position, int is_beside, const char *token, int count, int start, int end);

/// The stemmers and the tokens of recent words. With a cache, the tokens of many texts take a third of the time, because
/// a few words make up most of each text. Only one thread may use a cache at a time.
struct csearch_cache;

/// Creates a cache, which takes 2 MiB. Returns null if memory is short.
struct csearch_cache *csearch_cache_new(void);

void csearch_cache_free(struct csearch_cache *cache);

/// A reading of the tokens of a text.
struct csearch_reading {
    /// `csearch_document` or `csearch_query`.
    int mode;
    /// May be null.
    struct csearch_cache *cache;
    /// Null, or 256 flags: whether the caller looks for a word or a stem that begins with this byte. Most other words then
    /// keep their positions but are not given, which saves folding and stemming them.
    const unsigned char *firsts;
    /// The result: the number of positions.
    int positions;
};

/// Calls `take` for the tokens of a text, in order. Returns 0, a nonzero result of `take`, or SQLITE_NOMEM.
///
/// - Words consist of letters and digits. They are case-folded (NFKC_Casefold), and Latin letters lose their accents. A
///   long word is cut.
/// - Scripts that are written without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) become pairs of
///   characters, so any part of a sentence is a phrase of pairs. The last character has the same position as the last
///   pair.
/// - `C++`, `C#`, and `.NET` have the same positions as `c` and `net`.
/// - Text between U+0002 and U+0003 is a single token, unchanged; it must not contain a zero.
/// - A text that begins with U+0004, a language (two letters of ISO 639-1), and U+0004 is in this language. In a
///   document, the stem of each word (`csearch_stems`) then has the same position as the word, if libstemmer supports
///   the language.
int csearch_tokens(const char *text, int count, struct csearch_reading *reading, void *context, csearch_take take);

/// Writes the tokens of the stems of words in a language, each followed by a space. The words are case-folded and
/// separated by spaces. A token consists of U+0001, the two letters of the language, and the stem; it takes at most 69
/// bytes. Returns the length of the output. It stops at a token for which `room` is too small.
///
/// A word does not have a stem if libstemmer does not support the language, or if the word is short or contains
/// characters other than letters. The rules of a language need its accents, so words are stemmed with their accents.
/// Only the resulting stem loses them.
size_t csearch_stems(const char *language, const char *words, size_t count, char *out, size_t room);

/// The formats of `csearch_plain`.
enum { csearch_markdown = 0, csearch_html = 1, csearch_text = 2 };

/// Whether a folded scalar belongs to a script that becomes pairs of characters.
int csearch_is_wide(unsigned int scalar);

/// Writes the words of a text without its markup to `out`, which has room for `count` bytes, and returns the length. It
/// keeps every visible word, always gives the same result for the same text, and takes linear time.
size_t csearch_plain(int format, const char *text, size_t count, char *out);

/// The value of a form of a searched word for an article: the bonus of the best column with a hit, plus the formula of Okapi
/// BM25 (k1 1.2, b 0.75) over the whole article. The formula always gives less than the bonus of a better column.
///
/// - bonus: the highest `csearch_bonus` of the columns with hits.
/// - frequency: the number of hits, at least 1.
/// - length: the number of tokens of the article, without those beside others.
double csearch_value(double bonus, double frequency, double length);

/// The bonus of a column: title, authors, tags, summary, and body have the numbers 0 to 4.
double csearch_bonus(int column);

/// The weight of a word that occurs in some of the articles: the rarer, the higher.
double csearch_rarity(double articles, double hits);

/// Registers the tokenizer `words`, the function `search_score(table, …)` for full-text tables, and the function
/// `search_fold(text)` with a connection. Returns SQLite's result code.
int csearch_register(struct sqlite3 *db);
