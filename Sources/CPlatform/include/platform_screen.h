#pragma once

/// Takes over a terminal for a full-screen program: sets raw mode on `input`, writes `enter` to `output`, and installs
/// handlers that write `leave` and restore the modes however the program ends. Only one screen can be open. The strings
/// are copied, up to 256 bytes each.
///
/// The first SIGINT, SIGTERM, SIGHUP, or SIGQUIT is only noted; the second ends the process. SIGWINCH, SIGTSTP, and
/// SIGCONT are noted. A crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS) restores the terminal, then
/// acts as before. An ignored signal stays ignored. Returns a nonblocking descriptor from which the numbers of noted
/// signals can be read, one byte each; or -1 with `errno` set.
int platform_screen_open(int input, int output, const char *enter, const char *leave);

/// Restores the terminal and the handlers. Does nothing if a screen is not open.
void platform_screen_close(void);

/// Restores the terminal, stops the process group as Ctrl-Z does, and takes over the terminal again when the process
/// continues.
void platform_screen_suspend(void);

/// Lends the terminal to another program until `platform_screen_resume`. Ctrl-Z then stops both programs, as a shell
/// expects.
void platform_screen_lend(void);

/// Takes over the terminal again, after it was lent, or after a stop by a signal that cannot be caught.
void platform_screen_resume(void);
