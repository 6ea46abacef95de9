import CMicroHTTPD

/// The connection as libmicrohttpd knows it.
///
/// It may be handed from thread to thread: it is resumed from any, which the library allows, and everything else is
/// done by the thread that the library calls on.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}
