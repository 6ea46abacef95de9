#pragma once
#include <microhttpd.h>

// Swift cannot call variadic functions, and it cannot see the names of the library's enum cases.

static inline enum MHD_Result mhd_yes(void) { return MHD_YES; }
static inline enum MHD_Result mhd_no(void) { return MHD_NO; }
static inline int mhd_has_ended_well(enum MHD_RequestTerminationCode code) { return code == MHD_REQUEST_TERMINATED_COMPLETED_OK; }
static inline int mhd_is_closed(enum MHD_ConnectionNotificationCode code) { return code == MHD_CONNECTION_NOTIFY_CLOSED; }
static inline ssize_t mhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t mhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

/// The settings of a daemon. The certificate and its key, in PEM, are NULL without TLS.
struct mhd_settings {
    MHD_AccessHandlerCallback handle;
    void *(*line)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *context;
    size_t memory;
    unsigned int connections;
    unsigned int idle_seconds;
    const char *certificate;
    const char *key;
    const char *priorities;
};

/// Leaves percent-encoding unchanged, because another module decodes the target.
static inline size_t mhd_leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return __builtin_strlen(text);
}

/// Starts a daemon without a thread. The caller accepts the connections, waits for events (`mhd_events`), and runs the
/// daemon on a thread that does not receive SIGPIPE. Returns NULL on failure.
static inline struct MHD_Daemon *mhd_start(const struct mhd_settings *settings) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)settings->priorities},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    unsigned int flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME;
    if (settings->certificate) flags |= MHD_USE_TLS;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, settings->handle, settings->context,
        MHD_OPTION_ARRAY, settings->certificate ? tls : none,
        MHD_OPTION_URI_LOG_CALLBACK, settings->line, settings->context,
        MHD_OPTION_UNESCAPE_CALLBACK, mhd_leave_escaped, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection, settings->context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_END);
}

/// Returns a descriptor that can be read when an event of a connection has arrived.
static inline int mhd_events(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/// Returns the socket of a connection.
static inline int mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// Returns the value that was stored for the socket, or NULL.
static inline void *mhd_socket_state(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// Returns the size of a request's head in bytes, from the method to the empty line, after it was read completely.
static inline size_t mhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/// Calls `each` for the fields of a request's head, in order.
static inline void mhd_each_field(struct MHD_Connection *connection, MHD_KeyValueIteratorN each, void *context) {
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, each, context);
}

/// Creates a response from bytes, which are copied.
static inline struct MHD_Response *mhd_response(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

/// Creates a response of a known length that is read in pieces.
static inline struct MHD_Response *mhd_large_response(
    uint64_t size, MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback release) {
    return MHD_create_response_from_callback(size, 32768, read, context, release);
}

/// Creates the head of a response without a body and without a known length. The connection ends after it, because
/// otherwise the library would send a last chunk.
static inline struct MHD_Response *mhd_response_of_unknown_length(MHD_ContentReaderCallback read) {
    struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, read, NULL, NULL);
    if (response) MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    return response;
}

/// Creates a response whose length is unknown until it ends.
static inline struct MHD_Response *mhd_streamed_response(
    MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback release) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, read, context, release);
}
