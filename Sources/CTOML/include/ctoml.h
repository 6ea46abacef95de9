#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a TOML text. Free it with `ctoml_free`.
typedef struct {
    /// JSON text of one object, or a message for people where `line` is not 0. Null only for want of memory.
    char *_Nullable text;
    /// How many bytes `text` has.
    size_t length;
    /// The line of the mistake, from 1; 0 where there is none.
    uint32_t line;
} ctoml_result;

/// Turns TOML 1.0 into JSON: dates and times, infinities and NaN become strings. `length` bytes from `toml` are read,
/// which need not be valid UTF-8. Nested values and dotted keys are refused beyond a small depth, so that no input can
/// exhaust the stack. No exception leaves it.
ctoml_result ctoml_to_json(const char *_Nonnull toml, size_t length);

/// Frees what `ctoml_to_json` gave.
void ctoml_free(ctoml_result result);

#ifdef __cplusplus
}
#endif
