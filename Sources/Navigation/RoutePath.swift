/// A path with parameters, split into its segments and parameters: `/articles/42?tag=swift`. A ``Route`` can use it for
/// both `path` and `init(path:)`.
///
/// ```swift
/// RoutePath("articles", "C++").adding("tag", "a&b").text   // "/articles/C%2B%2B?tag=a%26b"
/// RoutePath(parsing: "/articles/C%2B%2B")?.segments        // ["articles", "C++"]
/// ```
///
/// All characters except the unreserved characters of RFC 3986, section 2.3, are percent-encoded as UTF-8.
public struct RoutePath: Hashable, Sendable {
    /// The segments between the slashes, decoded.
    public private(set) var segments: [String]

    private struct Parameter: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// The parameters in the order in which they are written. Their names are unique.
    private var items: [Parameter] = []

    /// The parameters by name, decoded.
    public var parameters: [String: String] {
        Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Creates a path from segments. Empty segments are omitted, because a path cannot contain them.
    public init(_ segments: String...) {
        self.segments = segments.filter { !$0.isEmpty }
    }

    /// Reads a path, with or without the slash at either end.
    ///
    /// Returns nil if a percent-encoding is invalid or not UTF-8, a segment is empty, or a parameter occurs twice or
    /// does not have a `=`.
    public init?(parsing text: String) {
        segments = []
        let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let slash = UInt8(ascii: "/")
        var path = parts.first ?? ""[...].utf8
        if path.first == slash { path.removeFirst() }
        if path.count > 1, path.last == slash { path.removeLast() }
        if !path.isEmpty {
            for segment in path.split(separator: slash, omittingEmptySubsequences: false) {
                guard !segment.isEmpty, let decoded = Self.decoded(segment) else { return nil }
                segments.append(decoded)
            }
        }
        guard parts.count == 2 else { return }
        for pair in parts[1].split(separator: UInt8(ascii: "&")) {
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let name = Self.decoded(sides[0]), let value = Self.decoded(sides[1]),
                self[name] == nil
            else { return nil }
            items.append(Parameter(name: name, value: value))
        }
    }

    /// The value of a parameter, decoded; nil if the parameter does not exist.
    public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// Returns the path with another segment at its end, unless the segment is empty.
    public func appending(_ segment: String) -> RoutePath {
        var copy = self
        if !segment.isEmpty { copy.segments.append(segment) }
        return copy
    }

    /// Returns the path with a parameter added or its value replaced. If the value is nil, the parameter is removed.
    public func adding(_ name: String, _ value: String?) -> RoutePath {
        var copy = self
        copy.add(name, value)
        return copy
    }

    /// Removes the first segments.
    mutating func removeFirst(_ count: Int) {
        segments.removeFirst(count)
    }

    /// Adds a parameter or replaces its value. If the value is nil, the parameter is removed.
    public mutating func add(_ name: String, _ value: String?) {
        items.removeAll { $0.name == name }
        if let value { items.append(Parameter(name: name, value: value)) }
    }

    /// The path as text.
    public var text: String {
        let path = segments.map { "/" + Self.encoded($0) }.joined()
        return Self.text(path, encoding: "", "", parameters: items.map { ($0.name, $0.value) })
    }

    /// Returns a path as text: the start of the path, a text that is encoded, the rest of the path, and the parameters.
    package static func text(
        _ start: String, encoding text: String, _ rest: String, parameters: [(name: String, value: String)]
    ) -> String {
        var count = start.utf8.count + encodedCount(text) + rest.utf8.count
        for (name, value) in parameters { count += 2 + encodedCount(name) + encodedCount(value) }
        return joined(count: count) { write(start, encoding: text, rest, parameters: parameters, to: $0) }
    }

    /// Calls a function with each piece of the text that ``text(_:encoding:_:parameters:)`` returns.
    package static func write(
        _ start: String, encoding text: String, _ rest: String, parameters: [(name: String, value: String)],
        to add: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var (start, rest) = (start, rest)
        start.withUTF8(add)
        encode(text, add)
        rest.withUTF8(add)
        var separator: StaticString = "?"
        for (name, value) in parameters {
            separator.withUTF8Buffer(add)
            encode(name, add)
            ("=" as StaticString).withUTF8Buffer(add)
            encode(value, add)
            separator = "&"
        }
    }

    /// Returns a segment, or the name or value of a parameter, percent-encoded for a path.
    public static func encoded(_ text: String) -> String {
        // Most names and slugs do not need any encoding.
        let count = encodedCount(text)
        return count == text.utf8.count ? text : joined(count: count) { encode(text, $0) }
    }

    /// Returns the text that consists of pieces.
    private static func joined(count: Int, _ write: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void) -> String {
        String(unsafeUninitializedCapacity: count) { buffer in
            var end = 0
            write { end = buffer[end...].initialize(fromContentsOf: $0) }
            return end
        }
    }

    private static func encode(_ text: String, _ add: (UnsafeBufferPointer<UInt8>) -> Void) {
        var text = text
        text.withUTF8 { encode($0, add) }
    }

    /// Whether percent-encoding does not change a text.
    package static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.allSatisfy(isUnreserved) && !isFolder(text)
    }

    /// Calls a function with each piece of a percent-encoded text. A run of characters that need no encoding is one piece.
    package static func encode(_ text: UnsafeBufferPointer<UInt8>, _ add: (UnsafeBufferPointer<UInt8>) -> Void) {
        let isFolder = isFolder(text)
        var start = 0
        for (index, byte) in text.enumerated() where isFolder || !isUnreserved(byte) {
            add(UnsafeBufferPointer(rebasing: text[start..<index]))
            let encoded = (UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15))
            withUnsafeBytes(of: encoded) { $0.withMemoryRebound(to: UInt8.self, add) }
            start = index + 1
        }
        add(UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// Whether a segment means a folder wherever the path is read as a URL, so that its dots must be encoded.
    private static func isFolder(_ text: some Collection<UInt8>) -> Bool {
        text.count < 3 && !text.isEmpty && text.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    /// Returns the number of bytes of the encoded text.
    private static func encodedCount(_ text: String) -> Int {
        if isFolder(text.utf8) { return 3 * text.utf8.count }
        return text.utf8.reduce(0) { $0 + (isUnreserved($1) ? 1 : 3) }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Returns the text without percent-encoding; nil if an encoding is invalid or not UTF-8.
    static func decoded(_ text: Substring.UTF8View) -> String? {
        guard text.contains(UInt8(ascii: "%")) else { return String(Substring(text)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(value(ofHexDigit:)),
                let low = rest.popFirst().flatMap(value(ofHexDigit:))
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func value(ofHexDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
