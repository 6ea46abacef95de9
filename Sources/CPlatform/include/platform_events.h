#pragma once

/// Creates a set of open files for which a thread can wait. Returns its descriptor, or -1 with `errno` set.
int platform_events_open(void);

/// Adds a file: each wait returns it if it can be read or, for a listening socket, if a connection can be accepted.
/// Returns 0, or -1 with `errno` set.
int platform_events_watch_input(int events, int descriptor);

/// Adds a socket: one wait returns it after the peer has closed the socket or its half of it. Readable data does not
/// end the wait. Closing the socket removes it from the set. Returns 0, or -1 with `errno` set.
int platform_events_watch_hangup(int events, int descriptor);

/// Adds a socket, or changes its entry: one wait returns it, after it can be read or, if `for_output` is not 0, also if
/// it can be written. Closing the socket removes it from the set. Returns 0, or -1 with `errno` set.
int platform_events_watch_once(int events, int descriptor, int for_output);

/// Removes a file from the set.
void platform_events_forget(int events, int descriptor);

/// Waits for events for at most `milliseconds`, or forever if that is negative. Writes the descriptors of the files
/// with events, at most `capacity`. Returns their number, or -1 with `errno` set.
int platform_events_wait(int events, int *descriptors, int capacity, int milliseconds);
