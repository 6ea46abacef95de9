#pragma once

/// Makes a set of open files that one thread waits for. Returns its descriptor, or -1 with `errno` set.
int platform_events_open(void);

/// Tells each wait of what can be read from, or accepted on, a file. Returns 0, or -1 with `errno` set.
int platform_events_watch_input(int events, int descriptor);

/// Makes one wait return when the peer has closed the socket, or its half of it. Readable data does not end the wait.
/// It ends when the socket is closed. Returns 0, or -1 with `errno` set.
int platform_events_watch_hangup(int events, int descriptor);

/// Tells no wait of a file any more.
void platform_events_forget(int events, int descriptor);

/// Waits for something to tell of, `milliseconds` at most, or for ever when that is negative, and writes the descriptors, at most `capacity`.
/// Returns how many, or -1 with `errno` set.
int platform_events_wait(int events, int *descriptors, int capacity, int milliseconds);
