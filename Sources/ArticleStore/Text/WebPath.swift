import Text

/// Paths in web addresses (RFC 3986).
package enum WebPath {
    /// Returns the path with all bytes encoded except slashes and unreserved characters (section 2.3).
    package static func encoded(_ path: String) -> String {
        var encoded: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                encoded.append(byte)
            default: encoded.appendPercentEncoded(byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns the decoded path. Invalid escapes are left unchanged.
    package static func decoded(_ path: Substring) -> String {
        guard path.utf8.contains(UInt8(ascii: "%")) else { return String(path) }
        var bytes: [UInt8] = []
        var rest = path.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(rest.prefix(2)) ?? "", radix: 16), rest.count >= 2 {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? String(path)
    }

    /// Resolves a relative path in a folder (section 5.2.4). The result never leads above the root.
    package static func resolved(_ path: String, in folder: String) -> String {
        let slash = UInt8(ascii: "/")
        var parts = path.utf8.first == slash ? [] : folder.utf8.split(separator: slash).map(Substring.init)
        for part in path.utf8.split(separator: slash).map(Substring.init) {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}

/// Addresses of the schemes `http` and `https`.
package enum WebAddress {
    /// Returns the text if it is such an address with a host, of at most 2,048 bytes.
    package static func valid(_ text: String) -> String? {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let start = text.prefix(8).lowercased()
        guard let scheme = ["http://", "https://"].first(where: start.hasPrefix) else { return nil }
        let authority = text.utf8.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
        // The host follows the name of a user and precedes the port.
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last
        guard let first = host?.first, first != UInt8(ascii: ":") else { return nil }
        return text
    }

    /// Whether an address contains the name of a user, and perhaps a password. Its scheme may be missing.
    package static func hasUser(_ address: String) -> Bool { user(in: address) != nil }

    /// Returns an address without the name and the password of a user.
    package static func withoutUser(_ address: String) -> String {
        guard let user = user(in: address) else { return address }
        return String(address[..<user.lowerBound] + address[user.upperBound...])
    }

    /// The range of the name of a user with the `@` after it.
    private static func user(in address: String) -> Range<String.Index>? {
        let bytes = address.utf8
        var start = bytes.startIndex
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) {
            start = bytes.index(colon, offsetBy: 3)
        }
        let authority = bytes[start...].prefix { !"/?#\\".utf8.contains($0) }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { start..<bytes.index(after: $0) }
    }
}
