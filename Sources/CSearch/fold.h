#pragma once

#include <stddef.h>

/// A folded text. It owns `bytes`.
struct fold {
    char *bytes;
    size_t count;
};

/// Case-folds a text (NFKC_Casefold of UAX #31) and removes combining accents that are not part of a letter. Returns 0,
/// or -1 with nothing to free if memory is short or the text is not UTF-8.
int fold_case(struct fold *fold, const char *text, size_t count);

/// Removes the accents from the Latin letters of a case-folded text, in place. Returns its new length.
size_t fold_accents(char *bytes, size_t count);

/// Case-folds a text and removes its accents. Returns what `fold_case` returns.
int fold_text(struct fold *fold, const char *text, size_t count);

void fold_free(struct fold *fold);
