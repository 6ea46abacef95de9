#include "platform_library.h"

#include "platform_screen.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

static int fail(char *problem, size_t size) {
    const char *reason = dlerror();
    snprintf(problem, size, "%s", reason != NULL ? reason : "unknown error");
    return -1;
}

int platform_load_functions(
    const char *library, const char *const *names, size_t count, void *functions, char *problem, size_t size) {
    void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (loaded == NULL) { return fail(problem, size); }
    for (size_t index = 0; index < count; index += 1) {
        void *address = dlsym(loaded, names[index]);
        if (address == NULL) { return fail(problem, size); }
        memcpy((char *)functions + index * sizeof address, &address, sizeof address);
    }
    return 0;
}

void platform_require_functions(
    const char *library, const char *package, const char *const *names, size_t count, void *functions) {
    char problem[512];
    if (platform_load_functions(library, names, count, functions, problem, sizeof problem) == 0) { return; }
    platform_screen_close();
    fprintf(stderr, "cannot load a library: %s\non Debian, it is in the package %s\n", problem, package);
    _Exit(EX_UNAVAILABLE);
}
