#include "platform_signals.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

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
    // The handler is gone: what it returns to fails again, and ends the process.
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

void platform_watch_interrupts(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    sigemptyset(&action.sa_mask);
    // Once only: the second of its kind finds the default action and ends the process. A read that waits is cut short
    // (EINTR), so that waiting for standard input ends too.
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
