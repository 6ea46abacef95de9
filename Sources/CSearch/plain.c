// For memmem.
#define _GNU_SOURCE
#include "csearch.h"
#include "entities.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/// A text that is read, and what was written of it so far. What is written is never longer than what was read.
struct text {
    const char *at;
    const char *end;
    char *out;
    const char *start;
    // How many bytes may yet be looked at for an end that is not there. A text that begins a thing at every byte and ends none
    // would take the square of its length; past this its signs are text.
    size_t patience;
};

/// Counts a look from where the text is up to `stop` that found no end.
static void lose_patience(struct text *text, const char *stop) {
    size_t seen = (size_t)(stop - text->at);
    text->patience = text->patience > seen ? text->patience - seen : 0;
}

static int is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

static int is_alphanumeric(char c) { return is_letter(c) || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80; }

static void put(struct text *text, char c) {
    // Nothing that a writer has in a text passes for a label (csearch_tokens), and FTS5 takes a zero in a word for its end.
    *text->out++ = c == 0 || c == 2 || c == 3 ? ' ' : c;
}

static int compare_entities(const void *key, const void *entity) {
    return strcmp(key, ((const struct entity *)entity)->name);
}

/// Takes a character reference. Returns 0 where there is none.
static int take_reference(struct text *text) {
    char name[12];
    int length = 0;
    const char *at = text->at + 1;
    while (at < text->end && length < 11 && (is_letter(*at) || (*at >= '0' && *at <= '9') || (*at == '#' && length == 0)))
        name[length++] = *at++;
    if (length < 2 || at >= text->end || *at != ';') return 0;
    name[length] = 0;
    unsigned long scalar = 0;
    if (name[0] == '#') {
        int is_hex = (name[1] | 0x20) == 'x';
        char *stop = 0;
        scalar = strtoul(name + 1 + is_hex, &stop, is_hex ? 16 : 10);
        if (!stop || *stop) return 0;
    } else {
        const struct entity *found =
            bsearch(name, entities, sizeof entities / sizeof *entities, sizeof *entities, compare_entities);
        if (!found && strcmp(name, "apos") != 0) return 0;
        scalar = found ? found->scalar : '\'';
    }
    if (scalar < 0x20 || scalar > 0x10FFFF || (scalar >= 0xD800 && scalar < 0xE000) || scalar == 0xA0) scalar = ' ';
    // A reference is at least as long as the UTF-8 of what it means.
    utf8proc_uint8_t bytes[4];
    int count = (int)utf8proc_encode_char((utf8proc_int32_t)scalar, bytes);
    if (count > at + 1 - text->at) return 0;
    memcpy(text->out, bytes, (size_t)count);
    text->out += count;
    text->at = at + 1;
    return 1;
}

static int begins(const char *at, const char *end, const char *word) {
    for (; *word; word++, at++) {
        if (at >= end || (*at | 0x20) != *word) return 0;
    }
    return at >= end || !is_alphanumeric(*at);
}

/// Elements whose tags do not divide words.
static int is_inline(const char *name, const char *end) {
    static const char *const names[] = {"a", "abbr", "b", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "q", "s",
                                        "small", "span", "strong", "sub", "sup", "u", "var", "wbr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (begins(name, end, names[i])) return 1;
    }
    return 0;
}

/// Where a tag ends, behind its `>`; NULL where it does not. Quoted values may have a `>` in them.
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

static const char *find(const char *at, const char *end, const char *what) {
    size_t count = strlen(what);
    const char *found = memmem(at, (size_t)(end - at), what, count);
    return found ? found + count : 0;
}

/// Takes a tag or a comment, and with the tag of a script or a style what it holds. Returns 0 where there is none.
static int take_tag(struct text *text) {
    if (text->patience == 0) return 0;
    const char *name = text->at + 1;
    if (name < text->end && *name == '!') {
        int is_comment = text->end - name >= 3 && name[1] == '-' && name[2] == '-';
        const char *stop = is_comment ? find(name + 3, text->end, "-->") : find(name, text->end, ">");
        if (!stop) {
            lose_patience(text, text->end);
            return 0;
        }
        text->at = stop;
        put(text, ' ');
        return 1;
    }
    int is_closing = name < text->end && *name == '/';
    name += is_closing;
    if (name >= text->end || !is_letter(*name)) return 0;
    const char *stop = tag_end(name, text->end);
    if (!stop) {
        lose_patience(text, text->end);
        return 0;
    }
    if (!is_inline(name, text->end)) put(text, ' ');
    static const char *const silent[][2] = {{"script", "</script"}, {"style", "</style"}};
    for (int i = 0; i < 2 && !is_closing; i++) {
        if (!begins(name, text->end, silent[i][0])) continue;
        const char *at = stop;
        while (at < text->end && !(*at == '<' && begins(at, text->end, silent[i][1]))) at++;
        const char *closing = at < text->end ? tag_end(at, text->end) : 0;
        stop = closing ? closing : text->end;
    }
    text->at = stop;
    return 1;
}

