#define _GNU_SOURCE
#ifdef __linux__
#include <malloc.h>
#endif
#include "platform_process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// The signals that a terminal sends both to a program and to its parent. The parent ignores them while any program
// runs.
static const int keys[] = {SIGINT, SIGQUIT};
enum { key_count = sizeof keys / sizeof *keys };
static struct sigaction before_keys[key_count];
static int running;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// Ignores the keys in this process, and adds to `defaults` the signals that must have their default action in the
/// child.
static void leave_keys(sigset_t *defaults) {
    struct sigaction ignored;
    memset(&ignored, 0, sizeof ignored);
    ignored.sa_handler = SIG_IGN;
    sigemptyset(&ignored.sa_mask);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < key_count; i++) {
        if (running == 0) {
            sigaction(keys[i], &ignored, &before_keys[i]);
        }
        if (before_keys[i].sa_handler != SIG_IGN) {
            sigaddset(defaults, keys[i]);
        }
    }
    running++;
    pthread_mutex_unlock(&lock);
}

static void take_keys(void) {
    pthread_mutex_lock(&lock);
    running--;
    for (int i = 0; running == 0 && i < key_count; i++) {
        sigaction(keys[i], &before_keys[i], NULL);
    }
    pthread_mutex_unlock(&lock);
}

int platform_start(char *const arguments[], char *const environment[], pid_t *child, int *input) {
    int ends[2] = {-1, -1};
    if (input) {
        if (pipe(ends) != 0) {
            return errno;
        }
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    }

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    if (input) {
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    }

    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
#ifdef SIGXFSZ
    sigaddset(&defaults, SIGXFSZ);
#endif
    leave_keys(&defaults);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    int failure = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (input) {
        close(ends[0]);
    }
    if (failure != 0) {
        take_keys();
        if (input) {
            close(ends[1]);
        }
        return failure;
    }
    if (input) {
        *input = ends[1];
    }
    return 0;
}

static int await_end(pid_t child) {
    int status;
    pid_t waited;
    do {
        waited = waitpid(child, &status, 0);
    } while (waited < 0 && errno == EINTR);
    if (waited < 0) {
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int platform_wait(pid_t child) {
    int status = await_end(child);
    take_keys();
    return status;
}

/// A program in the background, and the function to call when it ends.
struct apart {
    pid_t child;
    void *context;
    void (*ended)(void *context, int status);
};

static void *watch(void *argument) {
    struct apart apart = *(struct apart *)argument;
    free(argument);
    apart.ended(apart.context, await_end(apart.child));
    return NULL;
}

int platform_start_apart(
    char *const arguments[], char *const environment[], void *context, void (*ended)(void *context, int status)) {
    struct apart *apart = malloc(sizeof *apart);
    if (!apart) {
        return ENOMEM;
    }
    apart->context = context;
    apart->ended = ended;

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    int failure = posix_spawnp(&apart->child, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0) {
        free(apart);
        return failure;
    }

    pthread_t thread;
    failure = pthread_create(&thread, NULL, watch, apart);
    if (failure == 0) {
        pthread_detach(thread);
    } else {
        // The thread to wait for the program could not be started, so end the program.
        kill(apart->child, SIGTERM);
        await_end(apart->child);
        free(apart);
    }
    return failure;
}

void platform_hide_memory(void) {
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

static void *do_nothing(void *argument) {
    return argument;
}

int platform_check_resources(void) {
    enum { file_count = 12 };
    int files[file_count], opened = 0, failure = 0;
    while (opened < file_count && failure == 0) {
        files[opened] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (files[opened] < 0) {
            failure = errno;
        } else {
            opened++;
        }
    }
    while (opened > 0) {
        close(files[--opened]);
    }
    pthread_t thread;
    if (failure == 0) {
        failure = pthread_create(&thread, NULL, do_nothing, NULL);
        if (failure == 0) {
            pthread_join(thread, NULL);
        }
    }
    return failure;
}

void platform_keep_freed_memory(void) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
#endif
}
