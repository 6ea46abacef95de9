#pragma once

/// Waits until all that was written to the file system of an open file or folder is on the disk.
void platform_sync_file_system(int descriptor);

