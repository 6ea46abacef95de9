#include "plain.h"

#include <stdint.h>
#include <string.h>

// Extracts the words of Markdown in a single pass. It follows the rules of CommonMark that decide what is text and what
// is markup. Simplified rules treat more as text, never less. Source: <https://spec.commonmark.org/0.31.2/>.

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int is_blank(char c) { return c == ' ' || c == '\t'; }

static int is_quoting(char c) { return is_blank(c) || c == '>'; }

static int is_mark(char c) { return c > ' ' && c < 0x7F && !is_alphanumeric(c); }

static const char *skip(const char *at, const char *end, int (*is_skipped)(char)) {
    while (at < end && is_skipped(*at)) at++;
    return at;
}

/// Returns the number of times that the byte at a position is repeated.
static int repeated(const char *at, const char *end) {
    const char *start = at;
    while (at < end && *at == *start) at++;
    return (int)(at - start);
}

/// Returns the end of the line, after its line feed.
static const char *line_end(const char *at, const char *end) {
    const char *found = memchr(at, '\n', (size_t)(end - at));
    return found ? found + 1 : end;
}

/// Whether the rest of the line is blank.
static int ends_line(const char *at, const char *end) {
    at = skip(at, end, is_blank);
    return at >= end || *at == '\n' || *at == '\r';
}

/// Returns the end of a tag in the grammar of CommonMark; NULL if this is not a tag. Outside quotation marks a tag
/// cannot contain `<`, so at most three unfinished tags extend over any byte: one outside quotation marks, and two in
/// quotation marks of either kind. That limits the running time.
static const char *strict_tag_end(const char *at, const char *end) {
    int is_closing = end - at > 1 && at[1] == '/';
    at += 1 + is_closing;
    if (at >= end || !is_letter(*at)) return 0;
    while (at < end && (is_letter(*at) || is_digit(*at) || *at == '-')) at++;
    const char *next = skip(at, end, is_space);
    while (!is_closing && next > at && next < end && (is_letter(*next) || *next == '_' || *next == ':')) {
        at = next;
        while (at < end && (is_letter(*at) || is_digit(*at) || (*at && strchr("_:.-", *at)))) at++;
        next = skip(at, end, is_space);
        if (next >= end || *next != '=') continue;
        at = skip(next + 1, end, is_space);
        if (at < end && (*at == '"' || *at == '\'')) {
            at = memchr(at + 1, *at, (size_t)(end - at - 1));
            if (!at) return 0;
            at++;
        } else {
            const char *value = at;
            while (at < end && !is_space(*at) && !(*at && strchr("\"'=<>`", *at))) at++;
            if (at == value) return 0;
        }
        next = skip(at, end, is_space);
    }
    if (!is_closing && next < end && *next == '/') next++;
    return next < end && *next == '>' ? next + 1 : 0;
}

/// Returns the position after the `)` in `(address "title")` of a link; NULL if this is not a link.
static const char *address_end(const char *at, const char *end) {
    at = skip(at + 1, end, is_space);
    if (at < end && *at == '<') {
        for (at++; at < end && *at != '>'; at++) {
            if (*at == '\\' && at + 1 < end && is_mark(at[1])) at++;
            else if (*at == '<' || *at == '\n') return 0;
        }
        if (at++ >= end) return 0;
    } else {
        int depth = 0;
        for (; at < end && (unsigned char)*at > ' ' && *at != 0x7F; at++) {
            if (*at == '\\' && at + 1 < end && is_mark(at[1])) at++;
            // md4c has the same limit. It ensures that few addresses extend over any byte.
            else if (*at == '(' && ++depth > 32) return 0;
            else if (*at == ')' && depth-- == 0) break;
        }
        if (depth > 0) return 0;
    }
    const char *next = skip(at, end, is_space);
    if (next > at && next < end && (*next == '"' || *next == '\'' || *next == '(')) {
        char sign = *next == '(' ? ')' : *next;
        for (at = next + 1; at < end && *at != sign; at++) {
            if (*at == '\\' && at + 1 < end) at++;
            else if (*at == '(' && sign == ')') return 0;
        }
        if (at >= end) return 0;
        next = skip(at + 1, end, is_space);
    }
    return next < end && *next == ')' ? next + 1 : 0;
}

