#pragma once

/// Waits until everything that was written to the file system of an open file or folder is on the disk.
void platform_sync_file_system(int descriptor);

/// Renames a file, unless the new name exists already. Returns 0, or -1 with `errno` set: EEXIST if the name exists.
int platform_rename_new(const char *from, const char *to);

/// Checks whether there is room for a number of bytes in a folder, by allocating them in an unnamed file and freeing
/// them again. Returns 0 if that worked or if the file system cannot tell, otherwise the errno value: ENOSPC, EDQUOT,
/// EFBIG, or EROFS.
int platform_try_room(const char *folder, long long bytes);

/// Takes an exclusive flock(2) on an open file if it is free. Returns 0, or -1 with `errno` set: EWOULDBLOCK if another
/// process holds it.
int platform_try_lock(int descriptor);

/// Exchanges the names of two files. Returns 0, or -1 with `errno` set.
int platform_exchange(const char *left, const char *right);
