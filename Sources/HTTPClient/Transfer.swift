internal import CCurl
internal import Platform
internal import Text

/// A single request and its response, without redirects. Only the thread of the ``TransferLoop`` uses it after it was
/// given to that.
final class Transfer: @unchecked Sendable {
    /// The response to a single request.
    struct Response: Sendable {
        var status = 0
        var fields: [HTTPClientField] = []
        var body: [UInt8] = []
        /// The time from the beginning of the transfer to its end.
        var duration = Duration.zero

        /// The address of a redirect.
        var location: String? { fields.first { $0.isNamed("location") }?.text }
    }

    let handle: UnsafeMutableRawPointer
    private let libcurl: Libcurl
    let url: HTTPURL
    private let configuration: HTTPClientConfiguration
    private var list: UnsafeMutablePointer<curl_slist>?
    private var response = Response()
    private var headerSize = 0
    /// The reason why a callback ended the transfer.
    private var refusal: HTTPClientError?
    /// Whether the host has an address to which requests may not go.
    private var hasForbiddenAddress = false

    private var begun: ContinuousClock.Instant?

    /// - Parameter patience: The time for the transfer from its beginning.
    /// - Throws: `HTTPClientError`: `timedOut` if no time is left, `badField` if a field could begin another one.
    init(
        _ url: HTTPURL, fields: [HTTPClientField], form: [(name: String, value: String)]?,
        credentials: (user: String, password: String)?, _ configuration: HTTPClientConfiguration, patience: Duration
    ) throws(HTTPClientError) {
        let milliseconds = Int(patience / .milliseconds(1))
        guard milliseconds > 0 else { throw .timedOut }
        for field in fields where !field.canBeSent { throw .badField(field.name) }
        (self.url, self.configuration) = (url, configuration)
        libcurl = try Libcurl()
        guard let handle = libcurl.functions.pointee.curl_easy_init() else { throw .outOfMemory }
        self.handle = handle
        set(CURLOPT_URL, url.text)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_PROXY, "")
        set(CURLOPT_USERAGENT, configuration.userAgent)
        // Accept all encodings that libcurl can decompress.
        set(CURLOPT_ACCEPT_ENCODING, "")
        set(CURLOPT_TIMEOUT_MS, milliseconds)
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(configuration.connectPatience / .milliseconds(1)))
        set(CURLOPT_MAXFILESIZE, configuration.bodyBytes)
        if let authorities = configuration.authorities { set(CURLOPT_CAINFO, authorities) }
        if let credentials {
            set(CURLOPT_HTTPAUTH, 1)  // CURLAUTH_BASIC
            set(CURLOPT_USERNAME, credentials.user)
            set(CURLOPT_PASSWORD, credentials.password)
        }
        if let form {
            let text = form.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
            set(CURLOPT_POSTFIELDSIZE, text.utf8.count)
            set(CURLOPT_COPYPOSTFIELDS, text)
        }
        for field in fields {
            // libcurl copies the line. With a semicolon instead of the colon, it sends an empty value.
            let line = Array(field.name.utf8) + (field.value.isEmpty ? [0x3B] : [0x3A, 0x20] + field.value) + [0]
            list = line.withUnsafeBufferPointer { line in
                line.withMemoryRebound(to: CChar.self) {
                    libcurl.functions.pointee.curl_slist_append(list, $0.baseAddress)
                }
            }
        }
        libcurl_set_pointer(libcurl.functions, handle, CURLOPT_HTTPHEADER, list)
        setCallbacks()
    }

    deinit {
        libcurl.functions.pointee.curl_easy_cleanup(handle)
        libcurl.functions.pointee.curl_slist_free_all(list)
    }

    /// Called when the transfer begins.
    func begin() { begun = .now }

    private func set(_ option: CURLoption, _ value: Int) { libcurl_set_long(libcurl.functions, handle, option, value) }

    /// Sets a text, which libcurl copies.
    private func set(_ option: CURLoption, _ value: String) {
        _ = value.withCString { libcurl_set_pointer(libcurl.functions, handle, option, $0) }
    }

    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA] {
            libcurl_set_pointer(libcurl.functions, handle, option, context)
        }
        libcurl_set_receiver(libcurl.functions, handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let (transfer, bytes) = Transfer.received(bytes, size * count, context) else { return 0 }
            return transfer.receive(header: bytes) ? bytes.count : 0
        }
        libcurl_set_receiver(libcurl.functions, handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let (transfer, bytes) = Transfer.received(bytes, size * count, context) else { return 0 }
            return transfer.receive(body: bytes) ? bytes.count : 0
        }
        libcurl_set_opener(libcurl.functions, handle) { context, _, address in
            guard let context, let address else { return -1 }
            return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().open(&address.pointee)
        }
    }

    private static func received(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?
    ) -> (Transfer, UnsafeRawBufferPointer)? {
        guard let bytes, let context else { return nil }
        return (
            Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue(),
            UnsafeRawBufferPointer(start: bytes, count: count)
        )
    }

    /// Receives a line of the header.
    private func receive(header line: UnsafeRawBufferPointer) -> Bool {
        headerSize += line.count
        guard headerSize <= configuration.headerBytes else {
            refusal = .headerTooLarge(configuration.headerBytes)
            return false
        }
        // A response begins, after one that was only information.
        if line.starts(with: "HTTP/".utf8) { response.fields = [] }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        var value = line[(colon + 1)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        // A carriage return within a value becomes a space (RFC 9110, section 5.5). A later request with this value, such as
        // that of ETag, could not be sent.
        let bytes = value.map { $0 == 0x0D ? 0x20 : $0 }
        response.fields.append(HTTPClientField(String(decoding: line[..<colon], as: UTF8.self), bytes))
        return true
    }

    /// Receives a part of the decompressed body.
    private func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard response.body.count + bytes.count <= configuration.bodyBytes else {
            refusal = .bodyTooLarge(configuration.bodyBytes)
            return false
        }
        response.body += bytes
        return true
    }

    /// Opens a socket for an address of the host, if requests may go there.
    private func open(_ address: inout curl_sockaddr) -> curl_socket_t {
        if !configuration.trustedHosts.contains(url.host) {
            let isPublic = withUnsafePointer(to: &address.addr) { NetworkAddress($0)?.isPublic } ?? false
            guard isPublic else {
                hasForbiddenAddress = true
                return -1
            }
        }
        let descriptor = socket(address.family, address.socktype, address.protocol)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }

    /// The result, after libcurl has ended the transfer with a code.
    func result(_ code: CURLcode) -> Result<Response, HTTPClientError> {
        guard code == CURLE_OK else { return .failure(refusal ?? error(for: code)) }
        response.status = libcurl_status(libcurl.functions, handle)
        response.duration = begun.map { $0.duration(to: .now) } ?? .zero
        return .success(response)
    }

    private func error(for code: CURLcode) -> HTTPClientError {
        let reason =
            libcurl.functions.pointee.curl_easy_strerror(code).map { String(cString: $0) } ?? "code \(code.rawValue)"
        return switch code {
        case CURLE_URL_MALFORMAT: .badAddress(url.text)
        case CURLE_COULDNT_RESOLVE_HOST: .unknownHost(url.host)
        case CURLE_COULDNT_CONNECT: hasForbiddenAddress ? .forbiddenHost(url.host) : .noConnection(url.host)
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_FILESIZE_EXCEEDED: .bodyTooLarge(configuration.bodyBytes)
        case CURLE_OUT_OF_MEMORY: .outOfMemory
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            .insecure(host: url.host, reason: reason)
        default: .brokenResponse(reason)
        }
    }
}
