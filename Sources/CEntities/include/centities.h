#pragma once

#include <stddef.h>
#include <stdint.h>

/// The length of the longest name.
enum { centities_longest = 31 };

/// Finds the character reference of HTML that has a name, given without its `&` and `;`.
///
/// Returns how many characters it stands for, 1 or 2, and writes them; 0 if there is none.
int centities_find(const char *_Nonnull name, size_t length, uint32_t scalars[_Nonnull 2]);
