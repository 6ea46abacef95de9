#include "CMarkdown.h"

#include "platform_library.h"

#include <pthread.h>

#ifdef __APPLE__
static const char library[] = "libmd4c.0.dylib";
#else
static const char library[] = "libmd4c.so.0";
#endif

static const char *const names[] = {"md_parse"};
static struct {
    __typeof__(md_parse) *parse;
} functions;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    platform_require_functions(library, "libmd4c0", names, sizeof names / sizeof *names, &functions);
}

int cmarkdown_parse(const MD_CHAR *text, MD_SIZE size, const MD_PARSER *parser, void *receiver) {
    pthread_once(&once, load);
    return functions.parse(text, size, parser, receiver);
}
