/// The target of a request: a path and a query, each parsed strictly and decoded once.
///
/// It rejects invalid escapes, NUL, invalid UTF-8 (such as overlong forms), and control characters; in the path also
/// backslashes and the segments `.` and `..`, however they are encoded.
package struct HTTPTarget: Hashable, Sendable {
    /// The path as it was received, with its escapes. It begins with `/`, except for the `*` of `OPTIONS`.
    package let path: String
    /// The decoded parts of the path between slashes. A part may contain a slash that was written as `%2F`. It is empty
    /// between two slashes and after a trailing slash.
    package let segments: [String]
    /// The decoded query; empty if there is none.
    package let query: HTTPQuery

    /// The target `*` for the whole server, which only `OPTIONS` may use.
    static let asterisk = HTTPTarget(path: "*", segments: [], query: HTTPQuery(items: []))

    init(path: String, segments: [String], query: HTTPQuery) {
        (self.path, self.segments, self.query) = (path, segments, query)
    }

    /// Parses a path with an optional query, such as `/articles/42?page=2`; nil if it is invalid.
    package init?(_ text: String) {
        let bytes = text.utf8
        // Only visible ASCII is valid; other characters must be escaped. Clients do not send fragments.
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

/// Names and values in their order, from the query of a target or the body of a form
/// (`application/x-www-form-urlencoded`).
package struct HTTPQuery: Hashable, Sendable {
    /// A name and its value.
    package struct Item: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The value; empty if there is none, and for a file that is not UTF-8.
        package let value: String
        /// The content of a file that is not UTF-8; nil for any other value.
        package let bytes: [UInt8]?

        /// Creates an item.
        package init(name: String, value: String) { (self.name, self.value, bytes) = (name, value, nil) }

        /// Creates an item for a file that is not UTF-8.
        package init(name: String, bytes: [UInt8]) { (self.name, value, self.bytes) = (name, "", bytes) }
    }

    /// All items in their order.
    package let items: [Item]

    /// Creates a query.
    package init(items: [Item]) { self.items = items }

    /// Parses the body of a form; nil if an escape is invalid, or the result contains NUL or invalid UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: the body as a browser sends it.
    ///   - most: the maximum number of items; the result is nil if there are more.
    package init?(form bytes: [UInt8], most: Int = .max) { self.init(encoded: bytes[...], most: most) }

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

    /// The first value with this name.
    package subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// Returns all values with this name in their order.
    package func values(of name: String) -> [String] { items.compactMap { $0.name == name ? $0.value : nil } }
}

/// Decodes escapes once; nil if an escape is invalid, or the result contains NUL or invalid UTF-8.
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

/// Returns the value of a hexadecimal digit; nil for other bytes.
func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
