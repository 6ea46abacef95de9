#pragma once

/// Takes an exclusive flock(2) on `fd`, waiting at most `seconds` for whoever holds it, and no longer than until `should_stop`,
/// which is asked with `context` ten times a second while it waits, on the thread that does.
///
/// Returns 0, or ETIMEDOUT, or ECANCELED when it was to stop, or the errno of the failure. On failure `fd` is no longer the caller's: it is closed,
/// at once or when a wait that cannot be cut short has ended.
int cplatform_lock_exclusive(int fd, double seconds, int (*should_stop)(void *), void *context);

/// 1 when the file is on a network file system, where neither shared memory nor WAL works across machines; 0 when not;
/// -1 when the system does not tell. The file is not opened.
int cplatform_is_network_file(const char *path);