static void take_html(struct text *text) {
    while (text->at < text->end) {
        if (*text->at == '<' && take_tag(text)) continue;
        if (*text->at == '&' && take_reference(text)) continue;
        put(text, *text->at++);
    }
}

/// How often the byte at a place is repeated there.
static int repeated(const char *at, const char *end) {
    const char *start = at;
    while (at < end && *at == *start) at++;
    return (int)(at - start);
}

/// Where the line ends, before its line feed.
static const char *line_end(const char *at, const char *end) {
    const char *found = memchr(at, '\n', (size_t)(end - at));
    return found ? found : end;
}

// How many bytes the address of a link has at most, with its parentheses.
enum { longest_address = 4096 };

/// Behind the `)` of the address of a link that begins with `](` at a place; NULL where there is none.
static const char *address_end(const char *at, const char *end) {
    int depth = 0;
    for (; at < end; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
        } else if (*at == '(') {
            depth++;
        } else if (*at == ')' && --depth == 0) {
            return at + 1;
        } else if (*at == '\n' && at + 1 < end && at[1] == '\n') {
            return 0;
        }
    }
    return 0;
}

static void copy(struct text *text, const char *stop) {
    while (text->at < stop) put(text, *text->at++);
}

/// Takes the signs at the beginning of a line that say what it is. Returns the fence that it opens or closes, else 0.
static int take_line_start(struct text *text) {
    const char *at = text->at;
    while (at < text->end && (*at == ' ' || *at == '>')) at++;
    int marks = at < text->end ? repeated(at, text->end) : 0;
    int fence = 0;
    if (marks >= 3 && (*at == '`' || *at == '~')) {
        fence = *at == '`' ? marks : -marks;
        at += marks;
    } else if (marks > 0 && marks <= 6 && *at == '#' && at + marks < text->end && at[marks] == ' ') {
        at += marks;
    } else if (marks == 1 && (*at == '*' || *at == '+') && at + 1 < text->end && at[1] == ' ') {
        at += 1;
    }
    text->at = at;
    return fence;
}

static void take_markdown(struct text *text) {
    int fence = 0;
    int is_start = 1;
    while (text->at < text->end) {
        char c = *text->at;
        if (is_start) {
            is_start = 0;
            const char *line = text->at;
            int opened = take_line_start(text);
            if (fence == 0 && opened != 0) {
                fence = opened;
                continue;
            }
            if (fence != 0) {
                // The same sign, at least as often, ends it.
                if (opened != 0 && (opened > 0) == (fence > 0) && abs(opened) >= abs(fence)) {
                    fence = 0;
                } else {
                    text->at = line;
                    copy(text, line_end(line, text->end));
                }
            }
            continue;
        }
        const char *next = text->at + 1;
        switch (c) {
        case '\n':
            is_start = 1;
            break;
        case '`': {
            int marks = repeated(text->at, text->end);
            const char *start = text->at + marks, *at = start, *stop = 0;
            // A span ends with its paragraph at the latest.
            while (text->patience > 0 && at < text->end && !stop && !(at[0] == '\n' && at + 1 < text->end && at[1] == '\n')) {
                int found = *at == '`' ? repeated(at, text->end) : 0;
                if (found == marks) stop = at;
                at += found > 0 ? found : 1;
            }
            text->at = start;
            if (stop) {
                copy(text, stop);
                text->at = stop + marks;
            } else {
                lose_patience(text, at);
            }
            continue;
        }
        case '*':
            text->at++;
            continue;
        case '_':
            // In the middle of a name it is a part of it.
            if (next < text->end && is_alphanumeric(*next) && text->out > text->start && is_alphanumeric(text->out[-1]))
                break;
            text->at++;
            continue;
        case '\\':
            if (next < text->end && *next > ' ' && *next < 0x7F && !is_alphanumeric(*next)) {
                put(text, *next);
                text->at += 2;
                continue;
            }
            break;
        case ']': {
            if (next >= text->end || *next != '(' || text->patience == 0) break;
            const char *limit = text->end - next > longest_address ? next + longest_address : text->end;
            const char *stop = address_end(next, limit);
            if (stop) {
                text->at = stop;
                continue;
            }
            lose_patience(text, limit);
            break;
        }
        case '!':
            if (next < text->end && *next == '[') {
                text->at += 2;
                continue;
            }
            break;
        case '[':
            text->at++;
            continue;
        case '<':
            if (take_tag(text)) continue;
            break;
        case '&':
            if (take_reference(text)) continue;
            break;
        default: break;
        }
        put(text, c);
        text->at++;
    }
}

size_t csearch_plain(int format, const char *bytes, size_t count, char *out) {
    struct text text = {bytes, bytes + count, out, out, 16 * count + 65536};
    switch (format) {
    case csearch_markdown: take_markdown(&text); break;
    case csearch_html: take_html(&text); break;
    default: copy(&text, text.end); break;
    }
    return (size_t)(text.out - out);
}