/// Returns the position after the `>` of `<scheme:address>`; NULL if this is not an address.
static const char *autolink_end(const char *at, const char *end) {
    const char *scheme = ++at;
    while (at < end && (is_letter(*at) || (at > scheme && (is_digit(*at) || (*at && strchr("+.-", *at)))))) at++;
    if (at - scheme < 2 || at - scheme > 32 || at >= end || *at != ':') return 0;
    while (at < end && (unsigned char)*at > ' ' && *at != '<' && *at != '>') at++;
    return at < end && *at == '>' ? at + 1 : 0;
}

/// Signs whose meaning is not yet known are first written. If they turn out to be markup, they are overwritten with
/// zeros, and `plain_markdown` removes the zeros at the end.
enum { hole = 0 };

/// A run of `*`, `_`, or `~` that may begin emphasis.
struct run {
    char *out;
    int length, rest;
    char sign;
    int closes;
};

struct bracket {
    char *out;
    int is_image, is_dead;
};

// The maximum number of runs and brackets that are remembered. Older ones count as text.
enum { remembered = 32, longest_span = 32 };

/// A range of text, such as a paragraph. Emphasis, links, and code spans that begin in it also end in it.
struct stretch {
    const char *start, *end;
    struct run runs[remembered];
    int run_count;
    struct bracket brackets[remembered];
    int bracket_count;
    // The position of the last run of backticks of each length, valid after all were found.
    const char *spans[longest_span + 1];
    int has_spans;
};

/// Makes room for one more element in a list: if the list is full, the oldest element is removed.
static int room(void *list, size_t size, int *count) {
    if (*count == remembered) memmove(list, (char *)list + size, size * (size_t)--*count);
    return (*count)++;
}

/// Reads a run of emphasis signs by the rules of CommonMark, section 6.2.
static void take_run(struct text *text, struct stretch *stretch) {
    char sign = *text->at;
    int length = repeated(text->at, stretch->end);
    char before = text->at > stretch->start ? text->at[-1] : ' ';
    char after = text->at + length < stretch->end ? text->at[length] : ' ';
    int is_left = !is_space(after) && (is_alphanumeric(after) || !is_alphanumeric(before));
    int is_right = !is_space(before) && (is_alphanumeric(before) || !is_alphanumeric(after));
    int opens = is_left && (sign != '_' || !is_right || !is_alphanumeric(before)) && (sign != '~' || length <= 2);
    int closes = is_right && (sign != '_' || !is_left || !is_alphanumeric(after));
    struct run run = {text->out, length, length, sign, closes};
    copy(text, text->at + length);
    int index = closes ? stretch->run_count : 0;
    while (index > 0 && run.rest > 0) {
        struct run *opener = &stretch->runs[index - 1];
        int is_other = sign == '~' ? opener->length != length
                                   : (opener->closes || opens) && (opener->length + length) % 3 == 0 && length % 3 != 0;
        if (opener->sign != sign || is_other) {
            index--;
            continue;
        }
        int used = opener->rest >= 2 && run.rest >= 2 ? 2 : 1;
        opener->rest -= used;
        run.rest -= used;
        memset(opener->out + opener->rest, hole, (size_t)used);
        memset(run.out, hole, (size_t)used);
        run.out += used;
        if (opener->rest == 0) index--;
        stretch->run_count = index;
    }
    if (opens && run.rest > 0) stretch->runs[room(stretch->runs, sizeof run, &stretch->run_count)] = run;
}

static void take_opening_bracket(struct text *text, struct stretch *stretch) {
    struct bracket bracket = {text->out, *text->at == '!', 0};
    copy(text, text->at + 1 + bracket.is_image);
    stretch->brackets[room(stretch->brackets, sizeof bracket, &stretch->bracket_count)] = bracket;
}

