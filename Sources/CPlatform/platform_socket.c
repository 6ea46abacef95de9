#define _GNU_SOURCE
#include "platform_socket.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

int platform_accept(int listening, void *address, unsigned int *size) {
#ifdef __linux__
    int descriptor = accept4(listening, address, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    // Otherwise the kernel would buffer megabytes for a client that does not read. This call fails on a Unix socket,
    // whose buffer is small anyway.
    int unsent = 128 * 1024;
    if (descriptor >= 0) setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    return descriptor;
#else
    int descriptor = accept(listening, address, size);
    if (descriptor >= 0) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        fcntl(descriptor, F_SETFL, O_NONBLOCK);
    }
    return descriptor;
#endif
}
