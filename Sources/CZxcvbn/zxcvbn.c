#include "CZxcvbn.h"

#include "platform_library.h"

#include <pthread.h>

#ifdef __APPLE__
static const char library[] = "libzxcvbn.0.dylib";
#else
static const char library[] = "libzxcvbn.so.0";
#endif

static const char *const names[] = {"ZxcvbnMatch", "ZxcvbnFreeInfo"};
static struct {
    __typeof__(ZxcvbnMatch) *match;
    __typeof__(ZxcvbnFreeInfo) *free;
} functions;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    platform_require_functions(library, "libzxcvbn0", names, sizeof names / sizeof *names, &functions);
}

double czxcvbn_match(const char *password, const char *words[], ZxcMatch_t **matches) {
    pthread_once(&once, load);
    return functions.match(password, words, matches);
}

void czxcvbn_free(ZxcMatch_t *matches) { functions.free(matches); }
