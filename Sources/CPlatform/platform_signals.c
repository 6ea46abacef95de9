#include "platform_signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "platform_pipe.h"

static const int interrupts[] = {SIGINT, SIGTERM};
enum { interrupt_count = sizeof interrupts / sizeof *interrupts };

static struct sigaction previous[interrupt_count];
static volatile sig_atomic_t noted;

static void note(int signal) {
    noted = signal;
}

void platform_ignore_write_signals(void) {
    signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN);
#endif
}

static const char *bus_error;

static void explain(int signal) {
    (void)signal;
    ssize_t written = write(STDERR_FILENO, bus_error, strlen(bus_error));
    (void)written;
    // SA_RESETHAND has removed this handler. When it returns, the same access fails again and ends the process.
}

void platform_explain_bus_errors(const char *message) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = explain;
    sigemptyset(&action.sa_mask);
    action.sa_flags = (int)SA_RESETHAND;
    bus_error = message;
    sigaction(SIGBUS, &action, NULL);
}

static int signal_pipe = -1;

static void forward(int signal) {
    int code = errno;
    unsigned char number = (unsigned char)signal;
    // If the pipe is full, it already contains a signal that ends the process.
    ssize_t written = write(signal_pipe, &number, 1);
    (void)written;
    errno = code;
}

int platform_signal_pipe(void) {
    int ends[2];
    if (platform_pipe(ends) != 0) return -1;
    signal_pipe = ends[1];
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = forward;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < 3; i++) sigaction(numbers[i], &action, NULL);
    return ends[0];
}

int platform_next_signal(int pipe, int milliseconds) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int left = milliseconds;
    for (;;) {
        struct pollfd ready = {pipe, POLLIN, 0};
        int count = poll(&ready, 1, left);
        unsigned char number;
        if (count > 0 && read(pipe, &number, 1) == 1) return number;
        if (count == 0) return 0;
        if (milliseconds < 0) continue;
        clock_gettime(CLOCK_MONOTONIC, &now);
        long passed = (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
        left = passed < milliseconds ? milliseconds - (int)passed : 0;
    }
}

void platform_watch_interrupts(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    sigemptyset(&action.sa_mask);
    // Handle each signal once: the second of the same kind has the default action and ends the process. Without
    // SA_RESTART, a waiting read ends with EINTR, so waiting for standard input also ends.
    action.sa_flags = (int)SA_RESETHAND;
    noted = 0;
    for (int i = 0; i < interrupt_count; i++) {
        sigaction(interrupts[i], NULL, &previous[i]);
        if (previous[i].sa_handler != SIG_IGN) {
            sigaction(interrupts[i], &action, NULL);
        }
    }
}

void platform_unwatch_interrupts(void) {
    for (int i = 0; i < interrupt_count; i++) {
        sigaction(interrupts[i], &previous[i], NULL);
    }
}

int platform_interrupt(void) {
    return noted;
}
