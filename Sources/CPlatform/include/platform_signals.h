#pragma once

/// Makes writing to a closed pipe and beyond the file size limit an error code (EPIPE, EFBIG) and not a death.
void platform_ignore_write_signals(void);

/// Writes `message`, which is not copied, to standard error before the process ends by SIGBUS: a file that was mapped has been cut.
void platform_explain_bus_errors(const char *message);

/// Notes the next SIGINT and SIGTERM; the same signal a second time acts as if nobody watched. A signal that is ignored
/// stays ignored.
void platform_watch_interrupts(void);

/// Puts back what `platform_watch_interrupts` found.
void platform_unwatch_interrupts(void);

/// Writes the numbers of SIGTERM, SIGINT and SIGHUP into a pipe from now on, instead of ending the process. Returns its end to read
/// from, or -1 with `errno` set.
int platform_signal_pipe(void);

/// Waits for the next number in the pipe, for `milliseconds` at most, or without end if that is negative. Returns 0 if none came.
int platform_next_signal(int pipe, int milliseconds);

/// The last signal noted since the watch began, or 0.
int platform_interrupt(void);
