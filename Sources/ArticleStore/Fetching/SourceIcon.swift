/// The icon of a source: a small image for lists.
package struct SourceIcon: Sendable, Hashable {
    /// The maximum size in bytes.
    package static let largest = 64 << 10

    /// The media type.
    package let type: String
    /// The image as the server sent it.
    package let bytes: [UInt8]

    /// Creates an icon; nil if the bytes are too large, or not a PNG, GIF, JPEG, WebP, or ICO image.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest, let type = ImageType(of: bytes), type != .avif else { return nil }
        (self.type, self.bytes) = (type.rawValue, bytes)
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
