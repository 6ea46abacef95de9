#pragma once

#include <gumbo.h>
#include <stddef.h>
#include <string.h>

/// A page that gumbo has read, with all its memory.
typedef struct cgumbo_page cgumbo_page;

/// Reads `length` bytes of UTF-8. The bytes must stay valid while the page is used, because nodes point into them.
///
/// Returns null for a page that is built to exhaust the parser, which gumbo itself does not detect: elements that are
/// nested more than 1,024 deep; more memory than 100 times the text plus 16 MiB, or more than 512 MiB; or work that
/// grows with the square of the text, as for thousands of attributes on an element. Returns null also if memory runs
/// out.
cgumbo_page *_Nullable cgumbo_read(const char *_Nonnull html, size_t length);

/// Returns the document node.
const GumboNode *_Nonnull cgumbo_document(const cgumbo_page *_Nonnull page);

/// Frees a page and all its nodes.
void cgumbo_free(cgumbo_page *_Nullable page);

/// Returns a child from a list of children.
static inline const GumboNode *_Nonnull cgumbo_child(const GumboVector *_Nonnull children, unsigned index) {
    return (const GumboNode *)children->data[index];
}

/// Returns the number of bytes in a text.
static inline size_t cgumbo_length(const char *_Nonnull text) { return strlen(text); }
