// For `memmem`.
#define _GNU_SOURCE
#include "csearch.h"
#include "plain.h"

#include <centities.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

int plain_reference(struct text *text) {
    char name[centities_longest + 1];
    int length = 0;
    const char *at = text->at + 1;
    while (at < text->end && length < centities_longest && (is_letter(*at) || is_digit(*at) || (*at == '#' && length == 0)))
        name[length++] = *at++;
    if (length < 2 || at >= text->end || *at != ';') return 0;
    name[length] = 0;
    uint32_t scalars[2] = {0, 0};
    int count = 1;
    size_t written = 0;
    if (name[0] == '#') {
        int is_hex = (name[1] | 0x20) == 'x';
        char *stop = 0;
        unsigned long scalar = strtoul(name + 1 + is_hex, &stop, is_hex ? 16 : 10);
        if (!stop || *stop || stop == name + 1 + is_hex) return 0;
        scalars[0] = scalar <= 0x10FFFF ? (uint32_t)scalar : ' ';
    } else {
        count = centities_find(name, (size_t)length, scalars);
        if (count == 0) return 0;
    }
    for (int i = 0; i < count; i++) {
        uint32_t scalar = scalars[i];
        if (scalar < 0x20 || (scalar >= 0xD800 && scalar < 0xE000) || scalar == 0xA0) scalar = ' ';
        utf8proc_uint8_t bytes[4];
        size_t size = (size_t)utf8proc_encode_char((utf8proc_int32_t)scalar, bytes);
        // A reference is at least as long as the UTF-8 of its characters, except for some references with two
        // characters. If the second character does not fit, omit it.
        if (i > 0 && size > (size_t)(at + 1 - text->at) - written) break;
        memcpy(text->out, bytes, size);
        text->out += size;
        written += size;
    }
    text->at = at + 1;
    return 1;
}

int plain_begins(const char *at, const char *end, const char *word) {
    for (; *word; word++, at++) {
        if (at >= end || (*at | 0x20) != *word) return 0;
    }
    return at >= end || !(is_alphanumeric(*at) || *at == '-');
}

int plain_is_inline(const char *name, const char *end) {
    static const char *const names[] = {"a", "abbr", "b", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "q", "s",
                                        "small", "span", "strong", "sub", "sup", "u", "var", "wbr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (plain_begins(name, end, names[i])) return 1;
    }
    return 0;
}

/// Returns the end of a tag, after its `>`; NULL if it is not closed. Quoted values may contain `>`.
static const char *tag_end(const char *at, const char *end) {
    char quote = 0;
    for (; at < end; at++) {
        if (quote) {
            if (*at == quote) quote = 0;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '>') {
            return at + 1;
        }
    }
    return 0;
}

const char *plain_element_end(const char *at, const char *end, const char *closing) {
    while (at < end && !(*at == '<' && plain_begins(at, end, closing))) at++;
    const char *stop = at < end ? tag_end(at, end) : 0;
    return stop ? stop : end;
}

int plain_declaration(struct text *text, const char *end) {
    static const char *const signs[][2] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
    int kind = 0;
    while (kind < 4) {
        size_t count = strlen(signs[kind][0]);
        if ((size_t)(end - text->at) > count && memcmp(text->at, signs[kind][0], count) == 0) break;
        kind++;
    }
    if (kind == 4 || (kind == 3 && !is_letter(text->at[2]))) return 0;
    const char *start = text->at + 2, *sign = signs[kind][1];
    if (!text->found[kind] || text->found[kind] < start) {
        const char *found = memmem(start, (size_t)(text->end - start), sign, strlen(sign));
        text->found[kind] = found ? found : text->end;
    }
    if (end - text->found[kind] < (ptrdiff_t)strlen(sign)) return 0;
    text->at = text->found[kind] + strlen(sign);
    put(text, ' ');
    return 1;
}

/// Reads a tag or a comment, and also the content of a script or a style. Returns 0 if this is neither.
static int take_tag(struct text *text) {
    const char *name = text->at + 1;
    if (name < text->end && (*name == '!' || *name == '?')) return plain_declaration(text, text->end);
    int is_closing = name < text->end && *name == '/';
    name += is_closing;
    if (text->patience == 0 || name >= text->end || !is_letter(*name)) return 0;
    const char *stop = tag_end(name, text->end);
    if (!stop) {
        size_t seen = (size_t)(text->end - text->at);
        text->patience = text->patience > seen ? text->patience - seen : 0;
        return 0;
    }
    if (!plain_is_inline(name, text->end)) put(text, ' ');
    if (!is_closing && plain_begins(name, text->end, "script")) stop = plain_element_end(stop, text->end, "</script");
    if (!is_closing && plain_begins(name, text->end, "style")) stop = plain_element_end(stop, text->end, "</style");
    text->at = stop;
    return 1;
}

static void take_html(struct text *text) {
    while (text->at < text->end) {
        if (*text->at == '<' && take_tag(text)) continue;
        if (*text->at == '&' && plain_reference(text)) continue;
        put(text, *text->at++);
    }
}

size_t csearch_plain(int format, const char *bytes, size_t count, char *out) {
    struct text text = {bytes, bytes + count, out, {0}, 16 * count + 65536};
    switch (format) {
    case csearch_markdown: plain_markdown(&text); break;
    case csearch_html: take_html(&text); break;
    default: copy(&text, text.end); break;
    }
    return (size_t)(text.out - out);
}
