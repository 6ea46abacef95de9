#pragma once

#include <stddef.h>
#include <sys/types.h>

/// Gets the size of the terminal at `descriptor`. Returns 0, or -1 if this is not a terminal or the size is unknown.
int platform_terminal_size(int descriptor, int *columns, int *rows);

/// The way in which a prompt ended.
enum platform_prompt_result {
    PLATFORM_PROMPT_LINE,         // a line, without its newline
    PLATFORM_PROMPT_END,          // the end of the input before anything was typed
    PLATFORM_PROMPT_TOO_LONG,     // a line that is longer than the buffer; its rest was dropped
    PLATFORM_PROMPT_INTERRUPTED,  // a signal that did not end the process
    PLATFORM_PROMPT_FAILED,       // a failure; errno tells the reason
};

/// Writes `prompt` to the terminal `descriptor` and reads one line from it. The typed text is shown only if `echo` is
/// set.
///
/// The terminal is restored before the function returns, also after SIGHUP, SIGINT, SIGQUIT, SIGTERM, and SIGTSTP. The
/// signal is then raised again, so it has its usual effect. After SIGTSTP and SIGCONT the prompt is shown again. Any
/// thread may receive the signal. Only one call runs at a time; the others wait.
enum platform_prompt_result platform_prompt(
    int descriptor, const char *prompt, int echo, unsigned char *buffer, size_t capacity, size_t *length);

/// Overwrites memory that held a secret, in a way that the compiler cannot optimize away.
void platform_wipe(void *memory, size_t size);

/// Creates a pseudo-terminal. `controller` is the side of the person and the screen, `terminal` is the side of the
/// program, and `path`, which has room for `capacity` bytes, receives the name of `terminal`. Neither becomes the
/// controlling terminal of this process. Returns 0, or -1 with `errno` set.
int platform_open_pseudo_terminal(int *controller, int *terminal, char *path, size_t capacity);
