/// A path with parameters, in parts: `/articles/42?tag=swift`. For the two halves of a ``Route``, `path` and `init(path:)`.
///
/// ```swift
/// RoutePath("articles", "C++").adding("tag", "a&b").text   // "/articles/C%2B%2B?tag=a%26b"
/// RoutePath(parsing: "/articles/C%2B%2B")?.segments        // ["articles", "C++"]
/// ```
///
/// Characters other than the unreserved ones of RFC 3986, section 2.3, are percent-encoded, byte by byte.
public struct RoutePath: Hashable, Sendable {
    /// The parts between the slashes, decoded.
    public private(set) var segments: [String]

    private struct Parameter: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// In the order in which they are written. No two are called the same.
    private var items: [Parameter] = []

    /// The parameters by their names, decoded.
    public var parameters: [String: String] {
        Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// A path of these segments. Empty ones are left out: a path cannot express them.
    public init(_ segments: String...) {
        self.segments = segments.filter { !$0.isEmpty }
    }

    /// Reads a path, with or without the slash at its ends.
    ///
    /// Nil if an escape is broken or not UTF-8, a segment is empty, or a parameter occurs twice or lacks its `=`.
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

    /// The value of a parameter, decoded; nil where there is none of this name.
    public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// The same path with another segment at its end, unless that is empty.
    public func appending(_ segment: String) -> RoutePath {
        var copy = self
        if !segment.isEmpty { copy.segments.append(segment) }
        return copy
    }

    /// The path with a parameter more, or with another value of one it has; without it for nil.
    public func adding(_ name: String, _ value: String?) -> RoutePath {
        var copy = self
        copy.add(name, value)
        return copy
    }

    /// Adds a parameter, or gives one another value; takes it away for nil.
    public mutating func add(_ name: String, _ value: String?) {
        items.removeAll { $0.name == name }
        if let value { items.append(Parameter(name: name, value: value)) }
    }

    /// The path as it is written.
    public var text: String {
        var count = 0
        for segment in segments { count += 1 + Self.encodedCount(segment) }
        for item in items { count += 2 + Self.encodedCount(item.name) + Self.encodedCount(item.value) }
        return String(unsafeUninitializedCapacity: count) { buffer in
            var writer = Writer(buffer: buffer)
            for segment in segments {
                writer.put(UInt8(ascii: "/"))
                writer.put(encoding: segment)
            }
            var separator = UInt8(ascii: "?")
            for item in items {
                writer.put(separator)
                writer.put(encoding: item.name)
                writer.put(UInt8(ascii: "="))
                writer.put(encoding: item.value)
                separator = UInt8(ascii: "&")
            }
            return writer.count
        }
    }

    /// A segment, or a name or value of a parameter, as it is written in a path.
    public static func encoded(_ text: String) -> String {
        // Names and slugs are mostly written as they are.
        guard text.utf8.first == UInt8(ascii: ".") || !text.utf8.allSatisfy(isUnreserved) else { return text }
        return String(unsafeUninitializedCapacity: encodedCount(text)) { buffer in
            var writer = Writer(buffer: buffer)
            writer.put(encoding: text)
            return writer.count
        }
    }

    private static func isFolder(_ text: String) -> Bool { text == "." || text == ".." }

    /// How many bytes a text takes encoded.
    private static func encodedCount(_ text: String) -> Int {
        if isFolder(text) { return 3 * text.utf8.count }
        return text.utf8.reduce(0) { $0 + (isUnreserved($1) ? 1 : 3) }
    }

    /// Writes a path into memory that has room for it.
    private struct Writer {
        let buffer: UnsafeMutableBufferPointer<UInt8>
        var count = 0

        mutating func put(_ byte: UInt8) {
            buffer[count] = byte
            count += 1
        }

        mutating func put(encoding text: String) {
            // A segment of dots means a folder, wherever a path is read as a URL.
            let isFolder = RoutePath.isFolder(text)
            for byte in text.utf8 {
                guard isFolder || !RoutePath.isUnreserved(byte) else {
                    put(byte)
                    continue
                }
                put(UInt8(ascii: "%"))
                put(hexDigit(byte >> 4))
                put(hexDigit(byte & 15))
            }
        }

        private func hexDigit(_ value: UInt8) -> UInt8 {
            value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
        }
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

    private static func decoded(_ text: Substring.UTF8View) -> String? {
        guard text.contains(UInt8(ascii: "%")) else { return String(Substring(text)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
