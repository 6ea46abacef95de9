#include "csearch.h"
#include "fold.h"
#include "stemmer.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum {
    /// The maximum length of a token in bytes.
    longest = 60,
    /// The minimum number of letters of a word with a stem. Stems of shorter words would match too much.
    shortest_with_stem = 3,
    language_mark = 4,
    stem_mark = 1,
};

enum kind { separator, word, wide, mark, symbol };

struct walk {
    const char *text;
    int count;
    int mode;
    void *context;
    csearch_take take;
    struct csearch_cache *cache;
    /// Null if the language of the text is unknown or libstemmer does not support it.
    struct sb_stemmer *stemmer;
    char language[2];
    /// Null if all words are given.
    const unsigned char *firsts;
    /// The position of the last token, -1 at first.
    int position;
};

// MARK: The cache

enum {
    /// The number of words in a cache, a power of 2.
    cached_words = 1 << 15,
    /// The number of bytes for a word, its token, and its stem. With it, an entry fills a cache line of 64 bytes.
    room_for_word = 59,
    letters = 26,
};

/// A word and its tokens.
struct cached_word {
    char language[2];
    /// The numbers of bytes of the word, its token, and the token of its stem.
    unsigned char word, token, stem;
    /// The word in lowercase ASCII letters, its token, and the token of its stem.
    char bytes[room_for_word];
};

struct csearch_cache {
    struct sb_stemmer *stemmers[letters][letters];
    /// The hash of a word is its index. A new word replaces the earlier word with this index.
    struct cached_word words[cached_words];
};

struct csearch_cache *csearch_cache_new(void) { return calloc(1, sizeof(struct csearch_cache)); }

void csearch_cache_free(struct csearch_cache *cache) {
    if (!cache) return;
    for (int i = 0; i < letters * letters; i++) stemmer_delete(cache->stemmers[i / letters][i % letters]);
    free(cache);
}

/// Returns a stemmer for a code of ISO 639-1; null if the library does not support the language or memory is short.
static struct sb_stemmer *stemmer_for(const char language[2]) {
    const char code[3] = {language[0], language[1], 0};
    return stemmer_new(code);
}

/// Returns what `stemmer_for` returns. The cache owns the stemmer.
static struct sb_stemmer *cached_stemmer(struct csearch_cache *cache, const char language[2]) {
    int first = language[0] - 'a', second = language[1] - 'a';
    if (first < 0 || first >= letters || second < 0 || second >= letters) return 0;
    struct sb_stemmer **stemmer = &cache->stemmers[first][second];
    if (!*stemmer) *stemmer = stemmer_for(language);
    return *stemmer;
}

/// Returns the entry for a word. The ASCII letters of the word are lowercase.
static struct cached_word *entry_for(struct csearch_cache *cache, const char language[2], const char *word, int count) {
    uint32_t hash = 2166136261u ^ (unsigned char)language[0] ^ (uint32_t)(unsigned char)language[1] << 8;
    for (int i = 0; i < count; i++) hash = (hash ^ (unsigned char)word[i]) * 16777619u;
    return &cache->words[(hash ^ hash >> 15) & (cached_words - 1)];
}

static int is_for(const struct cached_word *entry, const char language[2], const char *word, int count) {
    return entry->word == count && memcmp(entry->language, language, 2) == 0 && memcmp(entry->bytes, word, (size_t)count) == 0;
}

/// Reads the scalar at `index`. An invalid byte counts as a separator of length 1.
static utf8proc_int32_t scalar_at(const struct walk *walk, int index, int *length) {
    unsigned char first = (unsigned char)walk->text[index];
    if (first < 0x80) {
        *length = 1;
        return first;
    }
    utf8proc_int32_t scalar;
    utf8proc_ssize_t read = utf8proc_iterate((const utf8proc_uint8_t *)walk->text + index, walk->count - index, &scalar);
    *length = read > 0 ? (int)read : 1;
    return read > 0 ? scalar : 0;
}

