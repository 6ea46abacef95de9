#pragma once

#include <sys/types.h>

/// Starts `arguments[0]` (looked up in PATH). Its standard input is a pipe, whose other end is returned in `input`. If
/// `input` is NULL, it has the standard input of this process.
///
/// Both arrays end with NULL. The child does not inherit the signals that only this process blocks or ignores. SIGINT
/// and SIGQUIT, which a terminal sends to both processes, are left to the child: this process ignores them until
/// `platform_wait` was called for all children. Returns 0 or an errno value.
int platform_start(char *const arguments[], char *const environment[], pid_t *child, int *input);

/// Checks whether a thread can be started and a few more files can be opened. Concurrent tasks need both. Returns 0 or
/// an errno value.
int platform_check_resources(void);

/// Waits for `child`, which `platform_start` started. Returns its exit status, or 128 plus the number of the signal
/// that ended it, or -1 if that is unknown. Call it once for each child.
int platform_wait(pid_t child);

/// Starts `arguments[0]` as `platform_start` does, but in its own session, and with `/dev/null` as its input and
/// output.
///
/// When the program ends, `ended` is called once, on its own thread, with `context` and the value that `platform_wait`
/// would return. Returns 0, or an errno value; then `ended` is never called.
int platform_start_apart(
    char *const arguments[], char *const environment[], void *context, void (*ended)(void *context, int status));

/// Excludes the memory of this process from core dumps, and prevents other processes of the user from reading it.
/// Programs that it starts are not affected.
void platform_hide_memory(void);

// Tells the allocator of the system to keep freed memory, up to 32 MB, if it has such a setting.
void platform_keep_freed_memory(void);
