#include "CPostgreSQL.h"

#include "platform_library.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __APPLE__
static const char library[] = "libpq.5.dylib";
#else
static const char library[] = "libpq.so.5";
#endif

#define LIBPQ_NAME(name) #name,
static const char *const names[] = {LIBPQ_FUNCTIONS(LIBPQ_NAME)};
#undef LIBPQ_NAME

static struct libpq functions;
static bool is_loaded;
static char problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    // Versions before 14 do not have the pipeline functions, so a missing function is an expected failure.
    size_t count = sizeof names / sizeof *names;
    is_loaded = platform_load_functions(library, names, count, &functions, problem, sizeof problem) == 0;
}

const struct libpq *libpq_load(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

const char *libpq_load_error(void) { return is_loaded || problem[0] == '\0' ? NULL : problem; }

static void discard(void *argument, const PGresult *notice) {
    (void)argument;
    (void)notice;
}

void libpq_discard_notices(const struct libpq *libpq, PGconn *connection) {
    libpq->PQsetNoticeReceiver(connection, discard, NULL);
}