/// Whether a scalar belongs to a script that is written without spaces between words. `is_plain` becomes 1 if folding
/// leaves the scalar unchanged.
static int is_wide(utf8proc_int32_t c, int *is_plain) {
    *is_plain = 1;
    if (c < 0x0E00) return 0;
    if (c <= 0x0E3A || (c >= 0x0E40 && c <= 0x0E4E)) { // Thai
        *is_plain = c != 0x0E33;
        return c != 0x0E00;
    }
    if (c >= 0x0E80 && c <= 0x0EFF) { // Lao
        *is_plain = c != 0x0EB3 && c < 0x0EDC;
        return !(c >= 0x0ED0 && c <= 0x0ED9);
    }
    if (c >= 0x1000 && c <= 0x109F) return !(c >= 0x1040 && c <= 0x104F); // Burmese
    if (c >= 0x1780 && c <= 0x17D3) return 1; // Khmer
    if (c < 0x1100) return 0;
    if (c <= 0x11FF || (c >= 0x3131 && c <= 0x318E) || (c >= 0xA960 && c <= 0xA97C) || (c >= 0xD7B0 && c <= 0xD7FB) ||
        (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF66 && c <= 0xFFDC) || (c >= 0x2F800 && c <= 0x2FA1F) || c == 0x3099 ||
        c == 0x309A) {
        *is_plain = 0;
        return 1;
    }
    if (c == 0x3005 || c == 0x3007 || (c >= 0x3041 && c <= 0x3096) || c == 0x309D || c == 0x309E ||
        (c >= 0x30A1 && c <= 0x30FA) || (c >= 0x30FC && c <= 0x30FE) || (c >= 0x3105 && c <= 0x312F) ||
        (c >= 0x31F0 && c <= 0x31FF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
        (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x20000 && c <= 0x323AF))
        return 1;
    return 0;
}

int csearch_is_wide(unsigned int scalar) {
    int is_plain;
    return is_wide((utf8proc_int32_t)scalar, &is_plain);
}

static const unsigned char is_ascii_word[256] = {
    ['0' ... '9'] = 1,
    ['A' ... 'Z'] = 1,
    ['a' ... 'z'] = 1,
};

static enum kind kind_of(utf8proc_int32_t c, int *is_plain) {
    *is_plain = 1;
    if (c < 0x80) return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ? word : separator;
    if (is_wide(c, is_plain)) return wide;
    *is_plain = 0;
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU: case UTF8PROC_CATEGORY_LL: case UTF8PROC_CATEGORY_LT: case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: case UTF8PROC_CATEGORY_ND: case UTF8PROC_CATEGORY_NL: case UTF8PROC_CATEGORY_NO:
        return word;
    case UTF8PROC_CATEGORY_MN: case UTF8PROC_CATEGORY_MC: case UTF8PROC_CATEGORY_ME: return mark;
    // Joiners and soft hyphens are invisible parts of words. A zero-width space separates words.
    case UTF8PROC_CATEGORY_CF: return c == 0x200B ? separator : mark;
    case UTF8PROC_CATEGORY_SO: return symbol;
    default: return separator;
    }
}

static int give(struct walk *walk, int is_beside, const char *token, int count, int start, int end) {
    if (!is_beside) walk->position++;
    return walk->take(walk->context, walk->position, is_beside, token, count, start, end);
}

