/// The format of an image. The first bytes of a file decide it; the type that a server states does not count.
///
/// SVG is not accepted, because it can contain scripts.
package enum ImageType: String, Sendable, Hashable, CaseIterable {
    case png = "image/png"
    case gif = "image/gif"
    case jpeg = "image/jpeg"
    case webP = "image/webp"
    case avif = "image/avif"
    case icon = "image/x-icon"

    /// Recognizes a format; nil if the bytes do not begin like an image.
    package init?(of bytes: [UInt8]) {
        func begins(_ start: [UInt8], at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: start) }
        func begins(_ start: String, at place: Int = 0) -> Bool { begins(Array(start.utf8), at: place) }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if begins("GIF87a") || begins("GIF89a") {
            self = .gif
        } else if begins([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if begins("RIFF"), begins("WEBP", at: 8) {
            self = .webP
        } else if begins("ftyp", at: 4), Self.brands(of: bytes).contains(where: ["avif", "avis"].contains) {
            self = .avif
        } else if begins([0, 0, 1, 0]) {
            self = .icon
        } else {
            return nil
        }
    }

    /// Returns the brands of a file in the format of ISO 14496-12: the main one and the compatible ones.
    private static func brands(of bytes: [UInt8]) -> [String] {
        let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return stride(from: 8, to: min(size, bytes.count, 256) - 3, by: 4).map {
            String(decoding: bytes[$0..<$0 + 4], as: UTF8.self)
        }
    }

    /// The ending of file names.
    package var fileEnding: String {
        switch self {
        case .png: "png"
        case .gif: "gif"
        case .jpeg: "jpg"
        case .webP: "webp"
        case .avif: "avif"
        case .icon: "ico"
        }
    }
}
