#include "CCurl.h"

#include "platform_library.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// The types of these functions are hidden by macros that check arguments.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#ifdef __APPLE__
static const char library[] = "libcurl.4.dylib";
#else
static const char library[] = "libcurl.so.4";
#endif

#define CURL_NAME(name) #name,
static const char *const names[] = {CURL_FUNCTIONS(CURL_NAME)};
#undef CURL_NAME

static struct libcurl functions;
static bool is_loaded;
static char problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    size_t count = sizeof names / sizeof *names;
    if (platform_load_functions(library, names, count, &functions, problem, sizeof problem) != 0) { return; }
    CURLcode result = functions.curl_global_init(CURL_GLOBAL_ALL);
    if (result != CURLE_OK) {
        snprintf(problem, sizeof problem, "%s", functions.curl_easy_strerror(result));
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
