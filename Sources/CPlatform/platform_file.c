#define _GNU_SOURCE
#include "platform_file.h"

#include <unistd.h>

void platform_sync_file_system(int descriptor) {
#ifdef __linux__
    syncfs(descriptor);
#else
    (void)descriptor;
    sync();
#endif
}
