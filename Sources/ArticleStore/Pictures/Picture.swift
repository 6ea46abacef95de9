/// A picture of articles that the library contains.
package struct Picture: Sendable, Hashable {
    /// The maximum size in bytes.
    package static let largest = 2 << 20

    /// The format.
    package let type: ImageType
    /// The image as the server sent it.
    package let bytes: [UInt8]

    /// Creates a picture; nil if the bytes are too large, are not a PNG, GIF, JPEG, WebP, or AVIF image, or are one pixel, by
    /// which servers count their readers.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest, let type = ImageType(of: bytes), type != .icon,
            !Self.isPixel(bytes, type)
        else { return nil }
        (self.type, self.bytes) = (type, bytes)
    }

    /// Whether the width and the height are one pixel. The formats PNG and GIF state them at a fixed place.
    private static func isPixel(_ bytes: [UInt8], _ type: ImageType) -> Bool {
        switch type {
        case .png: bytes.dropFirst(16).starts(with: [0, 0, 0, 1, 0, 0, 0, 1])
        case .gif: bytes.dropFirst(6).starts(with: [1, 0, 1, 0])
        default: false
        }
    }
}

/// The identifier of a picture on a server: 128 random bits, which cannot be guessed.
///
/// Programs of readers load pictures without a login, so the identifier protects them. It is not the hash of the content:
/// a stranger could otherwise test whether the library contains a known picture.
package struct PictureUID: Sendable, Hashable, CustomStringConvertible {
    /// The bits as 32 hexadecimal digits, in lower case.
    package let description: String

    /// Returns a new identifier from the system's random numbers.
    package static func random() -> PictureUID { PictureUID(bits: SourceUID.random()) }

    private init(bits: SourceUID) { description = bits.description }

    /// Reads an identifier; nil if the text is not valid.
    package init?(_ text: String) {
        guard let bits = SourceUID(text) else { return nil }
        self.init(bits: bits)
    }

    /// Reads the identifier in the path of a picture; nil if the path is another one.
    package init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, parts[1] == "pictures" else { return nil }
        self.init(String(parts[2]))
    }

    /// The path of the picture on a server.
    package var path: String { "/pictures/\(description)" }
}

/// A picture in the text of an article that the library contains.
package struct ArticlePicture: Sendable, Hashable {
    /// The identifier of the picture.
    package let uid: PictureUID
    /// The format.
    package let type: ImageType
    /// The size in bytes.
    package let size: Int

    /// Creates a reference to a picture.
    package init(uid: PictureUID, type: ImageType, size: Int) { (self.uid, self.type, self.size) = (uid, type, size) }
}

/// The pictures of an article that the library contains, by their absolute addresses in the text.
package typealias ArticlePictures = [String: ArticlePicture]

/// The limits of the pictures that a library contains.
package struct PictureLimits: Sendable, Hashable {
    /// The maximum number of pictures of an article.
    package var articleCount = 64
    /// The maximum size of the pictures of an article, in bytes.
    package var articleBytes = 16 << 20
    /// The maximum size of the pictures of the articles of a source, in bytes. A picture in two articles counts twice.
    package var sourceBytes = 256 << 20

    /// Creates the limits of the programs.
    package init() {}
}
