#define _GNU_SOURCE
#include "platform_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int platform_terminal_size(int descriptor, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
        return -1;
    }
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

void platform_wipe(void *memory, size_t size) {
    static void *(*const volatile set)(void *, int, size_t) = memset;
    set(memory, 0, size);
}

static const int watched[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
enum { watched_count = sizeof watched / sizeof *watched };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t wake = -1;

static void wake_up(int signal) {
    int saved = errno;
    unsigned char byte = (unsigned char)signal;
    if (write(wake, &byte, 1) < 0) {
        // The pipe is full, so the reader is already awake.
    }
    errno = saved;
}

static void write_all(int descriptor, const char *text, size_t size) {
    while (size > 0) {
        ssize_t count = write(descriptor, text, size);
        if (count < 0 && errno != EINTR) {
            return;
        }
        if (count > 0) {
            text += count;
            size -= (size_t)count;
        }
    }
}

/// Reads until a newline, the end of the input, or a signal, whose number goes to `caught`.
static enum platform_prompt_result read_line(
    int descriptor, int wakes, unsigned char *buffer, size_t capacity, size_t *length, int *caught) {
    int too_long = 0;
    *length = 0;
    for (;;) {
        struct pollfd sources[] = {{.fd = wakes, .events = POLLIN}, {.fd = descriptor, .events = POLLIN}};
        if (poll(sources, 2, -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            return PLATFORM_PROMPT_FAILED;
        }
        unsigned char byte;
        if (sources[0].revents != 0 && read(wakes, &byte, 1) == 1) {
            *caught = byte;
            return PLATFORM_PROMPT_INTERRUPTED;
        }
        if (sources[1].revents == 0) {
            continue;
        }
        // Read one byte at a time, so that the input after the line stays in the terminal.
        ssize_t count = read(descriptor, &byte, 1);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        if (count < 0 && errno != EIO) {
            return PLATFORM_PROMPT_FAILED;
        }
        if (count <= 0 && *length == 0) {
            return PLATFORM_PROMPT_END;
        }
        if (count <= 0 || byte == '\n') {
            return too_long ? PLATFORM_PROMPT_TOO_LONG : PLATFORM_PROMPT_LINE;
        }
        if (*length < capacity) {
            buffer[(*length)++] = byte;
        } else {
            too_long = 1;
        }
    }
}

/// Shows the prompt once, and restores the handlers and the terminal.
static enum platform_prompt_result ask(
    int descriptor, const char *prompt, int echo, unsigned char *buffer, size_t capacity, size_t *length, int *caught) {
    struct termios shown;
    int ends[2];
    if (tcgetattr(descriptor, &shown) != 0 || pipe(ends) != 0) {
        return PLATFORM_PROMPT_FAILED;
    }
    for (int end = 0; end < 2; end++) {
        fcntl(ends[end], F_SETFD, FD_CLOEXEC);
        fcntl(ends[end], F_SETFL, O_NONBLOCK);
    }
    wake = ends[1];

    struct sigaction handler, previous[watched_count];
    memset(&handler, 0, sizeof handler);
    handler.sa_handler = wake_up;
    sigfillset(&handler.sa_mask);
    for (int i = 0; i < watched_count; i++) {
        sigaction(watched[i], NULL, &previous[i]);
        if (previous[i].sa_handler != SIG_IGN) {
            sigaction(watched[i], &handler, NULL);
        }
    }

    enum platform_prompt_result result = PLATFORM_PROMPT_FAILED;
    struct termios hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
    if (echo || tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0) {
        write_all(descriptor, prompt, strlen(prompt));
        result = read_line(descriptor, ends[0], buffer, capacity, length, caught);
    }
    int failure = errno;

    if (!echo) {
        // SIGTTOU is blocked so that a process in the background can still restore the echo.
        sigset_t blocked, before;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGTTOU);
        pthread_sigmask(SIG_BLOCK, &blocked, &before);
        while (tcsetattr(descriptor, TCSANOW, &shown) != 0 && errno == EINTR) {
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (!echo || result == PLATFORM_PROMPT_END || result == PLATFORM_PROMPT_INTERRUPTED) {
        write_all(descriptor, "\n", 1);
    }
    for (int i = 0; i < watched_count; i++) {
        sigaction(watched[i], &previous[i], NULL);
    }
    wake = -1;
    close(ends[0]);
    close(ends[1]);
    if (result != PLATFORM_PROMPT_LINE) {
        platform_wipe(buffer, capacity);
    }
    errno = failure;
    return result;
}

/// Raises a signal and returns after it was handled, even on a thread that blocks signals, as those of libdispatch do.
static void deliver(int signal) {
    sigset_t open, before;
    sigemptyset(&open);
    sigaddset(&open, signal);
    pthread_sigmask(SIG_UNBLOCK, &open, &before);
    raise(signal);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

enum platform_prompt_result platform_prompt(
    int descriptor, const char *prompt, int echo, unsigned char *buffer, size_t capacity, size_t *length) {
    enum platform_prompt_result result;
    int caught;
    pthread_mutex_lock(&turn);
    do {
        caught = 0;
        result = ask(descriptor, prompt, echo, buffer, capacity, length, &caught);
        if (caught != 0) {
            deliver(caught);
        }
    } while (caught == SIGTSTP);
    pthread_mutex_unlock(&turn);
    return result;
}

int platform_open_pseudo_terminal(int *controller, int *terminal, char *path, size_t capacity) {
    *controller = posix_openpt(O_RDWR | O_NOCTTY);
    if (*controller < 0) {
        return -1;
    }
    const char *name;
    if (grantpt(*controller) == 0 && unlockpt(*controller) == 0 && (name = ptsname(*controller)) != NULL
        && strlen(name) < capacity) {
        strcpy(path, name);
        *terminal = open(path, O_RDWR | O_NOCTTY);
        if (*terminal >= 0) {
            return 0;
        }
    }
    close(*controller);
    return -1;
}