/// Returns the length of the scalar that begins with a byte of valid UTF-8.
static int width(char byte) {
    unsigned char first = (unsigned char)byte;
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

static int is_word_byte(char byte) {
    unsigned char c = (unsigned char)byte;
    return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/// Returns the length of the signs after a word that are part of its name, as in C++ and C#.
static int suffix_length(const struct walk *walk, int start, int end) {
    const char *text = walk->text;
    int rest = walk->count - end, length = end - start;
    if (length > 16 || rest < 1) return 0;
    if (text[end] == '+' && rest >= 2 && text[end + 1] == '+' && !(rest > 2 && text[end + 2] == '+')) return 2;
    int is_last = rest < 2 || (!is_word_byte(text[end + 1]) && text[end + 1] != text[end]);
    if (text[end] == '+' && is_last) return 1;
    return text[end] == '#' && length <= 3 && is_last && text[start] > '9' ? 1 : 0;
}

/// Returns the length of the whole scalars in the first `longest` bytes of a folded text.
static int cut(const char *bytes, size_t count) {
    int length = 0;
    while ((size_t)length < count && length + width(bytes[length]) <= longest) length += width(bytes[length]);
    return length;
}

/// Whether a case-folded word consists of letters only, and is long enough for a stem.
static int can_have_stem(const char *word, int count) {
    int letters = 0;
    for (int i = 0; i < count; i += width(word[i]), letters++)
        if ((unsigned char)word[i] < 0x80 && !(word[i] >= 'a' && word[i] <= 'z')) return 0;
    return letters >= shortest_with_stem;
}

/// Replaces the comma below the Romanian letters ș and ț with a cedilla, which has the same length. libstemmer 2 only
/// knows the letters with cedillas.
static void put_cedillas(char *word, int count) {
    for (int i = 0; i + 1 < count; i++)
        if (word[i] == '\xC8' && (word[i + 1] == '\x99' || word[i + 1] == '\x9B')) {
            word[i + 1] = word[i + 1] == '\x99' ? '\x9F' : '\xA3';
            word[i] = '\xC5';
        }
}

/// Writes the stem of a case-folded word to `stem`, which has room for `longest + 8` bytes. Returns its length; 0 if
/// the word does not have a stem, -1 if memory is short.
static int stem_of(struct sb_stemmer *stemmer, const char language[2], const char *word, int count, char *stem) {
    if (!can_have_stem(word, count)) return 0;
    char spelling[longest];
    memcpy(spelling, word, (size_t)count);
    if (memcmp(language, "ro", 2) == 0) put_cedillas(spelling, count);
    const sb_symbol *found = stemmer_stem(stemmer, (const sb_symbol *)spelling, count);
    if (!found) return -1;
    int length = stemmer_length(stemmer);
    if (length < 1 || length > longest + 4) return 0;
    stem[0] = stem_mark;
    memcpy(stem + 1, language, 2);
    memcpy(stem + 3, found, (size_t)length);
    return 3 + (int)fold_accents(stem + 3, (size_t)length);
}

/// The tokens of a word.
struct forms {
    char token[longest], stem[longest + 8];
    int count, stemmed;
};

/// Makes the tokens of a word whose ASCII letters are lowercase. Returns SQLITE_OK or SQLITE_NOMEM.
static int make_forms(const struct walk *walk, const char *text, int count, int is_plain, struct forms *forms) {
    if (is_plain) {
        forms->count = count < longest ? count : longest;
        memcpy(forms->token, text, (size_t)forms->count);
        if (walk->stemmer) forms->stemmed = stem_of(walk->stemmer, walk->language, forms->token, forms->count, forms->stem);
    } else {
        struct fold fold;
        if (fold_case(&fold, text, (size_t)count) != 0) return SQLITE_NOMEM;
        if (walk->stemmer)
            forms->stemmed = stem_of(walk->stemmer, walk->language, fold.bytes, cut(fold.bytes, fold.count), forms->stem);
        forms->count = cut(fold.bytes, fold_accents(fold.bytes, fold.count));
        memcpy(forms->token, fold.bytes, (size_t)forms->count);
        fold_free(&fold);
    }
    return forms->stemmed < 0 ? SQLITE_NOMEM : SQLITE_OK;
}

/// Does the same as `make_forms`, with the cache.
static int find_forms(const struct walk *walk, const char *text, int count, int is_plain, struct forms *forms) {
    if (!walk->cache || (is_plain && !walk->stemmer) || count > room_for_word)
        return make_forms(walk, text, count, is_plain, forms);
    struct cached_word *entry = entry_for(walk->cache, walk->language, text, count);
    if (is_for(entry, walk->language, text, count)) {
        memcpy(forms->token, entry->bytes + count, entry->token);
        memcpy(forms->stem, entry->bytes + count + entry->token, entry->stem);
        forms->count = entry->token;
        forms->stemmed = entry->stem;
        return SQLITE_OK;
    }
    int code = make_forms(walk, text, count, is_plain, forms);
    if (code != SQLITE_OK || count + forms->count + forms->stemmed > room_for_word) return code;
    memcpy(entry->language, walk->language, 2);
    entry->word = (unsigned char)count;
    entry->token = (unsigned char)forms->count;
    entry->stem = (unsigned char)forms->stemmed;
    memcpy(entry->bytes, text, (size_t)count);
    memcpy(entry->bytes + count, forms->token, (size_t)forms->count);
    memcpy(entry->bytes + count + forms->count, forms->stem, (size_t)forms->stemmed);
    return SQLITE_OK;
}

static int give_word(struct walk *walk, int start, int end, int is_plain) {
    const char *text = walk->text;
    // This is enough for the longest token.
    char lower[256];
    int length = end - start < (int)sizeof lower ? end - start : (int)sizeof lower;
    while (length < end - start && ((unsigned char)text[start + length] & 0xC0) == 0x80) length--;
    for (int i = 0; i < length; i++) {
        char c = text[start + i];
        lower[i] = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
    }
    struct forms forms;
    forms.count = forms.stemmed = 0;
    int found = find_forms(walk, lower, length, is_plain, &forms);
    if (found != SQLITE_OK) return found;
    const char *token = forms.token, *stem = forms.stem;
    int count = forms.count, stemmed = forms.stemmed;
    if (count == 0) return SQLITE_OK;
    char name[longest + 8];
    int named = 0;
    int suffix = suffix_length(walk, start, end);
    int has_point = start > 0 && text[start - 1] == '.' && (start < 2 || (!is_word_byte(text[start - 2]) && text[start - 2] != '.')) &&
                    ((text[start] | 0x20) >= 'a' && (text[start] | 0x20) <= 'z');
    if (suffix > 0) {
        memcpy(name, token, (size_t)count);
        memcpy(name + count, text + end, (size_t)suffix);
        named = count + suffix;
    } else if (has_point) {
        name[0] = '.';
        memcpy(name + 1, token, (size_t)count);
        named = count + 1;
    }
    if (named > 0 && walk->mode == csearch_query) return give(walk, 0, name, named, start - (suffix == 0), end + suffix);
    int code = give(walk, 0, token, count, start, end);
    if (code == SQLITE_OK && named > 0) code = give(walk, 1, name, named, start - (suffix == 0), end + suffix);
    if (code == SQLITE_OK && stemmed > 0) code = give(walk, 1, stem, stemmed, start, end);
    return code;
}

/// Whether the stem of a word in ASCII letters can begin with another letter than the word, such as Irish `bord` from `mbord`.
/// Checked with libstemmer 2.2; from version 3, also Dutch `werk` from `gewerkt`.
static int changes_beginnings(const char language[2]) {
    static const char codes[][2] = {{'g', 'a'}, {'i', 'd'}, {'n', 'l'}, {'t', 'r'}};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (memcmp(language, codes[i], 2) == 0) return 1;
    return 0;
}

/// Whether no token of a word can be one that the caller looks for. The word begins with an ASCII letter or a digit. After a
/// point, it may also have a token like `.net`.
static int is_unwanted(const struct walk *walk, int start, int is_plain) {
    if (!walk->firsts || !is_plain) return 0;
    char c = walk->text[start];
    if (walk->firsts[(unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c)]) return 0;
    return !(walk->firsts['.'] && start > 0 && walk->text[start - 1] == '.');
}

static int give_wide(struct walk *walk, int start, int end, int is_plain) {
    struct fold fold = {0};
    const char *bytes = walk->text + start;
    int count = end - start;
    if (!is_plain) {
        if (fold_text(&fold, bytes, (size_t)count) != 0) return SQLITE_NOMEM;
        bytes = fold.bytes;
        count = (int)fold.count;
    }
    int code = SQLITE_OK;
    int before = -1;
    for (int at = 0; at < count && code == SQLITE_OK; at += width(bytes[at])) {
        int next = at + width(bytes[at]);
        // If folding changed the lengths, a position in the original is unknown, so the token stands for the whole run.
        int from = is_plain ? start + (before < 0 ? at : before) : start;
        int to = is_plain ? start + next : end;
        if (before >= 0) code = give(walk, 0, bytes + before, next - before, from, to);
        int is_alone = before < 0;
        if (code == SQLITE_OK && next >= count && (is_alone || walk->mode == csearch_document))
            code = give(walk, !is_alone, bytes + at, next - at, is_plain ? start + at : start, to);
        before = at;
    }
    fold_free(&fold);
    return code;
}

/// Returns the end of a run of one kind of characters that begins at `index`.
static int run_end(const struct walk *walk, int index, enum kind kind, int *is_plain) {
    while (index < walk->count) {
        int length, plain;
        enum kind next = kind_of(scalar_at(walk, index, &length), &plain);
        // Full-width signs become ASCII when folded, so they end the run. A mark belongs to the character before it.
        if (next != kind && next != mark) break;
        if (!plain) *is_plain = 0;
        index += length;
    }
    return index;
}

size_t csearch_stems(const char *language, const char *words, size_t count, char *out, size_t room) {
    struct sb_stemmer *stemmer = stemmer_for(language);
    if (!stemmer) return 0;
    const char *end = words + count;
    size_t written = 0;
    while (words < end && room - written > longest + 8) {
        const char *space = memchr(words, ' ', (size_t)(end - words));
        const char *stop = space ? space : end;
        int length = stem_of(stemmer, language, words, cut(words, (size_t)(stop - words)), out + written);
        if (length > 0) {
            written += (size_t)length;
            out[written++] = ' ';
        }
        words = stop + 1;
    }
    stemmer_delete(stemmer);
    return written;
}

static int tokens(struct walk *walk, int index) {
    const char *text = walk->text;
    int count = walk->count;
    while (index < count) {
        if (text[index] == 2) {
            const char *end = memchr(text + index, 3, (size_t)(count - index));
            if (end) {
                int stop = (int)(end - text);
                int code = give(walk, 0, text + index, stop - index > 240 ? 240 : stop - index, index, stop);
                if (code != SQLITE_OK) return code;
                index = stop + 1;
                continue;
            }
        }
        if ((unsigned char)text[index] < 0x80) {
            int end = index;
            while (end < count && is_ascii_word[(unsigned char)text[end]]) end++;
            if (end == index) {
                index++;
                continue;
            }
            // Letters of other scripts, or marks, may continue the word.
            int is_plain = 1;
            if (end < count && (unsigned char)text[end] >= 0x80) end = run_end(walk, end, word, &is_plain);
            int code = SQLITE_OK;
            if (is_unwanted(walk, index, is_plain))
                walk->position++;
            else
                code = give_word(walk, index, end, is_plain);
            if (code != SQLITE_OK) return code;
            index = end;
            continue;
        }
        int length, is_plain;
        enum kind kind = kind_of(scalar_at(walk, index, &length), &is_plain);
        if (kind == separator || kind == mark) {
            index += length;
            continue;
        }
        int code;
        if (kind == symbol) {
            code = give(walk, 0, text + index, length, index, index + length);
            index += length;
        } else {
            int end = run_end(walk, index + length, kind, &is_plain);
            code = kind == word ? give_word(walk, index, end, is_plain) : give_wide(walk, index, end, is_plain);
            index = end;
        }
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

int csearch_tokens(const char *text, int count, struct csearch_reading *reading, void *context, csearch_take take) {
    struct csearch_cache *cache = reading->cache;
    struct walk walk = {text, count, reading->mode, context, take, cache, 0, {0}, reading->firsts, -1};
    int index = 0;
    if (count > 3 && text[0] == language_mark && text[3] == language_mark) {
        // A query does not have stems, so the cache must not return those of a document.
        if (walk.mode == csearch_document) {
            memcpy(walk.language, text + 1, sizeof walk.language);
            walk.stemmer = cache ? cached_stemmer(cache, walk.language) : stemmer_for(walk.language);
            if (changes_beginnings(walk.language)) walk.firsts = 0;
        }
        index = 4;
    }
    int code = tokens(&walk, index);
    reading->positions = walk.position + 1;
    if (!cache) stemmer_delete(walk.stemmer);
    return code;
}
