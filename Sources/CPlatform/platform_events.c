#include "platform_events.h"

#include <errno.h>
#include <stddef.h>

#ifdef __linux__
#include <sys/epoll.h>

static int add(int events, int descriptor, unsigned int what) {
    struct epoll_event event = {.events = what, .data.fd = descriptor};
    return epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event);
}

int platform_events_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

int platform_events_watch_input(int events, int descriptor) { return add(events, descriptor, EPOLLIN); }

int platform_events_watch_hangup(int events, int descriptor) { return add(events, descriptor, EPOLLRDHUP | EPOLLET); }

int platform_events_watch_once(int events, int descriptor, int for_output) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = descriptor};
    if (for_output) event.events |= EPOLLOUT;
    if (epoll_ctl(events, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
    return errno == ENOENT ? epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event) : -1;
}

void platform_events_forget(int events, int descriptor) { epoll_ctl(events, EPOLL_CTL_DEL, descriptor, NULL); }

int platform_events_wait(int events, int *descriptors, int capacity, int milliseconds) {
    enum { most = 256 };
    struct epoll_event found[most];
    int count = epoll_wait(events, found, capacity < most ? capacity : most, milliseconds);
    for (int i = 0; i < count; i++) descriptors[i] = found[i].data.fd;
    return count;
}
#else
int platform_events_open(void) { errno = ENOSYS; return -1; }
int platform_events_watch_input(int events, int descriptor) { (void)events; (void)descriptor; errno = ENOSYS; return -1; }
int platform_events_watch_hangup(int events, int descriptor) { (void)events; (void)descriptor; errno = ENOSYS; return -1; }
int platform_events_watch_once(int events, int descriptor, int for_output) {
    (void)events; (void)descriptor; (void)for_output;
    errno = ENOSYS;
    return -1;
}
void platform_events_forget(int events, int descriptor) { (void)events; (void)descriptor; }
int platform_events_wait(int events, int *descriptors, int capacity, int milliseconds) {
    (void)events; (void)descriptors; (void)capacity; (void)milliseconds;
    errno = ENOSYS;
    return -1;
}
#endif
