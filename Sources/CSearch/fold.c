#include "fold.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static const utf8proc_option_t form = (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE |
                                                          UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);

/// Returns a Latin letter without its accents.
static utf8proc_int32_t base_of(utf8proc_int32_t c) {
    utf8proc_int32_t parts[8];
    int last = 0;
    utf8proc_ssize_t count = utf8proc_decompose_char(c, parts, 8, UTF8PROC_DECOMPOSE, &last);
    return count > 0 ? parts[0] : c;
}

/// Writes the base letters of a case-folded scalar. They are never longer than the scalar.
static char *put(utf8proc_int32_t c, char *out) {
    const char *letters = 0;
    switch (c) {
    case 0xE6: letters = "ae"; break;
    case 0x153: letters = "oe"; break;
    case 0xFE: letters = "th"; break;
    case 0xF8: letters = "o"; break;
    case 0x142: letters = "l"; break;
    case 0x111: case 0xF0: letters = "d"; break;
    case 0x131: letters = "i"; break;
    default: break;
    }
    if (letters) {
        size_t count = strlen(letters);
        memcpy(out, letters, count);
        return out + count;
    }
    if ((c >= 0xC0 && c <= 0x24F) || (c >= 0x1E00 && c <= 0x1EFF)) c = base_of(c);
    return out + utf8proc_encode_char(c, (utf8proc_uint8_t *)out);
}

int fold_case(struct fold *fold, const char *text, size_t count) {
    utf8proc_uint8_t *mapped = 0;
    utf8proc_ssize_t length = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)count, &mapped, form);
    if (length < 0) return -1;
    // Drop accents (U+0300 to U+036F) that no letter has taken in, as in a folded Turkish İ.
    utf8proc_uint8_t *out = mapped;
    for (utf8proc_ssize_t at = 0; at < length;) {
        int is_accent = length - at > 1 && (mapped[at] == 0xCC || (mapped[at] == 0xCD && mapped[at + 1] < 0xB0));
        if (is_accent) at += 2;
        else *out++ = mapped[at++];
    }
    fold->bytes = (char *)mapped;
    fold->count = (size_t)(out - mapped);
    return 0;
}

size_t fold_accents(char *bytes, size_t count) {
    char *out = bytes;
    for (size_t at = 0; at < count;) {
        if ((unsigned char)bytes[at] < 0x80) {
            *out++ = bytes[at++];
            continue;
        }
        utf8proc_int32_t c;
        utf8proc_ssize_t read = utf8proc_iterate((const utf8proc_uint8_t *)bytes + at, (utf8proc_ssize_t)(count - at), &c);
        if (read <= 0) break;
        out = put(c, out);
        at += (size_t)read;
    }
    return (size_t)(out - bytes);
}

int fold_text(struct fold *fold, const char *text, size_t count) {
    if (fold_case(fold, text, count) != 0) return -1;
    fold->count = fold_accents(fold->bytes, fold->count);
    return 0;
}

void fold_free(struct fold *fold) {
    free(fold->bytes);
    fold->bytes = 0;
}
