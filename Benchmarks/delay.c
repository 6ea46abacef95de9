/* Passes on the connections of a Unix socket to another one, each byte half a round trip later:

       delay SOCKET TARGET MICROSECONDS

   One thread serves all connections. It never waits for a slow receiver, so a pipeline of statements cannot stop it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 256, ROOM = 65536 };

struct chunk {
    struct chunk *next;
    int64_t due;
    size_t length, sent;
    char bytes[];
};

/* A direction of a connection. */
struct way {
    int from, to, is_ended, is_full;
    struct chunk *first, **last;
};

/* The directions at 2n and 2n + 1 belong to one connection. */
static struct way ways[2 * MOST];
static int count;
static int64_t half;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int socket_at(const char *path, int connecting) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int result = connecting ? connect(descriptor, (void *)&address, sizeof address)
                            : (bind(descriptor, (void *)&address, sizeof address) || listen(descriptor, 128));
    if (result) {
        perror(path);
        exit(1);
    }
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    return descriptor;
}

static void open_way(struct way *way, int from, int to) {
    *way = (struct way){.from = from, .to = to};
    way->last = &way->first;
}

static void receive(struct way *way, int64_t due) {
    struct chunk *chunk = malloc(sizeof *chunk + ROOM);
    if (!chunk) exit(1);
    ssize_t length = read(way->from, chunk->bytes, ROOM);
    if (length <= 0) {
        free(chunk);
        if (length == 0 || (errno != EAGAIN && errno != EINTR)) way->is_ended = 1;
        return;
    }
    *chunk = (struct chunk){.due = due, .length = (size_t)length};
    struct chunk *smaller = realloc(chunk, sizeof *chunk + (size_t)length);
    if (smaller) chunk = smaller;
    *way->last = chunk;
    way->last = &chunk->next;
}

static void deliver(struct way *way, int64_t time) {
    way->is_full = 0;
    while (way->first && way->first->due <= time) {
        struct chunk *chunk = way->first;
        ssize_t written = write(way->to, chunk->bytes + chunk->sent, chunk->length - chunk->sent);
        if (written < 0) {
            if (errno == EAGAIN) way->is_full = 1;
            else way->is_ended = 1;
            if (way->is_full) return;
            written = (ssize_t)(chunk->length - chunk->sent);
        }
        chunk->sent += (size_t)written;
        if (chunk->sent < chunk->length) continue;
        way->first = chunk->next;
        if (!way->first) way->last = &way->first;
        free(chunk);
    }
}

static void close_pair(int index) {
    for (int way = index; way < index + 2; way++)
        while (ways[way].first) {
            struct chunk *chunk = ways[way].first;
            ways[way].first = chunk->next;
            free(chunk);
        }
    close(ways[index].from);
    close(ways[index].to);
    count -= 2;
    /* The last connection moves into the gap. An empty queue ends at its own first chunk. */
    for (int way = 0; way < 2 && index < count; way++) {
        ways[index + way] = ways[count + way];
        if (!ways[index + way].first) ways[index + way].last = &ways[index + way].first;
    }
}

int main(int argc, char **argv) {
    if (argc != 4) return 64;
    half = atoll(argv[3]) * 1000 / 2;
    signal(SIGPIPE, SIG_IGN);
    /* By default, the kernel may wake a thread 50 µs late. */
    prctl(PR_SET_TIMERSLACK, 1);
    unlink(argv[1]);
    int listener = socket_at(argv[1], 0);
    while (1) {
        struct pollfd files[4 * MOST + 1] = {{.fd = listener, .events = POLLIN}};
        int64_t time = now(), next = INT64_MAX;
        for (int index = 0; index < count; index++) {
            struct way *way = &ways[index];
            files[2 * index + 1] = (struct pollfd){.fd = way->is_ended ? -1 : way->from, .events = POLLIN};
            files[2 * index + 2] = (struct pollfd){.fd = way->is_full ? way->to : -1, .events = POLLOUT};
            if (way->first && !way->is_full && way->first->due < next) next = way->first->due;
        }
        int64_t wait = next > time ? next - time : 0;
        struct timespec timeout = {wait / 1000000000, wait % 1000000000};
        if (ppoll(files, (nfds_t)(2 * count + 1), next == INT64_MAX ? NULL : &timeout, NULL) < 0 && errno != EINTR) return 1;
        time = now();
        for (int index = 0; index < count; index++) {
            if (files[2 * index + 1].revents) receive(&ways[index], time + half);
            if (!ways[index].is_full || files[2 * index + 2].revents) deliver(&ways[index], time);
        }
        for (int index = count - 2; index >= 0; index -= 2)
            if ((ways[index].is_ended && !ways[index].first) || (ways[index + 1].is_ended && !ways[index + 1].first)) close_pair(index);
        if (files[0].revents) {
            int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (client >= 0 && count < 2 * MOST) {
                int server = socket_at(argv[2], 1);
                open_way(&ways[count++], client, server);
                open_way(&ways[count++], server, client);
            }
        }
    }
}
