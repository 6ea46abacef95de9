#pragma once

#include <gumbo.h>
#include <stddef.h>
#include <string.h>

/// A page as gumbo read it, with all the memory it takes.
typedef struct cgumbo_page cgumbo_page;

/// Reads `length` bytes of UTF-8, which must stay where they are as long as the page is used: nodes point into them.
///
/// Null where the page is built to exhaust the reader, which gumbo itself does not notice: elements nested more than
/// 1,024 deep, more memory than 100 times the text and 16 MiB, or than 512 MiB, or work that grows with the square of the
/// text, as with thousands of attributes on one element. Null also if memory runs out.
cgumbo_page *_Nullable cgumbo_read(const char *_Nonnull html, size_t length);

/// The document node.
const GumboNode *_Nonnull cgumbo_document(const cgumbo_page *_Nonnull page);

/// Frees a page and all its nodes.
void cgumbo_free(cgumbo_page *_Nullable page);

/// The child of a list of children.
static inline const GumboNode *_Nonnull cgumbo_child(const GumboVector *_Nonnull children, unsigned index) {
    return (const GumboNode *)children->data[index];
}

/// How many bytes a text has.
static inline size_t cgumbo_length(const char *_Nonnull text) { return strlen(text); }
