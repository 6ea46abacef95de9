#pragma once

#include <stddef.h>
#include <stdint.h>

/// A compiled pattern. It may be used on one thread at a time.
struct pcre_pattern;

/// Loads the library at the first call: a program that never calls this function neither needs the library nor waits for
/// it. Returns NULL, or the reason why the library cannot be loaded.
const char *pcre_load(void);

/// Compiles a pattern of UTF-8 that ignores case. Call it after `pcre_load` has succeeded.
///
/// Returns NULL after it has written the reason into `problem`, a text of at most `size` bytes, and the position of the
/// fault into `position`. Free the pattern with `pcre_free`.
struct pcre_pattern *pcre_compile(
    const char *pattern, size_t length, char *problem, size_t size, size_t *position);

/// Frees a pattern. Does nothing for NULL.
void pcre_free(struct pcre_pattern *pattern);

/// The result of `pcre_match`.
enum pcre_result { pcre_no_match, pcre_found, pcre_too_much_work, pcre_out_of_memory };

/// Searches for a pattern in a text of valid UTF-8.
///
/// `work` limits the search: it counts the bytes that the search passes, and 16 more for each of its steps. A pattern that
/// looks behind counts the longest way back for each of its alternatives at each step. 16,000,000 take about a tenth of a second.
enum pcre_result pcre_match(struct pcre_pattern *pattern, const char *text, size_t length, uint64_t work);
