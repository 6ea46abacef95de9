#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// The types of these functions are hidden by macros that check arguments.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static struct libcurl functions;
static bool is_loaded;
static char problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fail(const char *message) {
    snprintf(problem, sizeof problem, "%s", message != NULL ? message : "unknown error");
}

static void load(void) {
#ifdef __APPLE__
    void *library = dlopen("libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
#endif
    if (library == NULL) {
        fail(dlerror());
        return;
    }
#define CURL_LOAD(name)                                                                                               \
    functions.name = (__typeof__(functions.name))dlsym(library, #name);                                              \
    if (functions.name == NULL) {                                                                                     \
        fail(dlerror());                                                                                              \
        return;                                                                                                       \
    }
    CURL_FUNCTIONS(CURL_LOAD)
#undef CURL_LOAD
    CURLcode result = functions.curl_global_init(CURL_GLOBAL_ALL);
    if (result != CURLE_OK) {
        fail(functions.curl_easy_strerror(result));
        return;
    }
    is_loaded = true;
}

const struct libcurl *libcurl_load(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

const char *libcurl_load_error(void) { return is_loaded || problem[0] == '\0' ? NULL : problem; }

CURLcode libcurl_set_long(const struct libcurl *libcurl, CURL *transfer, CURLoption option, long value) {
    return libcurl->curl_easy_setopt(transfer, option, value);
}

CURLcode libcurl_set_pointer(const struct libcurl *libcurl, CURL *transfer, CURLoption option, const void *value) {
    return libcurl->curl_easy_setopt(transfer, option, value);
}

CURLMcode libcurl_set_multi_long(const struct libcurl *libcurl, CURLM *transfers, CURLMoption option, long value) {
    return libcurl->curl_multi_setopt(transfers, option, value);
}

CURLcode libcurl_set_receiver(
    const struct libcurl *libcurl, CURL *transfer, CURLoption option, curl_write_callback receiver) {
    return libcurl->curl_easy_setopt(transfer, option, receiver);
}

CURLcode libcurl_set_opener(const struct libcurl *libcurl, CURL *transfer, curl_opensocket_callback opener) {
    return libcurl->curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, opener);
}

long libcurl_status(const struct libcurl *libcurl, CURL *transfer) {
    long status = 0;
    libcurl->curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

CURLcode libcurl_result(const CURLMsg *message) { return message->data.result; }
