#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The result of reading a TOML text. Free it with `ctoml_free`.
typedef struct {
    /// The JSON text of one object, or a message for people if `line` is not 0. Null only if memory ran out.
    char *_Nullable text;
    /// The number of bytes in `text`.
    size_t length;
    /// The line of the mistake, from 1; 0 without a mistake.
    uint32_t line;
    /// The column of the mistake, from 1; 0 if only the line is known.
    uint32_t column;
} ctoml_result;

/// Converts TOML 1.0 to JSON. Dates, times, infinities, and NaN become strings. The function reads `length` bytes from
/// `toml`, which do not have to be valid UTF-8. Values and dotted keys that are nested too deep are refused, so that
/// input cannot overflow the stack. The function never throws an exception.
ctoml_result ctoml_to_json(const char *_Nonnull toml, size_t length);

/// Converts TOML to a JSON array of the values with their positions, for messages about them. Each value that is not a
/// table, and each empty table, becomes an object: `key` contains the parts of its name, `line` and `column` are the
/// position of the name, `value` is the value as in `ctoml_to_json`, and `places` contains the line and the column of
/// the value, then those of the elements of an array. The objects are in any order.
ctoml_result ctoml_to_entries(const char *_Nonnull toml, size_t length);

/// Frees a result.
void ctoml_free(ctoml_result result);

#ifdef __cplusplus
}
#endif