static void take_closing_bracket(struct text *text, struct stretch *stretch) {
    put(text, *text->at++);
    if (stretch->bracket_count == 0) return;
    struct bracket bracket = stretch->brackets[--stretch->bracket_count];
    if (bracket.is_dead || text->at >= stretch->end || *text->at != '(') return;
    const char *stop = address_end(text->at, stretch->end);
    if (!stop) return;
    text->at = stop;
    // The text of an image is not part of the words next to it, so separate them with spaces.
    memset(bracket.out, bracket.is_image ? ' ' : hole, (size_t)(1 + bracket.is_image));
    text->out[-1] = bracket.is_image ? ' ' : hole;
    // Emphasis that begins in a link also ends there, and a link cannot contain another link.
    while (stretch->run_count > 0 && stretch->runs[stretch->run_count - 1].out > bracket.out) stretch->run_count--;
    for (int i = 0; i < stretch->bracket_count && !bracket.is_image; i++) {
        if (!stretch->brackets[i].is_image) stretch->brackets[i].is_dead = 1;
    }
}

/// Reads a code span: backticks, the text after them, and as many closing backticks.
static void take_span(struct text *text, struct stretch *stretch) {
    int marks = repeated(text->at, stretch->end);
    const char *start = text->at + marks, *at = start, *stop = 0;
    int is_known = stretch->has_spans && (marks > longest_span || stretch->spans[marks] < start);
    while (at < stretch->end && !stop && !is_known && marks <= longest_span) {
        at = memchr(at, '`', (size_t)(stretch->end - at));
        if (!at) break;
        int found = repeated(at, stretch->end);
        if (found == marks) stop = at;
        if (found <= longest_span) stretch->spans[found] = at;
        at += found;
    }
    if (!stop && marks <= longest_span) stretch->has_spans = 1;
    if (!stop) return copy(text, start);
    text->at = start;
    copy(text, stop);
    text->at = stop + marks;
}

/// Reads a tag, a comment, or an address between `<` and `>`. Returns 0 if this is none of them.
static int take_angle(struct text *text, const char *end) {
    const char *next = text->at + 1;
    if (next < end && (*next == '!' || *next == '?')) return plain_declaration(text, end);
    const char *stop = autolink_end(text->at, end);
    if (stop) {
        text->at = next;
        copy(text, stop - 1);
        text->at = stop;
        return 1;
    }
    stop = strict_tag_end(text->at, end);
    if (!stop) return 0;
    if (!plain_is_inline(next + (*next == '/'), end)) put(text, ' ');
    text->at = stop;
    return 1;
}

/// The bytes that may be markup in a paragraph, and those that `put` replaces.
static const unsigned char is_special[256] = {
    [0 ... 4] = 1, ['\n'] = 1, ['<'] = 1, ['&'] = 1, ['*'] = 1, ['_'] = 1, ['~'] = 1,
    ['`'] = 1,     ['['] = 1,  [']'] = 1, ['!'] = 1, ['\\'] = 1,
};

/// Reads the text up to a position, of a paragraph or of HTML.
static void take_stretch(struct text *text, const char *end, int is_html) {
    struct stretch stretch;
    stretch.start = text->at;
    stretch.end = end;
    stretch.run_count = stretch.bracket_count = stretch.has_spans = 0;
    memset(stretch.spans, 0, sizeof stretch.spans);
    while (text->at < end) {
        const char *next = text->at;
        while (next < end && !is_special[(unsigned char)*next]) next++;
        size_t count = (size_t)(next - text->at);
        memcpy(text->out, text->at, count);
        text->out += count;
        text->at = next;
        if (next == end) break;
        char c = *next++;
        if (c == '<' && take_angle(text, end)) continue;
        if (c == '&' && plain_reference(text)) continue;
        if (c == '\n') {
            put(text, c);
            // Skip the quote signs at the start of the next line.
            text->at = skip(next, end, is_quoting);
        } else if (is_html) {
            put(text, c);
            text->at++;
        } else if (c == '*' || c == '_' || c == '~') {
            take_run(text, &stretch);
        } else if (c == '`') {
            take_span(text, &stretch);
        } else if (c == '[' || (c == '!' && next < end && *next == '[')) {
            take_opening_bracket(text, &stretch);
        } else if (c == ']') {
            take_closing_bracket(text, &stretch);
        } else {
            if (c == '\\' && next < end && is_mark(*next)) text->at++;
            put(text, *text->at++);
        }
    }
}

