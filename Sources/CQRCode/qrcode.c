#include "CQRCode.h"

#include "platform_library.h"

#include <pthread.h>

#ifdef __APPLE__
static const char library[] = "libqrencode.4.dylib";
#else
static const char library[] = "libqrencode.so.4";
#endif

static const char *const names[] = {"QRcode_encodeString8bit", "QRcode_free"};
static struct {
    __typeof__(QRcode_encodeString8bit) *encode;
    __typeof__(QRcode_free) *free;
} functions;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    platform_require_functions(library, "libqrencode4", names, sizeof names / sizeof *names, &functions);
}

QRcode *cqrcode_encode(const char *text, QRecLevel level) {
    pthread_once(&once, load);
    return functions.encode(text, 0, level);
}

void cqrcode_free(QRcode *code) { functions.free(code); }
