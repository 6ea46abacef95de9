#pragma once

#include <libstemmer.h>

// The functions of libstemmer, which is loaded at the first call of `stemmer_new`: showing and listing articles does not
// need its large tables.

/// Returns a stemmer for UTF-8; null if the library does not support the language or memory is short.
struct sb_stemmer *stemmer_new(const char *language);

/// Frees a stemmer. Does nothing for null.
void stemmer_delete(struct sb_stemmer *stemmer);

/// Returns the stem of a word until the next call with this stemmer; null if memory is short.
const sb_symbol *stemmer_stem(struct sb_stemmer *stemmer, const sb_symbol *word, int count);

/// Returns the number of bytes of the last stem.
int stemmer_length(struct sb_stemmer *stemmer);