// MARK: Lines of Markdown

/// The position at which the content of a line begins, after the signs of its quotes and lists.
struct line {
    const char *at;
    // The indentation there, in columns.
    int indent;
    // The column at which the content of the innermost quote or list begins.
    int base;
    int is_item;
};

/// Whether a line is a thematic break, such as `* * *`.
static int is_rule(const char *at, const char *end) {
    int count = 0;
    for (char sign = *at; at < end && *at != '\n' && *at != '\r'; at++) {
        if (*at == sign && (sign == '*' || sign == '-' || sign == '_')) count++;
        else if (!is_blank(*at)) return 0;
    }
    return count >= 3;
}

/// Returns the position after the sign of a list item; `at` if this is not a list item.
static const char *item_end(const char *at, const char *end) {
    const char *after = at;
    while (after < end && after - at < 9 && is_digit(*after)) after++;
    const char *signs = after == at ? "*+-" : ".)";
    if (after >= end || !*after || !strchr(signs, *after)) return at;
    after++;
    return after >= end || is_space(*after) ? after : at;
}

static int columns(const char *at, const char *end, int column) {
    int start = column;
    for (; at < end && is_blank(*at); at++) column += *at == '\t' ? 4 - column % 4 : 1;
    return column - start;
}

// The number of columns in which quotes and lists are recognized. Each column takes one bit of `margins`.
enum { last_column = 48 };

/// Reads the beginning of a line. `margins` has a bit for each column at which the content of an open quote or list
/// item begins. The function clears the bits of those that do not contain this line, and sets the bits of those that
/// begin here. The sign of a quote counts as two columns of white space.
static struct line line_at(const char *at, const char *end, uint64_t *margins) {
    struct line line = {at, 0, 0, 0};
    int column = 0;
    while (1) {
        column += columns(at, end, column);
        at = skip(at, end, is_blank);
        line.at = at;
        if (ends_line(at, end)) return line;
        int bounded = column < last_column ? column : last_column;
        uint64_t around = *margins & ((2ull << bounded) - 1);
        if (*at != '>') *margins = around;
        line.base = around ? 63 - __builtin_clzll(around) : 0;
        line.indent = column - line.base;
        if (line.indent >= 4 || column >= last_column || is_rule(at, end)) return line;
        const char *after = item_end(at, end);
        if (*at == '>') {
            at += 1 + (end - at > 1 && at[1] == ' ');
            column += 2;
            *margins |= 1ull << column;
        } else if (after > at) {
            column += (int)(after - at);
            int width = columns(after, end, column);
            // Text that is indented further is code in the item.
            *margins |= 1ull << (column + (width > 4 || ends_line(after, end) ? 1 : width));
            line.is_item = 1;
            at = after;
        } else {
            return line;
        }
    }
}

/// HTML elements whose content is plain text. The content of the first two is invisible.
static const char *const raw_elements[][2] = {
    {"script", "</script"}, {"style", "</style"}, {"pre", "</pre"}, {"textarea", "</textarea"}};

enum block { paragraph, heading, fence, html };

/// Returns the kind of block that begins at the start of a line. It ends a paragraph before it.
static enum block block_at(const char *at, const char *end) {
    int marks = repeated(at, end);
    const char *after = at + marks;
    if (*at == '#') return marks <= 6 && (after >= end || is_space(*after)) ? heading : paragraph;
    if (*at == '~') return marks >= 3 ? fence : paragraph;
    if (*at == '`')
        return marks >= 3 && !memchr(after, '`', (size_t)(line_end(after, end) - after)) ? fence : paragraph;
    if (*at != '<' || after >= end) return paragraph;
    if (*after == '!' || *after == '?') return html;
    after += *after == '/';
    return after < end && is_letter(*after) && !plain_is_inline(after, end) ? html : paragraph;
}

