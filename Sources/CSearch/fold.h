#pragma once

#include <stddef.h>

/// A text folded: `bytes` are its own.
struct fold {
    char *bytes;
    size_t count;
};

/// Case-folds a text (NFKC_Casefold of UAX #31) and takes the accents off its Latin letters. Returns 0, or -1 when it cannot, and
/// there is nothing to free then.
int fold_text(struct fold *fold, const char *text, size_t count);

void fold_free(struct fold *fold);
