#pragma once

/// Takes an exclusive flock(2) on `fd`. It waits at most `seconds`, and stops earlier if `should_stop` returns nonzero.
/// While it waits, it calls `should_stop` with `context` ten times per second on the calling thread.
///
/// Returns 0, ETIMEDOUT, ECANCELED if `should_stop` ended it, or the errno value of the failure. After a failure the
/// caller no longer owns `fd`: it is closed at once, or when a wait that cannot be interrupted has ended.
int cplatform_lock_exclusive(int fd, double seconds, int (*should_stop)(void *), void *context);

/// Returns 1 if the file is on a network file system, where neither shared memory nor WAL works across machines; 0 if
/// not; -1 if that is unknown. The file is not opened.
int cplatform_is_network_file(const char *path);
