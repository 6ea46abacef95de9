import CMicroHTTPD

/// The handle of a connection in libmicrohttpd.
///
/// It may be passed between threads: the library allows resuming from any thread, and everything else happens on the
/// thread that the library calls.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}
