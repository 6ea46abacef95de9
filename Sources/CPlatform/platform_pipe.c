#define _GNU_SOURCE
#include "platform_pipe.h"

#include <fcntl.h>
#include <unistd.h>

int platform_pipe(int ends[2]) {
#ifdef __linux__
    // Set the flags in the same call, so that another thread cannot start a program in between and leave it the pipe.
    return pipe2(ends, O_CLOEXEC | O_NONBLOCK);
#else
    if (pipe(ends) != 0) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    return 0;
#endif
}
