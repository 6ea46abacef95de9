#define _GNU_SOURCE
#include "platform_socket.h"

#include <fcntl.h>
#include <sys/socket.h>

int platform_accept(int listening, void *address, unsigned int *size) {
#ifdef __linux__
    return accept4(listening, address, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
    int descriptor = accept(listening, address, size);
    if (descriptor >= 0) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        fcntl(descriptor, F_SETFL, O_NONBLOCK);
    }
    return descriptor;
#endif
}
