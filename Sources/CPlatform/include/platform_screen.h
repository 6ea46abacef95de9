#pragma once

/// Takes a terminal over for a full-screen program: raw mode on `input`, `enter` written to `output`, and handlers so that `leave` is
/// written and the modes are restored however the program ends. Only one can be open; the strings are copied, up to 256 bytes each.
///
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT are noted once and end the process the second time. SIGWINCH, SIGTSTP and SIGCONT are noted.
/// A crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS) puts the terminal back, then does what it did before.
/// A signal that is ignored stays ignored. Returns a descriptor from which the numbers of noted signals are read, a byte each, without
/// blocking; or -1 with `errno` set.
int platform_screen_open(int input, int output, const char *enter, const char *leave);

/// Puts the terminal and the handlers back. Does nothing where no screen is open.
void platform_screen_close(void);

/// Puts the terminal back, stops the process group as Ctrl-Z does, and takes the terminal over again when it is continued.
void platform_screen_suspend(void);

/// Gives the terminal to another program until `platform_screen_resume`. Ctrl-Z then stops both, as a shell expects.
void platform_screen_lend(void);

/// Takes the terminal over again, after it was lent or after a stop that could not be noticed.
void platform_screen_resume(void);
