#pragma once

#include <stddef.h>

/// Loads a shared library and finds its functions with these names. Writes their addresses, in the same order, into
/// `functions`, which may be a struct of function pointers.
///
/// Returns 0, or -1 after it has written the reason into `problem`, a text of at most `size` bytes: the library or one
/// of the functions is missing.
int platform_load_functions(
    const char *library, const char *const *names, size_t count, void *functions, char *problem, size_t size);

/// Does the same with a library without which the program cannot go on. If it fails, restores the terminal, writes the
/// reason and Debian's package of the library to standard error, and ends the process at once with EX_UNAVAILABLE.
void platform_require_functions(
    const char *library, const char *package, const char *const *names, size_t count, void *functions);
