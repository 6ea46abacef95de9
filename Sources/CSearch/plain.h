#pragma once

#include <stddef.h>

/// A text that is being read, and its output. The output is never longer than the text that was read.
struct text {
    const char *at;
    const char *end;
    char *out;
    // For each kind of declaration, the position at which its end was found last.
    const char *found[4];
    // The number of bytes that may still be searched in vain for the end of a tag. Otherwise a text with an unfinished
    // tag at every byte would take quadratic time. After that, `<` counts as text.
    size_t patience;
};

static inline int is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

static inline int is_digit(char c) { return c >= '0' && c <= '9'; }

static inline int is_alphanumeric(char c) { return is_letter(c) || is_digit(c) || (unsigned char)c >= 0x80; }

static inline void put(struct text *text, char c) {
    // The control characters of `csearch_tokens` must not come from a text, and FTS5 ends a word at a zero.
    *text->out++ = (unsigned char)c <= 4 ? ' ' : c;
}

/// Copies the text up to a position.
static inline void copy(struct text *text, const char *stop) {
    while (text->at < stop) put(text, *text->at++);
}

/// Reads a character reference. Returns 0 if this is not a character reference.
int plain_reference(struct text *text);

/// Reads a comment or a declaration that ends before `end`. Returns 0 if this is neither.
int plain_declaration(struct text *text, const char *end);

/// Whether the name of an element is at a position, in upper or lower case.
int plain_begins(const char *at, const char *end, const char *word);

/// Whether the element with the name at a position is inline, so that its tags do not separate words.
int plain_is_inline(const char *name, const char *end);

/// Returns the end of an element that cannot contain other elements, after its closing tag; the end of the text if the
/// element is not closed.
const char *plain_element_end(const char *at, const char *end, const char *closing);

/// Reads a text in Markdown.
void plain_markdown(struct text *text);
