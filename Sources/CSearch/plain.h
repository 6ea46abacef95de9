#pragma once

#include <stddef.h>

/// A text that is read, and what was written of it so far. What is written is never longer than what was read.
struct text {
    const char *at;
    const char *end;
    char *out;
    // Where each end of a declaration was found that was looked for last.
    const char *found[4];
    // How many bytes may yet be looked at for the end of a tag of HTML that is not there. A text that begins one at
    // every byte and ends none would take the square of its length; past this its signs are text.
    size_t patience;
};

static inline int is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

static inline int is_digit(char c) { return c >= '0' && c <= '9'; }

static inline int is_alphanumeric(char c) { return is_letter(c) || is_digit(c) || (unsigned char)c >= 0x80; }

static inline void put(struct text *text, char c) {
    // The signs of `csearch_tokens` must not come from a text, and FTS5 ends a word at a zero.
    *text->out++ = (unsigned char)c <= 4 ? ' ' : c;
}

/// Writes what is read up to a place.
static inline void copy(struct text *text, const char *stop) {
    while (text->at < stop) put(text, *text->at++);
}

/// Takes a character reference. Returns 0 where there is none.
int plain_reference(struct text *text);

/// Takes a comment or the like that ends before `end`. Returns 0 where there is none.
int plain_declaration(struct text *text, const char *end);

/// Whether a name of an element stands at a place, in letters of either case.
int plain_begins(const char *at, const char *end, const char *word);

/// Whether the element with the name at a place is one whose tags do not divide words.
int plain_is_inline(const char *name, const char *end);

/// Where an element ends that has no others, behind its closing tag; the end of the text where it is not closed.
const char *plain_element_end(const char *at, const char *end, const char *closing);

/// Takes a text of Markdown.
void plain_markdown(struct text *text);
