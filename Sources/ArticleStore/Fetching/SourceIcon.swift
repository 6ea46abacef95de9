/// The icon of a source: a small image for lists.
package struct SourceIcon: Sendable, Hashable {
    /// The maximum size in bytes.
    package static let largest = 64 << 10

    /// The media type.
    package let type: String
    /// The image as the server sent it.
    package let bytes: [UInt8]

    /// Creates an icon; nil if the bytes are too large, or do not begin like a PNG, GIF, JPEG, WebP, or ICO image.
    ///
    /// The type that the server states does not count. SVG is not accepted, because it can contain scripts.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest, let type = Self.type(of: bytes) else { return nil }
        (self.type, self.bytes) = (type, bytes)
    }

    private static func type(of bytes: [UInt8]) -> String? {
        func begins(_ start: [UInt8], at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: start) }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "image/gif" }
        if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return "image/webp" }
        return begins([0, 0, 1, 0]) ? "image/x-icon" : nil
    }
}

extension Source {
    /// The path of its icon on a server. It contains the identifier that cannot be guessed, so that programs can load icons
    /// without a login and strangers cannot list the sources.
    package var iconPath: String { "/sources/\(uid)/icon" }

    /// Returns the identifier in the path of an icon; nil if the path is another one.
    package static func uid(inIconPath path: String) -> SourceUID? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "sources", parts[3] == "icon" else { return nil }
        return SourceUID(String(parts[2]))
    }
}
