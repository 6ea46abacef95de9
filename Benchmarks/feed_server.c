// Serves many feeds on loopback with little work for each request: feed_server PORT HOSTS FEEDS ENTRIES
//
// Feed n has the path /n and belongs to host n % HOSTS. The hosts are 127.0.1.1, 127.0.1.2, and so on, with 250 on each network.
// A feed has ENTRIES entries of about 1.2 kB. Each response has ETag and Last-Modified, and a request with either of them is
// answered with 304 if the feed has not changed. Other paths do not exist. Connections stay open, as HTTP/1.1 asks for.
//
// The server prints "ready" when it listens. Each line of standard input is a command:
//
// publish STEP  adds an entry to each feed whose number is a multiple of STEP
// counts        prints the numbers of responses with 200, 304, and 404 since the last time, and of requests without a validator
//               for a feed
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST = 4096, DAY = 24 * 3600, FIRST_DAY = 1600000000 };

// The state of a connection, by its descriptor.
struct connection {
    size_t received, sent, length;
    char *response, request[REQUEST];
    bool closes;
};

static long feeds, entries, counts[4];
static long *versions;
// When the feeds have changed.
static time_t *changes;
static struct connection **connections;
static int limit, epoll;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static size_t date(char *text, size_t size, time_t time) {
    struct tm parts;
    return strftime(text, size, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&time, &parts));
}

static size_t body(char *text, long feed) {
    static const char filler[] = "A sentence that is about as long as most of those in feeds are. ";
    long last = entries + versions[feed];
    char *end = text + sprintf(
        text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\"><channel><title>Feed %ld</title>"
        "<description>D</description>", feed);
    for (long n = last - entries + 1; n <= last; n++) {
        char day[64];
        date(day, sizeof day, FIRST_DAY + n * DAY);
        end += sprintf(end, "<item><title>Entry %ld of %ld</title><guid isPermaLink=\"false\">%ld-%ld</guid>"
            "<link>https://example.org/%ld/%ld</link><pubDate>%s</pubDate><description>Text %ld of %ld. ", n, feed, feed, n, feed,
            n, day, n, feed);
        for (int part = 0; part < 16; part++) end = mempcpy(end, filler, sizeof filler - 1);
        end = stpcpy(end, "</description></item>");
    }
    return stpcpy(end, "</channel></rss>") - text;
}

// Returns whether the request has a field with this value. A value of NULL stands for any.
static bool has_field(const char *request, const char *name, const char *value) {
    const char *field = strcasestr(request, name);
    if (!field) return false;
    field += strlen(name);
    while (*field == ' ') field++;
    return !value || !strncmp(field, value, strlen(value));
}

static void respond(struct connection *connection) {
    const char *request = connection->request;
    char *end;
    long feed = strncmp(request, "GET /", 5) ? -1 : strtol(request + 5, &end, 10);
    connection->closes = has_field(request, "\r\nconnection:", "close") || strstr(request, " HTTP/1.0\r\n");
    const char *persistence = connection->closes ? "Connection: close\r\n" : "";
    connection->sent = 0;
    if (feed < 0 || feed >= feeds || end == request + 5 || *end != ' ') {
        counts[2]++;
        connection->response = malloc(128);
        connection->length = sprintf(connection->response, "HTTP/1.1 404 Not Found\r\n%sContent-Length: 0\r\n\r\n", persistence);
        return;
    }
    char tag[64], day[64], fields[256];
    sprintf(tag, "\"%ld-%ld\"", feed, versions[feed]);
    date(day, sizeof day, changes[feed]);
    bool has_tag = has_field(request, "\r\nif-none-match:", NULL), has_date = has_field(request, "\r\nif-modified-since:", NULL);
    // A tag takes precedence over a date (RFC 9110, section 13.2.2).
    bool same = has_tag ? has_field(request, "\r\nif-none-match:", tag) : has_field(request, "\r\nif-modified-since:", day);
    counts[same ? 1 : 0]++;
    if (!has_tag && !has_date) counts[3]++;
    sprintf(fields, "%sETag: %s\r\nLast-Modified: %s\r\n", persistence, tag, day);
    if (same) {
        connection->response = malloc(512);
        connection->length = sprintf(connection->response, "HTTP/1.1 304 Not Modified\r\n%s\r\n", fields);
        return;
    }
    connection->response = malloc(1024 + entries * 1600);
    char *document = connection->response + 512;
    size_t size = body(document, feed);
    char head[512];
    int length = sprintf(
        head, "HTTP/1.1 200 OK\r\n%sContent-Type: application/rss+xml\r\nContent-Length: %zu\r\n\r\n", fields, size);
    memcpy(connection->response, head, length);
    memmove(connection->response + length, document, size);
    connection->length = length + size;
}

