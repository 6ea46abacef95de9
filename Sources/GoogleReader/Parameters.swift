import HTTPServer

/// The parameters of a request, from the address and from the form in the body.
struct Parameters {
    private let items: [HTTPQuery.Item]

    /// Reads all parameters of a request, those of the address first.
    init(of request: HTTPRequest) throws(ReaderError) {
        items = request.target.query.items + (try Self(bodyOf: request).items)
    }

    /// Reads the parameters in the body.
    init(bodyOf request: HTTPRequest) throws(ReaderError) {
        let type = request.fields[.contentType]?.text ?? ""
        let read =
            type.lowercased().hasPrefix("multipart/form-data")
            ? Self.boundary(in: type).flatMap { Self.parts(of: request.body, boundary: $0) }
            : HTTPQuery(form: request.body)?.items
        guard let read else { throw .badRequest("the form is malformed") }
        items = read
    }

    /// The first value of a parameter; nil if the request does not have it.
    subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// Returns all values of a parameter, in the order of the request.
    func values(of name: String) -> [String] { items.compactMap { $0.name == name ? $0.value : nil } }

    /// Refuses unknown parameters, except harmless ones. An unknown filter may exclude articles that the response would
    /// contain.
    func refuse(otherThan known: Set<String>) throws(ReaderError) {
        let other = items.first { !known.contains($0.name) && !Self.harmless.contains($0.name) }
        if let other { throw .badRequest("unknown parameter \(other.name)") }
    }

    /// Parameters that describe the client or the form of the response.
    private static let harmless: Set = [
        "output", "client", "ck", "T", "access_token", "AppId", "AppKey", "likes", "comments", "sharers", "annotations",
        "mediaRss", "trans", "pos", "hl", "lang", "locale", "alt", "format", "pretty", "prettyPrint", "service",
        "source",
        "accountType", "refresh", "autorefresh", "nocache", "_", "v",
    ]

    private static func boundary(in type: String) -> String? {
        attribute("boundary", in: type)
    }

    /// Returns the fields of a multipart form (RFC 7578); nil if it is cut off or is not UTF-8.
    private static func parts(of body: [UInt8], boundary: String) -> [HTTPQuery.Item]? {
        guard let text = String(validating: body, as: UTF8.self), !boundary.isEmpty else { return nil }
        let parts = ("\r\n" + text).split(separator: "\r\n--" + boundary, omittingEmptySubsequences: false).dropFirst()
        guard let end = parts.last, end.hasPrefix("--") else { return nil }
        var items: [HTTPQuery.Item] = []
        for part in parts.dropLast() {
            let halves = part.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2,
                let line = halves[0].split(separator: "\r\n").first(where: {
                    $0.lowercased().hasPrefix("content-disposition:")
                }),
                let name = attribute("name", in: String(line))
            else { return nil }
            items.append(HTTPQuery.Item(name: name, value: String(halves[1])))
        }
        return items
    }

    /// Returns the value after `; name=` in a field, with or without quotes.
    private static func attribute(_ name: String, in field: String) -> String? {
        for part in field.split(separator: ";").dropFirst() {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].lowercased() == name else { continue }
            let value = pair[1]
            return value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
                ? String(value.dropFirst().dropLast()) : String(value)
        }
        return nil
    }
}
