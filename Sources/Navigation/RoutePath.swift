/// A path with parameters, in parts: `/articles/42?tag=swift`. For the two halves of a ``Route``, `path` and `init(path:)`.
///
/// ```swift
/// RoutePath("articles", "C++").adding("tag", "a&b").text   // "/articles/C%2B%2B?tag=a%26b"
/// RoutePath(parsing: "/articles/C%2B%2B")?.segments        // ["articles", "C++"]
/// ```
///
/// What is not an unreserved character of RFC 3986, section 2.3, is percent-encoded, byte by byte.
public struct RoutePath: Hashable, Sendable {
    /// The parts between the slashes, decoded.
    public private(set) var segments: [String]

    /// The parameters by their names, decoded.
    public private(set) var parameters: [String: String] = [:]

    /// The names of the parameters, in the order in which they are written.
    private var names: [String] = []

    /// A path of these segments.
    public init(_ segments: String...) {
        self.segments = segments
    }

    /// Reads a path, with or without the slash at its ends.
    ///
    /// Nil when an escape is broken or gives no UTF-8, a segment is empty, or a parameter is there twice or has no `=`.
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
                parameters.updateValue(value, forKey: name) == nil
            else { return nil }
            names.append(name)
        }
    }

    /// The same path with another segment at its end.
    public func appending(_ segment: String) -> RoutePath {
        var copy = self
        copy.segments.append(segment)
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
        // Most of what could be said of a place is not.
        if value == nil, names.isEmpty || parameters[name] == nil { return }
        parameters[name] = value
        names.removeAll { $0 == name }
        if value != nil { names.append(name) }
    }

    /// The path as it is written.
    public var text: String {
        var text = ""
        for segment in segments { text += "/" + Self.encoded(segment) }
        var separator = "?"
        for name in names {
            text += separator + Self.encoded(name) + "=" + Self.encoded(parameters[name] ?? "")
            separator = "&"
        }
        return text
    }

    /// A segment, or a name or value of a parameter, as it is written in a path.
    public static func encoded(_ text: String) -> String {
        // A segment of dots means a folder, wherever a path is read as a URL.
        if text == "." { return "%2E" }
        if text == ".." { return "%2E%2E" }
        // Names and slugs are mostly written as they are.
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        let digits: StaticString = "0123456789ABCDEF"
        let text = text.utf8
        return String(unsafeUninitializedCapacity: 3 * text.count) { buffer in
            var count = 0
            func put(_ byte: UInt8) {
                buffer[count] = byte
                count += 1
            }
            for byte in text {
                guard !isUnreserved(byte) else {
                    put(byte)
                    continue
                }
                put(UInt8(ascii: "%"))
                put(digits.utf8Start[Int(byte >> 4)])
                put(digits.utf8Start[Int(byte & 15)])
            }
            return count
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
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let high = Character(Unicode.Scalar(high)).hexDigitValue,
                let low = Character(Unicode.Scalar(low)).hexDigitValue
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
