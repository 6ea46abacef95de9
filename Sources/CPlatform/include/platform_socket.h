#pragma once

/// Accepts a connection without waiting. Its descriptor is nonblocking, and started programs do not inherit it.
/// `address` is a `struct sockaddr` of `size` bytes, as for accept(2). Returns the descriptor, or -1 with `errno` set.
int platform_accept(int listening, void *address, unsigned int *size);
