#pragma once

#include <sys/types.h>

/// Starts `arguments[0]` (looked up in PATH), its standard input being a pipe whose other end is returned in `input`, or that
/// of this process where `input` is NULL.
///
/// Both arrays end with NULL. Signals that this process blocks or ignores only for itself are restored in the child.
/// SIGINT and SIGQUIT, which a terminal sends to both, are left to the child until `platform_wait`, of several to
/// all until the last. Returns 0 or an errno value.
int platform_start(char *const arguments[], char *const environment[], pid_t *child, int *input);

/// Whether a thread can be started and a few more files can be opened, both of which running tasks side by side needs. Returns 0
/// or an errno value.
int platform_check_resources(void);

/// Waits for `child`, which `platform_start` started, and returns its exit status, or 128 plus the signal that ended it, or -1
/// where it cannot be known. Once for each.
int platform_wait(pid_t child);

/// Starts `arguments[0]` as `platform_start` does, but in a session of its own and with nothing to read from or write to.
///
/// `ended` is called once, on a thread of its own, with `context` and what `platform_wait` would return. Returns 0 or an errno
/// value, and then `ended` is never called.
int platform_start_apart(
    char *const arguments[], char *const environment[], void *context, void (*ended)(void *context, int status));

/// Keeps the memory of this process out of core dumps, and other processes of its user from reading it. Programs that it
/// starts are not concerned.
void platform_hide_memory(void);

// Lets the allocator keep what was freed, up to 32 MB, where the system's can be told so.
void platform_keep_freed_memory(void);
