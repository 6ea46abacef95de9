/// The path below which users see a server, such as `/rss`.
package struct BasePath: Sendable, Hashable {
    /// The path without a slash at its end; empty for the root.
    package let text: String

    /// The root of a site.
    package static let root = BasePath(checked: "")

    private init(checked text: String) { self.text = text }

    /// Parses a path; nil if it has other characters than letters, digits, and `-._~`, or is longer than 200 bytes. Pages and
    /// header fields contain the path without escapes. A slash at its end is ignored.
    package init?(_ text: String) {
        var path = text[...]
        while path.last == "/" { path.removeLast() }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.first == "", parts.count > 1, text.utf8.count <= 200 else { return nil }
        let isPlain = parts.dropFirst().allSatisfy { part in
            !part.isEmpty && part != "." && part != ".."
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"):
                        true
                    default: "-._~".utf8.contains(byte)
                    }
                }
        }
        guard isPlain else { return nil }
        self.init(checked: String(path))
    }

    /// Returns a request to a server below this path, without the path in its target. The path becomes the prefix, unless a
    /// trusted proxy stated another one. A target without the path stays as it is, because some proxies remove the path.
    package func reading(_ request: HTTPRequest) -> HTTPRequest {
        guard !text.isEmpty else { return request }
        var request = request
        if request.prefix.isEmpty { request.prefix = text }
        request.target = request.target.removing(self) ?? request.target
        return request
    }
}

extension HTTPTarget {
    /// Returns the target below a path; nil if it is not below that path.
    fileprivate func removing(_ base: BasePath) -> HTTPTarget? {
        guard path.hasPrefix(base.text) else { return nil }
        let rest = path.dropFirst(base.text.count)
        guard rest.isEmpty || rest.first == "/" else { return nil }
        let count = base.text.split(separator: "/").count
        let below = segments.dropFirst(count)
        return HTTPTarget(
            path: rest.isEmpty ? "/" : String(rest), segments: below.isEmpty ? [""] : Array(below), query: query)
    }
}