static const char *paragraph_end(const char *at, const char *end, uint64_t margins) {
    while (1) {
        at = line_end(at, end);
        uint64_t inner = margins;
        struct line line = line_at(at, end, &inner);
        if (ends_line(line.at, end) || line.is_item) return at;
        if (line.indent < 4 && (is_rule(line.at, end) || block_at(line.at, end) != paragraph)) return at;
    }
}

/// Copies fenced code up to a line that consists of as many signs, or to the end of the enclosing quote or list.
static void take_fence(struct text *text, int base) {
    char sign = *text->at;
    int count = repeated(text->at, text->end);
    text->at += count;
    copy(text, line_end(text->at, text->end));
    while (text->at < text->end) {
        const char *at = text->at, *stop = line_end(at, text->end);
        int column = 0;
        for (; at < stop && column < base && is_quoting(*at); at++) {
            column += *at == '\t' ? 4 - column % 4 : *at == '>' ? 2 : 1;
            if (*at == '>' && stop - at > 1 && at[1] == ' ') at++;
        }
        if (column < base && !ends_line(at, stop)) return;
        const char *marks = skip(at, stop, is_blank);
        int found = marks < stop && *marks == sign ? repeated(marks, stop) : 0;
        text->at = at;
        if (found >= count && columns(at, stop, 0) < 4 && ends_line(marks + found, stop)) {
            text->at = stop;
            return;
        }
        copy(text, stop);
    }
}

/// Returns the index of the element at a position whose content is plain text; 4 for any other element.
static int raw_element(const char *at, const char *end) {
    int index = 0;
    for (; index < 4 && at < end; index++) {
        size_t count = 1 + strlen(raw_elements[index][0]);
        if ((size_t)(end - at) < count || *at != '<' || !plain_begins(at + 1, end, raw_elements[index][0])) continue;
        const char *after = at + count;
        if (after == end || *after == '>' || is_space(*after)) return index;
    }
    return 4;
}

/// Reads an element whose content is plain text, with the rest of the line after its closing tag.
static void take_raw_element(struct text *text, int element) {
    const char *end = plain_element_end(text->at, text->end, raw_elements[element][1]);
    // The content of scripts and styles is invisible.
    if (element < 2) text->at = end;
    take_stretch(text, line_end(end, text->end), 1);
}

/// Reads lines of HTML. They end after the raw element or the declaration that they begin with, otherwise before an
/// empty line.
static void take_html_lines(struct text *text) {
    int element = raw_element(text->at, text->end);
    if (element < 4) return take_raw_element(text, element);
    if (plain_declaration(text, text->end)) return take_stretch(text, line_end(text->at, text->end), 1);
    while (1) {
        const char *end = text->at, *next;
        do {
            end = line_end(end, text->end);
            next = skip(end, text->end, is_quoting);
            element = raw_element(next, text->end);
        } while (!ends_line(next, text->end) && element == 4);
        take_stretch(text, end, 1);
        if (element == 4) return;
        text->at = next;
        take_raw_element(text, element);
        if (ends_line(skip(text->at, text->end, is_quoting), text->end)) return;
    }
}

void plain_markdown(struct text *text) {
    char *start = text->out;
    uint64_t margins = 0;
    while (text->at < text->end) {
        struct line line = line_at(text->at, text->end, &margins);
        // The numbers of a list count as words.
        for (; text->at < line.at; text->at++) {
            if (!strchr(">*+-", *text->at)) put(text, *text->at);
        }
        if (line.indent >= 4 || ends_line(line.at, text->end) || is_rule(line.at, text->end)) {
            copy(text, line_end(text->at, text->end));
            continue;
        }
        switch (block_at(text->at, text->end)) {
        case fence: take_fence(text, line.base); break;
        case html: take_html_lines(text); break;
        case heading:
            text->at += repeated(text->at, text->end);
            take_stretch(text, line_end(text->at, text->end), 0);
            break;
        case paragraph: take_stretch(text, paragraph_end(text->at, text->end, margins), 0); break;
        }
    }
    char *out = memchr(start, hole, (size_t)(text->out - start));
    if (!out) return;
    for (const char *at = out; at < text->out; at++) {
        if (*at != hole) *out++ = *at;
    }
    text->out = out;
}
