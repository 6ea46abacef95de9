#define PCRE2_CODE_UNIT_WIDTH 8
#include "CPCRE.h"

#include "platform_library.h"

#include <pcre2.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
static const char library[] = "libpcre2-8.0.dylib";
#else
static const char library[] = "libpcre2-8.so.0";
#endif

#define PCRE_FUNCTIONS(FUNCTION) \
    FUNCTION(pcre2_code_free) \
    FUNCTION(pcre2_compile) \
    FUNCTION(pcre2_compile_context_create) \
    FUNCTION(pcre2_compile_context_free) \
    FUNCTION(pcre2_get_error_message) \
    FUNCTION(pcre2_match) \
    FUNCTION(pcre2_match_context_create) \
    FUNCTION(pcre2_match_context_free) \
    FUNCTION(pcre2_match_data_create) \
    FUNCTION(pcre2_match_data_free) \
    FUNCTION(pcre2_pattern_info) \
    FUNCTION(pcre2_set_callout) \
    FUNCTION(pcre2_set_heap_limit) \
    FUNCTION(pcre2_set_max_pattern_length) \
    FUNCTION(pcre2_set_parens_nest_limit)

#define PCRE_STRING(name) #name
#define PCRE_EXPANDED_STRING(name) PCRE_STRING(name)
// The headers define the functions as macros of names with the width of a character.
#define PCRE_NAME(name) PCRE_EXPANDED_STRING(name),
static const char *const names[] = {PCRE_FUNCTIONS(PCRE_NAME)};

static struct {
#define PCRE_MEMBER(name) __typeof__(name) *name;
    PCRE_FUNCTIONS(PCRE_MEMBER)
} functions;

static char load_problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    size_t count = sizeof names / sizeof *names;
    platform_load_functions(library, names, count, &functions, load_problem, sizeof load_problem);
}

const char *pcre_load(void) {
    pthread_once(&once, load);
    return load_problem[0] == '\0' ? NULL : load_problem;
}

struct pcre_pattern {
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *context;
    // The work of each step, apart from the bytes that it passes.
    uint64_t step;
    // The pattern, if it refers to its groups; NULL if it does not.
    char *text;
    size_t length;
    // The work that is left, and the position of the last step.
    uint64_t work;
    size_t position;
};

void pcre_free(struct pcre_pattern *pattern) {
    if (pattern == NULL) { return; }
    functions.pcre2_match_context_free(pattern->context);
    functions.pcre2_match_data_free(pattern->match);
    functions.pcre2_code_free(pattern->code);
    free(pattern->text);
    free(pattern);
}

// The longest group that a match has found, if the next step compares one with the text. It may pass as many bytes without a
// change of the position.
static size_t compared_bytes(const struct pcre_pattern *pattern, const pcre2_callout_block *block) {
    if (pattern->text == NULL || block->pattern_position >= pattern->length) { return 0; }
    const char *next = pattern->text + block->pattern_position;
    // A reference is `\1`, `\g…`, `\k…`, or `(?P=…)`.
    if (next[0] != '\\' && strncmp(next, "(?P=", 4) != 0) { return 0; }
    size_t longest = 0;
    for (uint32_t group = 1; group < block->capture_top; group++) {
        size_t start = block->offset_vector[2 * group], end = block->offset_vector[2 * group + 1];
        if (start != PCRE2_UNSET && end > start && end - start > longest) { longest = end - start; }
    }
    return longest;
}

// Called before each step of a match. PCRE2 does not limit the time, and its limit of matches does not count the bytes that a
// step passes.
static int count_work(pcre2_callout_block *block, void *data) {
    struct pcre_pattern *pattern = data;
    size_t position = block->current_position;
    size_t distance = position > pattern->position ? position - pattern->position : pattern->position - position;
    uint64_t work = pattern->step + (uint64_t)distance + (uint64_t)compared_bytes(pattern, block);
    pattern->position = position;
    if (pattern->work < work) { return PCRE2_ERROR_CALLOUT; }
    pattern->work -= work;
    return 0;
}

// Prepares the count of the work. Returns false if the memory does not suffice.
static bool prepare_count(struct pcre_pattern *pattern, const char *text, size_t length) {
    uint32_t lookbehind = 0, references = 0;
    functions.pcre2_pattern_info(pattern->code, PCRE2_INFO_MAXLOOKBEHIND, &lookbehind);
    functions.pcre2_pattern_info(pattern->code, PCRE2_INFO_BACKREFMAX, &references);
    // A step may go back in the text for each alternative before the next step is reported.
    uint64_t alternatives = 1;
    for (size_t index = 0; index < length; index++) { alternatives += text[index] == '|'; }
    pattern->step = 16 + (lookbehind > 1 ? lookbehind * alternatives : 0);
    if (references == 0) { return true; }
    pattern->length = length;
    pattern->text = calloc(length + 1, 1);
    if (pattern->text != NULL) { memcpy(pattern->text, text, length); }
    return pattern->text != NULL;
}

struct pcre_pattern *pcre_compile(
    const char *text, size_t length, char *problem, size_t size, size_t *position) {
    *position = 0;
    struct pcre_pattern *pattern = calloc(1, sizeof *pattern);
    pcre2_compile_context *context = functions.pcre2_compile_context_create(NULL);
    if (pattern == NULL || context == NULL) {
        snprintf(problem, size, "out of memory");
        functions.pcre2_compile_context_free(context);
        free(pattern);
        return NULL;
    }
    functions.pcre2_set_max_pattern_length(context, 2000);
    functions.pcre2_set_parens_nest_limit(context, 50);
    int error = 0;
    uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_CASELESS | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C
        | PCRE2_AUTO_CALLOUT;
    pattern->code = functions.pcre2_compile((PCRE2_SPTR)text, length, options, &error, position, context);
    functions.pcre2_compile_context_free(context);
    if (pattern->code == NULL) {
        if (functions.pcre2_get_error_message(error, (PCRE2_UCHAR *)problem, size) < 0) {
            snprintf(problem, size, "error %d", error);
        }
        pcre_free(pattern);
        return NULL;
    }
    pattern->match = functions.pcre2_match_data_create(1, NULL);
    pattern->context = functions.pcre2_match_context_create(NULL);
    if (pattern->match == NULL || pattern->context == NULL || !prepare_count(pattern, text, length)) {
        snprintf(problem, size, "out of memory");
        pcre_free(pattern);
        return NULL;
    }
    functions.pcre2_set_callout(pattern->context, count_work, pattern);
    // In KiB.
    functions.pcre2_set_heap_limit(pattern->context, 16384);
    return pattern;
}

enum pcre_result pcre_match(struct pcre_pattern *pattern, const char *text, size_t length, uint64_t work) {
    pattern->work = work;
    pattern->position = 0;
    int result = functions.pcre2_match(
        pattern->code, (PCRE2_SPTR)text, length, 0, PCRE2_NO_UTF_CHECK, pattern->match, pattern->context);
    if (result >= 0) { return pcre_found; }
    switch (result) {
    case PCRE2_ERROR_NOMATCH: return pcre_no_match;
    case PCRE2_ERROR_NOMEMORY: return pcre_out_of_memory;
    default: return pcre_too_much_work;
    }
}
