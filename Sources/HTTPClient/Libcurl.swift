internal import CCurl

/// The functions of libcurl. They may be called from any thread.
struct Libcurl: @unchecked Sendable {
    let functions: UnsafePointer<libcurl>

    /// Loads the library at the first call.
    ///
    /// - Throws: `HTTPClientError.unavailable` if it cannot be loaded.
    init() throws(HTTPClientError) {
        guard let functions = libcurl_load() else {
            throw .unavailable(libcurl_load_error().map { String(cString: $0) } ?? "unknown error")
        }
        self.functions = functions
    }
}
