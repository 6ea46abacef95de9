#define _GNU_SOURCE
#include "platform_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
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
    // The file system does not support it (for example, NFS). For a moment the file has both names.
    if (link(from, to) != 0) return -1;
    unlink(from);
    return 0;
}

static int open_without_name(const char *folder) {
#ifdef O_TMPFILE
    int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL))
        return descriptor;
#endif
    char name[4096];
    if (snprintf(name, sizeof name, "%s/.room.XXXXXX", folder) >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int named = mkstemp(name);
    if (named >= 0) unlink(name);
    return named;
}

int platform_try_room(const char *folder, long long bytes) {
    int descriptor = open_without_name(folder);
    int code = descriptor < 0 ? errno : 0;
    if (descriptor >= 0) {
#ifdef __APPLE__
        fstore_t store = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, bytes, 0};
        if (fcntl(descriptor, F_PREALLOCATE, &store) != 0) code = errno;
#else
        // Unlike statvfs(3), this respects quotas and the blocks that are reserved for root.
        code = posix_fallocate(descriptor, 0, bytes);
#endif
        close(descriptor);
    }
    return code == ENOSPC || code == EDQUOT || code == EFBIG || code == EROFS ? code : 0;
}

int platform_try_lock(int descriptor) {
    int result;
    do {
        result = flock(descriptor, LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    return result;
}

int platform_exchange(const char *left, const char *right) {
#ifdef __linux__
    int result = renameat2(AT_FDCWD, left, AT_FDCWD, right, RENAME_EXCHANGE);
#else
    int result = renamex_np(left, right, RENAME_SWAP);
#endif
    if (result == 0 || (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)) return result;
    // The file system does not support it (for example, NFS). The right file briefly has two names, until both files
    // have their new names.
    char spare[4096];
    if (snprintf(spare, sizeof spare, "%s.old", left) >= (int)sizeof spare) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (link(right, spare) != 0) return -1;
    if (rename(left, right) != 0) {
        int code = errno;
        unlink(spare);
        errno = code;
        return -1;
    }
    return rename(spare, left);
}
