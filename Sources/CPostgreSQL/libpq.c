#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

static struct libpq functions;
static bool is_loaded;
static char problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fail(const char *message) {
    snprintf(problem, sizeof problem, "%s", message != NULL ? message : "unknown error");
}

static void load(void) {
#ifdef __APPLE__
    void *library = dlopen("libpq.5.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
#endif
    if (library == NULL) {
        fail(dlerror());
        return;
    }
    // Versions before 14 do not have the pipeline functions, so a missing function is an expected failure.
#define LIBPQ_LOAD(name)                                                                                              \
    functions.name = (__typeof__(functions.name))dlsym(library, #name);                                              \
    if (functions.name == NULL) {                                                                                     \
        fail(dlerror());                                                                                              \
        return;                                                                                                       \
    }
    LIBPQ_FUNCTIONS(LIBPQ_LOAD)
#undef LIBPQ_LOAD
    is_loaded = true;
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
