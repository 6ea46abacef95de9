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
    /// Its column, from 1; 0 where only the line is known.
    uint32_t column;
} ctoml_result;

/// Turns TOML 1.0 into JSON: dates and times, infinities and NaN become strings. `length` bytes from `toml` are read,
/// which need not be valid UTF-8. Nested values and dotted keys are refused beyond a small depth, so that no input can
/// exhaust the stack. No exception leaves it.
ctoml_result ctoml_to_json(const char *_Nonnull toml, size_t length);

/// The same, as a JSON array of the values with their places, for who tells a person about them. Each value that is no
/// table, and each empty table, is an object: `key` has the parts of its name, `line` and `column` are where that
/// stands, `value` is as `ctoml_to_json` has it, and `places` has the line and the column of the value, then those of the
/// elements of an array. They come in no order.
ctoml_result ctoml_to_entries(const char *_Nonnull toml, size_t length);

/// Frees what a function of these gave.
void ctoml_free(ctoml_result result);

#ifdef __cplusplus
}
#endif
