#define _GNU_SOURCE
#include "platform_screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int noted[] = {SIGWINCH, SIGTSTP, SIGCONT};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
enum {
    ending_count = sizeof ending / sizeof *ending,
    noted_count = sizeof noted / sizeof *noted,
    crash_count = sizeof crashes / sizeof *crashes,
    text_size = 257,
};

static struct sigaction before_ending[ending_count], before_noted[noted_count], before_crash[crash_count];
static struct termios cooked, raw;
static char enter_text[text_size], leave_text[text_size];
static int in = -1, out = -1;
static int ends[2] = {-1, -1};
static volatile sig_atomic_t is_open;
static volatile sig_atomic_t ending_seen;
static volatile sig_atomic_t is_lent;
static struct sigaction before_lending;

/// Writes text to the terminal, and gives up after a while if the terminal accepts nothing, so that the process can
/// end. Async-signal-safe.
static void put(const char *text) {
    size_t size = strlen(text);
    for (int attempts = 0; size > 0 && attempts < 100; attempts++) {
        struct pollfd ready = {.fd = out, .events = POLLOUT};
        if (poll(&ready, 1, 10) <= 0) {
            continue;
        }
        ssize_t count = write(out, text, size);
        if (count < 0 && errno != EINTR && errno != EAGAIN) {
            return;
        }
        if (count > 0) {
            text += count;
            size -= (size_t)count;
        }
    }
}

/// Sets the modes of the terminal. Async-signal-safe, because tcsetattr and sigprocmask are (POSIX 2.4.3). SIGTTOU is
/// blocked so that a background process may do this too.
static void set_modes(const struct termios *modes) {
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    while (tcsetattr(in, TCSANOW, modes) != 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void give_back(void) {
    put(leave_text);
    set_modes(&cooked);
}

/// Handles a signal as before the screen was opened.
static void pass_on(int signal, const struct sigaction *previous) {
    sigset_t open;
    sigaction(signal, previous, NULL);
    sigemptyset(&open);
    sigaddset(&open, signal);
    pthread_sigmask(SIG_UNBLOCK, &open, NULL);
    raise(signal);
}

static void note(int signal) {
    int saved = errno;
    unsigned char byte = (unsigned char)signal;
    if (write(ends[1], &byte, 1) < 0) {
        // The pipe is full, so the reader will wake up anyway.
    }
    errno = saved;
}

static void end(int signal) {
    if (!ending_seen) {
        ending_seen = 1;
        note(signal);
        return;
    }
    // This is the second signal, and the program did not end after the first.
    if (is_open) {
        struct pollfd ready = {.fd = out, .events = POLLOUT};
        is_open = 0;
        // The terminal may have stopped accepting output. Then drop the waiting output, so that the terminal can be
        // restored.
        if (poll(&ready, 1, 100) <= 0) {
            tcflush(out, TCOFLUSH);
        }
        give_back();
    }
    for (int i = 0; i < ending_count; i++) {
        if (ending[i] == signal) {
            pass_on(signal, &before_ending[i]);
        }
    }
}

static void crash(int signal) {
    if (is_open) {
        is_open = 0;
        give_back();
    }
    for (int i = 0; i < crash_count; i++) {
        if (crashes[i] == signal) {
            pass_on(signal, &before_crash[i]);
        }
    }
}

static void install(const int *signals, int count, void (*handler)(int), int flags, struct sigaction *previous) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < count; i++) {
        sigaction(signals[i], NULL, &previous[i]);
        if (previous[i].sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

static void uninstall(const int *signals, int count, const struct sigaction *previous) {
    for (int i = 0; i < count; i++) {
        sigaction(signals[i], &previous[i], NULL);
    }
}

int platform_screen_open(int input, int output, const char *enter, const char *leave) {
    if (is_open) {
        errno = EBUSY;
        return -1;
    }
    if (strlen(enter) >= text_size || strlen(leave) >= text_size) {
        errno = EINVAL;
        return -1;
    }
    if (tcgetattr(input, &cooked) != 0 || pipe(ends) != 0) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    strcpy(enter_text, enter);
    strcpy(leave_text, leave);
    in = input;
    out = output;
    raw = cooked;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    ending_seen = 0;
    is_open = 1;
    install(ending, ending_count, end, SA_RESTART, before_ending);
    install(noted, noted_count, note, SA_RESTART, before_noted);
    install(crashes, crash_count, crash, SA_ONSTACK | SA_NODEFER, before_crash);
    platform_screen_resume();
    return ends[0];
}

void platform_screen_close(void) {
    if (!is_open) {
        return;
    }
    is_open = 0;
    give_back();
    uninstall(ending, ending_count, before_ending);
    uninstall(noted, noted_count, before_noted);
    uninstall(crashes, crash_count, before_crash);
    close(ends[0]);
    close(ends[1]);
    ends[0] = ends[1] = -1;
}

void platform_screen_lend(void) {
    struct sigaction stop;
    if (!is_open || is_lent) {
        return;
    }
    give_back();
    sigaction(SIGTSTP, NULL, &before_lending);
    if (before_lending.sa_handler != SIG_IGN) {
        memset(&stop, 0, sizeof stop);
        stop.sa_handler = SIG_DFL;
        sigemptyset(&stop.sa_mask);
        sigaction(SIGTSTP, &stop, NULL);
    }
    is_lent = 1;
}

void platform_screen_resume(void) {
    if (is_lent) {
        is_lent = 0;
        sigaction(SIGTSTP, &before_lending, NULL);
    }
    set_modes(&raw);
    put(enter_text);
}

void platform_screen_suspend(void) {
    struct sigaction stop, handler;
    sigset_t open, before;
    sigaction(SIGTSTP, NULL, &handler);
    if (handler.sa_handler == SIG_IGN) {
        // In a shell without job control or in a service, nobody could continue the process.
        return;
    }
    give_back();
    memset(&stop, 0, sizeof stop);
    stop.sa_handler = SIG_DFL;
    sigemptyset(&stop.sa_mask);
    sigaction(SIGTSTP, &stop, NULL);
    sigemptyset(&open);
    sigaddset(&open, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &open, &before);
    // Stop the whole job, as the terminal would, so that all parts of a pipeline stop and continue together.
    kill(0, SIGTSTP);
    // Execution continues here after SIGCONT.
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGTSTP, &handler, NULL);
    platform_screen_resume();
}
