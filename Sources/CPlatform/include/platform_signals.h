#pragma once

/// Lets a write to a closed pipe or beyond the file size limit fail with an error code (EPIPE, EFBIG) instead of ending
/// the process.
void platform_ignore_write_signals(void);

/// Before SIGBUS ends the process, writes `message` to standard error. The message is not copied. SIGBUS means that a
/// mapped file was truncated.
void platform_explain_bus_errors(const char *message);

/// Notes the next SIGINT and SIGTERM. A second signal of the same kind has its default action. An ignored signal stays
/// ignored.
void platform_watch_interrupts(void);

/// Restores the actions that `platform_watch_interrupts` replaced.
void platform_unwatch_interrupts(void);

/// From now on, writes the numbers of SIGTERM, SIGINT, and SIGHUP to a pipe instead of ending the process. Returns the
/// read end of the pipe, or -1 with `errno` set.
int platform_signal_pipe(void);

/// Waits for the next number in the pipe, for at most `milliseconds`, or forever if that is negative. Returns 0 if the
/// time has passed.
int platform_next_signal(int pipe, int milliseconds);

/// Returns the last signal since `platform_watch_interrupts`, or 0.
int platform_interrupt(void);
