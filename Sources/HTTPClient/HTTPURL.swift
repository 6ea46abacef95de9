internal import CCurl

/// An absolute address of the web, parsed as libcurl parses it, so that a check and the request agree about its parts.
package struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    /// The normalized address without its fragment.
    package let text: String
    /// Whether the scheme is `https`.
    package let isSecure: Bool
    /// The host in lower case: a name in ASCII, or digits, with brackets around an IPv6 address.
    package let host: String
    /// The port, also if it is the default of the scheme.
    package let port: Int

    package var description: String { text }

    /// The scheme, the host, and the port.
    package var origin: String { "\(isSecure ? "https" : "http")://\(host):\(port)" }

    /// Parses an address as people type it: without a scheme, `https` is assumed. Browsers and readers may put `feed:` before
    /// the address of a feed, or in place of `http:`.
    ///
    /// - Throws: the errors of ``init(_:relativeTo:)``.
    package init(typed text: String) throws(HTTPClientError) {
        var text = text
        if text.lowercased().hasPrefix("feed:") {
            text.removeFirst("feed:".count)
            if text.hasPrefix("//") { text = "http:" + text }
        }
        try self.init(text.contains("://") ? text : "https://" + text)
    }

    /// Parses an address.
    ///
    /// - Parameters:
    ///   - text: an absolute address, or a reference that is relative to `base`.
    ///   - base: the address of the document that contains the reference.
    /// - Throws: `HTTPClientError.badAddress` if the text is not an address or contains a user; `badScheme`; `unavailable`.
    package init(_ text: String, relativeTo base: HTTPURL? = nil) throws(HTTPClientError) {
        let libcurl = try Libcurl().functions.pointee
        guard let url = libcurl.curl_url() else { throw .outOfMemory }
        defer { libcurl.curl_url_cleanup(url) }
        func set(_ text: String) -> Bool {
            let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_DISALLOW_USER | CURLU_URLENCODE)
            return libcurl.curl_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK
        }
        func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
            var bytes: UnsafeMutablePointer<CChar>?
            guard libcurl.curl_url_get(url, part, &bytes, UInt32(flags)) == CURLUE_OK, let bytes else { return nil }
            defer { libcurl.curl_free(bytes) }
            return String(cString: bytes)
        }
        if let base { guard set(base.text) else { throw .badAddress(text) } }
        guard !text.utf8.contains(0), set(text) else { throw .badAddress(text) }
        _ = libcurl.curl_url_set(url, CURLUPART_FRAGMENT, nil, 0)
        guard let scheme = part(CURLUPART_SCHEME) else { throw .badAddress(text) }
        guard scheme == "http" || scheme == "https" else { throw .badScheme(scheme) }
        guard let host = part(CURLUPART_HOST)?.lowercased(), !host.isEmpty,
            libcurl.curl_url_set(url, CURLUPART_HOST, host, 0) == CURLUE_OK,
            let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) }),
            let whole = part(CURLUPART_URL, CURLU_NO_DEFAULT_PORT)
        else { throw .badAddress(text) }
        self.text = whole
        isSecure = scheme == "https"
        self.host = host
        self.port = port
    }
}
