#define _GNU_SOURCE
#include "platform_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void platform_sync_file_system(int descriptor) {
#ifdef __linux__
    syncfs(descriptor);
#else
    (void)descriptor;
    sync();
#endif
}

int platform_rename_new(const char *from, const char *to) {
#ifdef __linux__
    int result = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
#else
    int result = renamex_np(from, to, RENAME_EXCL);
#endif
    if (result == 0 || (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)) return result;
    // A file system that knows no such thing, as NFS: for a moment the file has both names.
    if (link(from, to) != 0) return -1;
    unlink(from);
    return 0;
}