static void finish(int descriptor) {
    struct connection *connection = connections[descriptor];
    connections[descriptor] = NULL;
    free(connection->response);
    free(connection);
    close(descriptor);
}

// Reads requests and writes responses until the client must act.
static void serve(int descriptor) {
    struct connection *connection = connections[descriptor];
    while (true) {
        while (connection->response) {
            ssize_t count = send(
                descriptor, connection->response + connection->sent, connection->length - connection->sent, MSG_NOSIGNAL);
            if (count < 0 && errno == EAGAIN) return;
            if (count < 0) return finish(descriptor);
            connection->sent += count;
            if (connection->sent < connection->length) continue;
            free(connection->response);
            connection->response = NULL;
            if (connection->closes) return finish(descriptor);
        }
        ssize_t count = recv(descriptor, connection->request + connection->received, REQUEST - 1 - connection->received, 0);
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) return finish(descriptor);
        connection->received += count;
        connection->request[connection->received] = 0;
        if (strstr(connection->request, "\r\n\r\n")) {
            respond(connection);
            connection->received = 0;
        } else if (connection->received == REQUEST - 1) {
            return finish(descriptor);
        }
    }
}

static void command(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) exit(0);
    long step;
    if (sscanf(line, "publish %ld", &step) == 1 && step > 0) {
        for (long feed = 0; feed < feeds; feed += step) {
            versions[feed]++;
            changes[feed] = time(NULL);
        }
        puts("done");
    } else {
        printf("%ld %ld %ld %ld\n", counts[0], counts[1], counts[2], counts[3]);
        memset(counts, 0, sizeof counts);
    }
    fflush(stdout);
}

static void watch(int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)) fail("epoll_ctl");
}

int main(int count, char **arguments) {
    if (count != 5) return 64;
    int port = atoi(arguments[1]), hosts = atoi(arguments[2]);
    feeds = atol(arguments[3]), entries = atol(arguments[4]);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    limit = files.rlim_cur < 1 << 20 ? (int)files.rlim_cur : 1 << 20;
    versions = calloc(feeds, sizeof *versions);
    changes = calloc(feeds, sizeof *changes);
    for (long feed = 0; feed < feeds; feed++) changes[feed] = time(NULL) - DAY;
    connections = calloc(limit, sizeof *connections);
    bool *listens = calloc(limit, sizeof *listens);
    if ((epoll = epoll_create1(0)) < 0) fail("epoll_create1");
    setvbuf(stdin, NULL, _IONBF, 0);
    watch(STDIN_FILENO, EPOLLIN);
    for (int host = 0; host < hosts; host++) {
        int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
        if (listener < 0) fail("socket");
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
        address.sin_addr.s_addr = htonl(0x7F000101 + host / 250 * 256 + host % 250);
        if (bind(listener, (struct sockaddr *)&address, sizeof address)) fail("bind");
        if (listen(listener, 256)) fail("listen");
        listens[listener] = true;
        watch(listener, EPOLLIN);
    }
    puts("ready");
    fflush(stdout);
    struct epoll_event events[256];
    while (true) {
        int ready = epoll_wait(epoll, events, 256, -1);
        for (int n = 0; n < ready; n++) {
            int descriptor = events[n].data.fd;
            if (descriptor == STDIN_FILENO) {
                command();
            } else if (!listens[descriptor]) {
                if (connections[descriptor]) serve(descriptor);
            } else {
                int accepted;
                while ((accepted = accept4(descriptor, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                    int on = 1;
                    setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                    connections[accepted] = calloc(1, sizeof **connections);
                    if (!connections[accepted]) fail("calloc");
                    watch(accepted, EPOLLIN | EPOLLOUT | EPOLLET);
                    serve(accepted);
                }
                if (errno != EAGAIN && errno != ECONNABORTED) fail("accept");
            }
        }
    }
}
