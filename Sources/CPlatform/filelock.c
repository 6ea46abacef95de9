#include "filelock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif

// A blocking flock is fair, but it does not have a timeout, and a signal to interrupt it would affect the whole
// process. So a separate thread waits. If the caller gives up, the thread stays until flock returns, and then ends.
struct waiter {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int fd;
    int result;
    enum { WAITING, FINISHED, ABANDONED } state;
};

static int lock(int fd, int operation) {
    while (flock(fd, operation) != 0) {
        if (errno != EINTR) return errno;
    }
    return 0;
}

static void destroy(struct waiter *waiter) {
    pthread_cond_destroy(&waiter->changed);
    pthread_mutex_destroy(&waiter->mutex);
    free(waiter);
}

static void *wait_for_lock(void *argument) {
    struct waiter *waiter = argument;
    int result = lock(waiter->fd, LOCK_EX);
    pthread_mutex_lock(&waiter->mutex);
    int abandoned = waiter->state == ABANDONED;
    waiter->result = result;
    waiter->state = FINISHED;
    pthread_cond_signal(&waiter->changed);
    pthread_mutex_unlock(&waiter->mutex);
    if (abandoned) {
        close(waiter->fd);
        destroy(waiter);
    }
    return NULL;
}

static int start(struct waiter *waiter) {
    pthread_t thread;
    sigset_t all, before;
    // The other threads of the program handle signals.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&thread, NULL, wait_for_lock, waiter);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code == 0) pthread_detach(thread);
    return code;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

// The time between two calls of `should_stop`, in seconds.
static const double patience = 0.1;

// Waits for the thread to get the lock. The caller holds the mutex.
static int wait_for_waiter(struct waiter *waiter, double end, int (*should_stop)(void *), void *context) {
    while (waiter->state == WAITING) {
        double left = end - now();
        if (left <= 0) return ETIMEDOUT;
        if (should_stop(context)) return ECANCELED;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        long long nanoseconds = until.tv_nsec + (long long)((left < patience ? left : patience) * 1e9);
        until.tv_sec += nanoseconds / 1000000000;
        until.tv_nsec = nanoseconds % 1000000000;
        pthread_cond_timedwait(&waiter->changed, &waiter->mutex, &until);
    }
    return waiter->result;
}

// The fallback if a thread cannot be started. It is neither fair nor quick, but it ends.
static int look_again_and_again(int fd, double end, int (*should_stop)(void *), void *context) {
    struct timespec pause = {0, 10 * 1000 * 1000};
    for (;;) {
        int code = lock(fd, LOCK_EX | LOCK_NB);
        if (code != EWOULDBLOCK) return code;
        if (now() >= end) return ETIMEDOUT;
        if (should_stop(context)) return ECANCELED;
        nanosleep(&pause, NULL);
    }
}

static int wait_at_most(int fd, double seconds, int (*should_stop)(void *), void *context) {
    double end = now() + seconds;
    struct waiter *waiter = calloc(1, sizeof *waiter);
    if (waiter == NULL) {
        close(fd);
        return ENOMEM;
    }
    pthread_mutex_init(&waiter->mutex, NULL);
    pthread_cond_init(&waiter->changed, NULL);
    waiter->fd = fd;

    if (start(waiter) != 0) {
        destroy(waiter);
        int code = look_again_and_again(fd, end, should_stop, context);
        if (code != 0) close(fd);
        return code;
    }
    pthread_mutex_lock(&waiter->mutex);
    int code = wait_for_waiter(waiter, end, should_stop, context);
    int finished = waiter->state == FINISHED;
    if (!finished) waiter->state = ABANDONED;
    pthread_mutex_unlock(&waiter->mutex);
    if (finished) {
        destroy(waiter);
        if (code != 0) close(fd);
    }
    return code;
}

int cplatform_lock_exclusive(int fd, double seconds, int (*should_stop)(void *), void *context) {
    int code = lock(fd, LOCK_EX | LOCK_NB);
    if (code == EWOULDBLOCK && seconds > 0) return wait_at_most(fd, seconds, should_stop, context);
    if (code == EWOULDBLOCK) code = ETIMEDOUT;
    if (code != 0) close(fd);
    return code;
}

int cplatform_is_network_file(const char *path) {
    struct statfs info;
    if (statfs(path, &info) != 0) return -1;
#if defined(__linux__)
    // The magic numbers from statfs(2).
    switch ((unsigned long)info.f_type & 0xFFFFFFFFUL) {
    case 0x6969UL:      // NFS
    case 0x517BUL:      // SMB
    case 0xFF534D42UL:  // CIFS
    case 0xFE534D42UL:  // SMB2
    case 0x564CUL:      // NCP
    case 0x5346414FUL:  // AFS
    case 0x73757245UL:  // CODA
    case 0x00C36400UL:  // Ceph
    case 0x01021997UL:  // 9P
    case 0x0BD00BD0UL:  // Lustre
        return 1;
    default:
        return 0;
    }
#else
    return (info.f_flags & MNT_LOCAL) ? 0 : 1;
#endif
}
