#pragma once

/// Accepts a connection, which does not wait and which no program that is started inherits. `address` is a `struct sockaddr` of `size`
/// bytes, as for accept(2). Returns its descriptor, or -1 with `errno` set.
int platform_accept(int listening, void *address, unsigned int *size);
