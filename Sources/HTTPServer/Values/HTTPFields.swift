/// The fields of a request or a response, in their order. A name may occur more than once.
package struct HTTPFields: Hashable, Sendable, ExpressibleByDictionaryLiteral, Sequence {
    /// A field with its name and value.
    package struct Field: Hashable, Sendable {
        /// The name.
        package let name: HTTPFieldName
        /// The value.
        package let value: HTTPFieldValue
    }

    private var fields: [Field] = []

    /// No fields.
    package init() {}

    /// Creates fields from a literal. A name may occur more than once.
    package init(dictionaryLiteral elements: (HTTPFieldName, HTTPFieldValue)...) {
        fields = elements.map(Field.init)
    }

    /// The first value of a field. Setting it replaces all values of the field, and setting it to nil removes them.
    package subscript(name: HTTPFieldName) -> HTTPFieldValue? {
        get { fields.first { $0.name == name }?.value }
        set {
            let place = fields.firstIndex { $0.name == name }
            guard let newValue else { return fields.removeAll { $0.name == name } }
            guard let place else { return append(newValue, for: name) }
            fields[place] = Field(name: name, value: newValue)
            if fields.lastIndex(where: { $0.name == name }) != place {
                fields = fields.enumerated().filter { $0.offset <= place || $0.element.name != name }.map(\.element)
            }
        }
    }

    /// Returns all values of a field, in their order.
    package func values(of name: HTTPFieldName) -> [HTTPFieldValue] {
        fields.compactMap { $0.name == name ? $0.value : nil }
    }

    /// Returns the list of a field that can occur on several lines; nil if there is none. Source: RFC 9110, section 5.3.
    package func list(of name: HTTPFieldName) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.map(\.text).joined(separator: ", ")
    }

    /// Adds a field, even if one with that name exists.
    package mutating func append(_ value: HTTPFieldValue, for name: HTTPFieldName) {
        fields.append(Field(name: name, value: value))
    }

    mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

    /// Iterates over the fields in their order.
    package func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    /// The number of fields.
    package var count: Int { fields.count }
}

/// The name of a header field. Case does not matter.
///
/// An invalid literal stops the program, like an index out of range. For names from input, use `init(_:)`.
package struct HTTPFieldName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, in lower case.
    package let text: String

    /// Creates a name from input; nil if it is not a token of HTTP.
    package init?(_ text: String) {
        guard isToken(text.utf8) else { return nil }
        self.init(token: text)
    }

    /// Creates a name from a literal in the program.
    package init(stringLiteral text: String) {
        precondition(isToken(text.utf8), "\(text) is not a valid field name.")
        self.init(token: text)
    }

    private init(token: String) {
        let isLower = token.utf8.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0) }
        text = isLower ? token : token.lowercased()
    }

    /// The name, in lower case.
    package var description: String { text }

    /// The media types that the client accepts.
    package static let accept: HTTPFieldName = "accept"
    /// The methods that a resource supports.
    package static let allow: HTTPFieldName = "allow"
    /// The credentials of the client.
    package static let authorization: HTTPFieldName = "authorization"
    /// The time for which a response may be cached.
    package static let cacheControl: HTTPFieldName = "cache-control"
    /// Whether the connection stays open; set by the server.
    package static let connection: HTTPFieldName = "connection"
    /// The compression of a body.
    package static let contentEncoding: HTTPFieldName = "content-encoding"
    /// The length of a body; set by the server.
    package static let contentLength: HTTPFieldName = "content-length"
    /// The media type of a body.
    package static let contentType: HTTPFieldName = "content-type"
    /// The cookies that the client stored.
    package static let cookie: HTTPFieldName = "cookie"
    /// The time of a response; set by the server.
    package static let date: HTTPFieldName = "date"
    /// The version of a resource.
    package static let eTag: HTTPFieldName = "etag"
    /// The response that the client expects before it sends a body.
    package static let expect: HTTPFieldName = "expect"
    /// The host that the client wants to reach.
    package static let host: HTTPFieldName = "host"
    /// The version that the client wants to change.
    package static let ifMatch: HTTPFieldName = "if-match"
    /// The version that the client has.
    package static let ifNoneMatch: HTTPFieldName = "if-none-match"
    /// The address to continue at.
    package static let location: HTTPFieldName = "location"
    /// The time after which to try again.
    package static let retryAfter: HTTPFieldName = "retry-after"
    /// A cookie for the client to store.
    package static let setCookie: HTTPFieldName = "set-cookie"
    /// The transfer encoding of a body, such as chunks; set by the server.
    package static let transferEncoding: HTTPFieldName = "transfer-encoding"
    /// The name of the client program.
    package static let userAgent: HTTPFieldName = "user-agent"
    /// The request fields on which a response depends.
    package static let vary: HTTPFieldName = "vary"
}

/// The value of a header field. It never contains a control character such as a line break, so a value cannot add a
/// field or end the head.
///
/// An invalid literal stops the program, like an index out of range. For values from input, use `init(_:)`.
package struct HTTPFieldValue: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The value, without white space around it.
    package let text: String

    /// Creates a value from input.
    ///
    /// - Throws: `HTTPFieldError` if it contains a line break or another control character.
    package init(_ text: String) throws(HTTPFieldError) {
        guard let value = HTTPFieldValue(checking: text) else { throw HTTPFieldError(value: text) }
        self = value
    }

    /// Creates a value from a literal in the program, which input cannot change.
    package init(stringLiteral text: String) {
        guard let value = HTTPFieldValue(checking: text) else {
            preconditionFailure("The value of a header field contains a control character.")
        }
        self = value
    }

    /// Creates a value from a number.
    package init(_ number: Int) { text = String(number) }

    init?(checking text: String) {
        guard text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = Self.trimmed(text)
    }

    /// Creates a value from received bytes: UTF-8, or else Latin-1, as in older versions of HTTP. Nil if they contain a
    /// control character.
    init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.allSatisfy(Self.isAllowed) else { return nil }
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
        self.text = Self.trimmed(text)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7F : byte == UInt8(ascii: "\t")
    }

    /// Removes white space at both ends. A combining character after a space belongs to the value.
    private static func trimmed(_ text: some StringProtocol) -> String {
        func isBlank(_ scalar: Unicode.Scalar?) -> Bool { scalar == " " || scalar == "\t" }
        // Fast path: most values need no trimming, and are not copied.
        guard isBlank(text.unicodeScalars.first) || isBlank(text.unicodeScalars.last) else { return String(text) }
        var rest = Substring(text).unicodeScalars
        while isBlank(rest.first) { rest.removeFirst() }
        while isBlank(rest.last) { rest.removeLast() }
        return String(rest)
    }

    /// The value.
    package var description: String { text }

    /// The nonempty parts between commas, without white space around them.
    package var list: [String] { text.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty } }
}

/// An error for a text that cannot be the value of a header field, because it contains a line break or another control
/// character.
package struct HTTPFieldError: Error, Hashable, CustomStringConvertible {
    /// The text.
    package let value: String

    /// The error without the text itself, which may be a secret.
    package var description: String {
        "The value of a header field contains a line break or another control character. Encode or remove it."
    }
}
