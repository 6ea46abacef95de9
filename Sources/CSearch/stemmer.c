#include "stemmer.h"

#include "platform_library.h"

#include <pthread.h>

static const char *const names[] = {"sb_stemmer_new", "sb_stemmer_delete", "sb_stemmer_stem", "sb_stemmer_length"};
static struct {
    __typeof__(sb_stemmer_new) *new;
    __typeof__(sb_stemmer_delete) *delete;
    __typeof__(sb_stemmer_stem) *stem;
    __typeof__(sb_stemmer_length) *length;
} functions;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    size_t count = sizeof names / sizeof *names;
#ifdef __APPLE__
    platform_require_functions("libstemmer.dylib", "libstemmer0d", names, count, &functions);
#else
    char problem[512];
    // Debian's name for the library, and that of other systems.
    if (platform_load_functions("libstemmer.so.0d", names, count, &functions, problem, sizeof problem) == 0) { return; }
    platform_require_functions("libstemmer.so.0", "libstemmer0d", names, count, &functions);
#endif
}

struct sb_stemmer *stemmer_new(const char *language) {
    pthread_once(&once, load);
    return functions.new(language, "UTF_8");
}

void stemmer_delete(struct sb_stemmer *stemmer) {
    if (stemmer) functions.delete(stemmer);
}

const sb_symbol *stemmer_stem(struct sb_stemmer *stemmer, const sb_symbol *word, int count) {
    return functions.stem(stemmer, word, count);
}

int stemmer_length(struct sb_stemmer *stemmer) { return functions.length(stemmer); }
