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
            HTTPQuery.isMultipart(type)
            ? HTTPQuery(multipart: request.body, type: type)?.items : HTTPQuery(form: request.body)?.items
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
}
