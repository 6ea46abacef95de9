#pragma once

#include <stddef.h>

struct sqlite3;

/// What the index of a library depends on: it is made anew when this is another number. Any change to which tokens a text has
/// (`csearch_tokens`) or to which text is indexed (`csearch_plain`) counts it up.
enum { csearch_version = 4 };

/// What `csearch_tokens` is to give.
enum {
    /// The tokens of a text that is indexed.
    csearch_document = 0,
    /// The tokens that a query has to find: of several at one place, only the one that says most.
    csearch_query = 1,
};

/// Takes a token: `count` bytes of folded UTF-8, for the bytes `start..<end` of the text. `is_beside` is 1 where it is at the same
/// place as the token before. Anything but 0 ends the walk.
typedef int (*csearch_take)(void *context, int is_beside, const char *token, int count, int start, int end);

/// Gives the tokens of a text, in their order. Returns 0, what `take` ended it with, or SQLITE_NOMEM.
///
/// - Words are letters and digits, case-folded (NFKC_Casefold), Latin ones without accents. A long one is cut.
/// - Scripts that are written without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) are given by pairs of
///   characters, so that any part of a sentence is a phrase of pairs; the last character stands beside the last pair.
/// - `C++`, `C#`, `.NET` are given beside `c` and `net`.
/// - Text between U+0002 and U+0003 is one token, unchanged; it must not contain a zero.
/// - A text that begins with U+0004, a language (two letters of ISO 639-1), and U+0004 is in this language. In a document each word
///   then has its stem beside it (`csearch_stem`), if libstemmer knows the language.
int csearch_tokens(const char *text, int count, int mode, void *context, csearch_take take);

/// Writes the token of the stem that a folded word has in a language: U+0001, the two letters of the language, and the stem. `out` has
/// room for 68 bytes. Returns the length; 0 if the language lacks a stemmer, or the word is short or contains digits.
///
/// Words are stemmed after folding, so that a word without its accents has the same stem.
int csearch_stem(const char *language, const char *word, int count, char *out);

/// The formats of `csearch_plain`.
enum { csearch_markdown = 0, csearch_html = 1, csearch_text = 2 };

/// Whether a folded scalar is of a script that is given by pairs of characters.
int csearch_is_wide(unsigned int scalar);

/// Writes the words of a text without its markup to `out`, which has room for `count` bytes, and returns how many there are.
/// It loses no word that a reader sees, makes the same of the same text for ever, and takes a time in proportion to it.
size_t csearch_plain(int format, const char *text, size_t count, char *out);

/// Folds a text as tokens are, as a whole. Writes at most `room` bytes to `out` and returns how long the text is, or -1.
long csearch_fold(const char *text, size_t count, char *out, size_t room);

/// Makes a connection know the tokenizer `words`, the function `search_score(table, …)` of full-text tables and
/// `search_fold(text)`. Returns SQLite's result code.
int csearch_register(struct sqlite3 *db);
