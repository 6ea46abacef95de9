#pragma once

#include <stddef.h>

/// A folded text. It owns `bytes`.
struct fold {
    char *bytes;
    size_t count;
};

/// Case-folds a text (NFKC_Casefold of UAX #31) and removes the accents from its Latin letters. Returns 0, or -1 on
/// failure; then there is nothing to free.
int fold_text(struct fold *fold, const char *text, size_t count);

void fold_free(struct fold *fold);
