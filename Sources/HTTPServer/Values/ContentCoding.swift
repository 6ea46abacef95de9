internal import CZlib
internal import Text

/// The content coding of a body (RFC 9110, section 8.4), if the client accepts it.
extension HTTPResponse {
    /// Returns the response compressed with gzip, if the client accepts it and the response is text of at least 1 KiB.
    ///
    /// The ETag differs from that of the uncompressed response: see ``HTTPRequest/withoutContentCoding``.
    package func compressed(for request: HTTPRequest) -> HTTPResponse {
        guard case .bytes(let bytes) = body, bytes.count >= 1_024, fields[.contentEncoding] == nil, isText,
            fields[.contentLength] == nil
        else { return self }
        var response = self
        response.fields.append("accept-encoding", for: .vary)
        guard request.acceptsGzip, let packed = Self.gzip(bytes) else { return response }
        response.body = .bytes(packed)
        response.fields[.contentEncoding] = "gzip"
        if let tag = fields[.eTag]?.text, tag.hasSuffix("\""),
            let other = try? HTTPFieldValue(tag.dropLast() + "\(HTTPRequest.codedTag)")
        {
            response.fields[.eTag] = other
        }
        return response
    }

    private var isText: Bool {
        guard let type = fields[.contentType]?.text else { return false }
        let name = type.prefix { $0 != ";" }
        return name.hasPrefix("text/") || name.hasSuffix("json") || name.hasSuffix("xml")
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        let room = zlib_gzip_bound(bytes.count)
        let packed = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            count = zlib_gzip(bytes, bytes.count, buffer.baseAddress, room, 5)
        }
        return packed.isEmpty || packed.count >= bytes.count ? nil : packed
    }
}

extension HTTPRequest {
    fileprivate static let codedTag: StaticString = "-gzip\""

    /// The request with the ETags of uncompressed responses, whatever coding the client has.
    package var withoutContentCoding: HTTPRequest {
        var request = self
        for name in [HTTPFieldName.ifNoneMatch, .ifMatch] {
            guard let text = fields.list(of: name), text.contains(bytesOf: Self.codedTag) else { continue }
            request.fields[name] = try? HTTPFieldValue(text.replacing("\(Self.codedTag)", with: "\""))
        }
        return request
    }

    /// Whether the client accepts gzip and does not prefer an uncompressed response.
    package var acceptsGzip: Bool {
        var qualities: [String: Double] = [:]
        for field in fields.values(of: "accept-encoding") {
            for part in field.text.split(separator: ",") {
                let pieces = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
                guard let name = pieces.first else { continue }
                let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
                qualities[name] = quality
            }
        }
        let gzip = qualities["gzip"] ?? qualities["x-gzip"] ?? qualities["*"] ?? 0
        return gzip > 0 && gzip >= qualities["identity"] ?? 0
    }
}
