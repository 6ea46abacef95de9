#pragma once

#include <curl/curl.h>

/// The names of the functions of libcurl that this package calls.
#define CURL_FUNCTIONS(FUNCTION) \
    FUNCTION(curl_easy_cleanup) \
    FUNCTION(curl_easy_getinfo) \
    FUNCTION(curl_easy_init) \
    FUNCTION(curl_easy_setopt) \
    FUNCTION(curl_easy_strerror) \
    FUNCTION(curl_free) \
    FUNCTION(curl_global_init) \
    FUNCTION(curl_multi_add_handle) \
    FUNCTION(curl_multi_cleanup) \
    FUNCTION(curl_multi_info_read) \
    FUNCTION(curl_multi_init) \
    FUNCTION(curl_multi_perform) \
    FUNCTION(curl_multi_poll) \
    FUNCTION(curl_multi_remove_handle) \
    FUNCTION(curl_multi_setopt) \
    FUNCTION(curl_multi_wakeup) \
    FUNCTION(curl_slist_append) \
    FUNCTION(curl_slist_free_all) \
    FUNCTION(curl_url) \
    FUNCTION(curl_url_cleanup) \
    FUNCTION(curl_url_get) \
    FUNCTION(curl_url_set)

/// The functions. The members have the names and the types of the functions.
struct libcurl {
#define CURL_MEMBER(name) __typeof__(name) *name;
    CURL_FUNCTIONS(CURL_MEMBER)
#undef CURL_MEMBER
};

/// Returns the functions of libcurl, or NULL if the library cannot be loaded. The first call loads it: a program that
/// never calls this function neither needs the library nor waits for it.
const struct libcurl *libcurl_load(void);

/// The reason why the library cannot be loaded, or NULL. Call it after `libcurl_load`.
const char *libcurl_load_error(void);

// Swift cannot call functions with a variable number of arguments.

CURLcode libcurl_set_long(const struct libcurl *libcurl, CURL *transfer, CURLoption option, long value);
CURLcode libcurl_set_pointer(const struct libcurl *libcurl, CURL *transfer, CURLoption option, const void *value);

CURLcode libcurl_set_receiver(
    const struct libcurl *libcurl, CURL *transfer, CURLoption option, curl_write_callback receiver);
CURLcode libcurl_set_opener(const struct libcurl *libcurl, CURL *transfer, curl_opensocket_callback opener);
CURLMcode libcurl_set_multi_long(const struct libcurl *libcurl, CURLM *transfers, CURLMoption option, long value);

/// The status of the response; 0 before it arrived.
long libcurl_status(const struct libcurl *libcurl, CURL *transfer);

/// The result of a transfer that has ended.
CURLcode libcurl_result(const CURLMsg *message);
