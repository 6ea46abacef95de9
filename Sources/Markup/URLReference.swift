/// An absolute or relative address (RFC 3986, section 4.1), split into its five parts. The parts are not decoded.
package struct URLReference: Hashable, Sendable {
    package var scheme: Substring?
    package var authority: Substring?
    package var path: Substring
    package var query: Substring?
    package var fragment: Substring?

    /// Splits any text, like the expression of appendix B.
    package init(_ text: some StringProtocol) {
        var rest = Substring(text)
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[rest.utf8.index(after: hash)...]
            rest = rest[..<hash]
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.utf8.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon]
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = Substring(rest.utf8.dropFirst(2))
            authority = Substring(rest.utf8.prefix { $0 != UInt8(ascii: "/") })
            rest = Substring(rest.utf8.dropFirst(authority?.utf8.count ?? 0))
        }
        path = rest
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) }
    }

    /// Resolves the address against a base (section 5.2.2). It is unchanged if the base does not have a scheme.
    package func resolved(against base: URLReference) -> URLReference {
        guard base.scheme != nil, scheme == nil else { return self }
        var target = self
        target.scheme = base.scheme
        if authority == nil {
            target.authority = base.authority
            if path.isEmpty {
                target.path = base.path
                target.query = query ?? base.query
                return target
            }
            if path.utf8.first != UInt8(ascii: "/") { target.path = base.merged(with: path) }
        }
        target.path = Self.withoutDots(target.path)
        return target
    }

    /// Merges a relative path with this one (section 5.2.3).
    private func merged(with relative: Substring) -> Substring {
        if authority != nil, path.isEmpty { return "/" + relative }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relative }
        return path[...slash] + relative
    }

    /// Removes the segments `.` and `..` (section 5.2.4).
    private static func withoutDots(_ path: Substring) -> Substring {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                // Keep the empty segment before a leading slash.
                if kept.count > (path.hasPrefix("/") ? 1 : 0) { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return Substring(kept.joined(separator: "/"))
    }

    /// Returns the absolute address of a text on a page. It is unchanged if it has a scheme or is a fragment (`#name`),
    /// or if the base does not have a scheme.
    package static func resolved(_ address: String, against base: URLReference) -> String {
        if address.isEmpty || address.utf8.first == UInt8(ascii: "#") { return address }
        let reference = URLReference(address)
        return reference.scheme == nil && base.scheme != nil ? reference.resolved(against: base).text : address
    }

    /// The address as a text (section 5.3).
    package var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }
}

extension MarkupDocument {
    /// Returns the document with the addresses of links and pictures resolved against `base` (RFC 3986, section 5).
    /// Links within the document, `#name`, are unchanged. If `base` does not have a scheme, all addresses are
    /// unchanged.
    public func resolved(against base: String) -> MarkupDocument {
        let base = URLReference(base)
        guard base.scheme != nil else { return self }
        return mappingInlines { inline in
            switch inline {
            case .link(let destination, let inlines):
                .link(destination: URLReference.resolved(destination, against: base), inlines)
            case .image(let source, let alternative):
                .image(source: URLReference.resolved(source, against: base), alternative: alternative)
            default: inline
            }
        }
    }
}
