#pragma once

/// Waits until all that was written to the file system of an open file or folder is on the disk.
void platform_sync_file_system(int descriptor);

/// Gives a file another name, unless there is something of that name. Returns 0, or -1 with `errno` set: EEXIST then.
int platform_rename_new(const char *from, const char *to);

/// Allocates so many bytes in a file without a name in a folder, and frees them. Returns 0 if that worked or if the file
/// system cannot tell, otherwise the errno value: ENOSPC, EDQUOT, EFBIG, or EROFS.
int platform_try_room(const char *folder, long long bytes);

/// Takes an exclusive flock(2) on an open file if nobody holds one. Returns 0, or -1 with `errno` set: EWOULDBLOCK then.
int platform_try_lock(int descriptor);

/// Exchanges the names of two files, so that each has the other's. Returns 0, or -1 with `errno` set.
int platform_exchange(const char *left, const char *right);
