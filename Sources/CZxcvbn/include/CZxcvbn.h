#pragma once

#include <zxcvbn.h>

/// Calls `ZxcvbnMatch` of zxcvbn, which is loaded at the first call: only new passwords need it. Free the matches with
/// `czxcvbn_free`.
double czxcvbn_match(const char *password, const char *words[], ZxcMatch_t **matches);

/// Frees matches.
void czxcvbn_free(ZxcMatch_t *matches);
