#pragma once

#include <stddef.h>
#include <stdint.h>

/// The length of the longest name.
enum { centities_longest = 31 };

/// Finds the character reference of HTML with a name, which is given without `&` and `;`.
///
/// Returns the number of its characters, 1 or 2, and writes them to `scalars`; 0 if the name is unknown.
int centities_find(const char *_Nonnull name, size_t length, uint32_t scalars[_Nonnull 2]);
