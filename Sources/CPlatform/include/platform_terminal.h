#pragma once

#include <stddef.h>
#include <sys/types.h>

/// Asks the terminal behind `descriptor` for its size. Returns 0, or -1 where there is none or it does not know.
int platform_terminal_size(int descriptor, int *columns, int *rows);

/// How a prompt ended.
enum platform_prompt_result {
    PLATFORM_PROMPT_LINE,         // a line, its newline left out
    PLATFORM_PROMPT_END,          // end of input before anything was typed
    PLATFORM_PROMPT_TOO_LONG,     // more than the buffer holds; the rest of the line was dropped
    PLATFORM_PROMPT_INTERRUPTED,  // a signal that the process survived
    PLATFORM_PROMPT_FAILED,       // errno says why
};

/// Writes `prompt` to the terminal `descriptor` and reads one line from it, without echo unless `echo` is set.
///
/// The terminal is put back as it was before the call returns, also on SIGHUP, SIGINT, SIGQUIT, SIGTERM and SIGTSTP; the
/// signal is then raised again, so that it has its usual effect. After SIGTSTP and SIGCONT the prompt is shown again.
/// Any thread may receive the signal. Calls take turns.
enum platform_prompt_result platform_prompt(
    int descriptor, const char *prompt, int echo, unsigned char *buffer, size_t capacity, size_t *length);

/// Overwrites memory that held a secret, in a way that the compiler cannot leave out.
void platform_wipe(void *memory, size_t size);

/// Makes a pseudo-terminal. `controller` is the side of the person and the screen, `terminal` that of the program, and `path`, of
/// `capacity` bytes, the name of the latter. Neither becomes the controlling terminal. Returns 0, or -1 with `errno` set.
int platform_open_pseudo_terminal(int *controller, int *terminal, char *path, size_t capacity);
