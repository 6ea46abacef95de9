/// The target of a request: a path and a query, each parsed strictly and decoded once.
///
/// It refuses invalid escapes, a NUL, invalid UTF-8 (such as overlong forms), control characters, and
/// backslashes in the path, and its segments `.` and `..`, however they are written.
public struct HTTPTarget: Hashable, Sendable {
    /// The path as it came, with its escapes. It begins with `/`, but for the `*` of `OPTIONS`.
    public let path: String
    /// The parts of the path between its slashes, decoded. A part may hold a slash that was written as `%2F`, and is
    /// empty between two slashes and behind the last.
    public let segments: [String]
    /// The query, decoded; empty without one.
    public let query: HTTPQuery

    /// The whole server, of which `OPTIONS` may ask.
    static let asterisk = HTTPTarget(path: "*", segments: [], query: HTTPQuery(items: []))

    private init(path: String, segments: [String], query: HTTPQuery) {
        (self.path, self.segments, self.query) = (path, segments, query)
    }

    /// Reads a path, with or without a query, as in `/articles/42?page=2`; nil where it is not allowed.
    public init?(_ text: String) {
        let bytes = text.utf8
        // Visible ASCII: anything else has to be escaped. A fragment stays with the client.
        guard bytes.first == UInt8(ascii: "/"),
            bytes.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") })
        else { return nil }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        let path = bytes[..<(mark ?? bytes.endIndex)]
        var segments: [String] = []
        for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = decoded(part, plusIsSpace: false), segment != ".", segment != "..",
                segment.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
            else { return nil }
            segments.append(segment)
        }
        guard let query = HTTPQuery(encoded: mark.map { bytes[bytes.index(after: $0)...] } ?? bytes[bytes.endIndex...])
        else { return nil }
        self.init(path: String(Substring(path)), segments: segments, query: query)
    }
}

/// Names and values as they are in the query of a target and in the body of a form
/// (`application/x-www-form-urlencoded`), in their order.
public struct HTTPQuery: Hashable, Sendable {
    /// A name and its value.
    public struct Item: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value; empty if there is none.
        public let value: String

        /// A name and its value.
        public init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// All of them, in their order.
    public let items: [Item]

    /// A query of these.
    public init(items: [Item]) { self.items = items }

    /// Reads the body of a form; nil where an escape is none, or what it stands for is a NUL or no UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: the body, as a browser sends it.
    ///   - most: how many items there may be; nil where there are more.
    public init?(form bytes: [UInt8], most: Int = .max) { self.init(encoded: bytes[...], most: most) }

    init?<Bytes: Collection<UInt8>>(encoded bytes: Bytes, most: Int = .max)
    where Bytes.SubSequence: Collection<UInt8> {
        var items: [Item] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(where: { $0 != UInt8(ascii: "&") }) {
            rest = rest[start...]
            let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            let pair = rest[..<end]
            rest = rest[end...]
            guard items.count < most else { return nil }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let value = equals.map { pair[pair.index(after: $0)...] } ?? pair[pair.endIndex...]
            guard let name = decoded(pair[..<(equals ?? pair.endIndex)], plusIsSpace: true),
                let value = decoded(value, plusIsSpace: true)
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    /// The first value of that name.
    public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// All values of that name, in their order.
    public func values(of name: String) -> [String] { items.compactMap { $0.name == name ? $0.value : nil } }
}

/// Decodes escapes once; nil if an escape is invalid, or the result has a NUL or is not UTF-8.
private func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
        switch byte {
        case UInt8(ascii: "%"):
            guard let high = rest.next().flatMap(hexadecimal), let low = rest.next().flatMap(hexadecimal) else {
                return nil
            }
            result.append(high << 4 | low)
        case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
        default: result.append(byte)
        }
    }
    return result.contains(0) ? nil : String(validating: result, as: UTF8.self)
}

/// Returns the value of a hexadecimal digit, if it is one.
func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
