import Text

/// A link by the name of a note, as in Obsidian: `[[Page]]`, `[[Page#Heading]]`, `[[Page|text]]`, and `![[Page]]` for
/// embedded content.
struct WikiLink {
    /// The target, relative to the text.
    let destination: String
    /// The text of the link.
    let text: String
    /// Whether it is a picture.
    let isImage: Bool
    /// The range of the link in the text.
    let range: Range<Int>

    /// Parses the link that begins with two brackets at an index; nil if it is not a link.
    init?(_ text: UnsafeBufferPointer<UInt8>, at index: Int) {
        let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        guard index + 1 < text.count, text[index] == open, text[index + 1] == open else { return nil }
        let start = index + 2
        guard let end = text[start...].prefix(Self.limit).firstIndex(of: close), end > start, end + 1 < text.count,
            text[end + 1] == close
        else { return nil }
        let inside = text[start..<end]
        // White space next to the brackets occurs in tests of shell scripts (`[[ … ]]`).
        guard !inside.contains(open), let first = inside.first, let last = inside.last, !first.isHTMLSpace,
            !last.isHTMLSpace
        else { return nil }
        let isEmbedded = index > 0 && text[index - 1] == UInt8(ascii: "!")
        let parts = inside.split(separator: UInt8(ascii: "|"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let names = parts[0].split(separator: "#", omittingEmptySubsequences: false).map { String($0.trimmed) }
        let page = names[0]
        let heading = names.count > 1 ? names[names.count - 1] : ""
        guard !page.isEmpty || !heading.isEmpty else { return nil }
        // A name that begins with a caret refers to a block, which is not supported.
        let fragment = heading.hasPrefix("^") ? "" : HeadingNames.slug(heading)
        destination = Self.encoded(page) + (fragment.isEmpty ? "" : "#" + fragment)
        guard !destination.isEmpty else { return nil }
        isImage = isEmbedded && Self.pictures.contains { page.lowercased().hasSuffix("." + $0) }
        // After a picture, the second part is the size.
        let alias = parts.count > 1 && !isImage ? String(parts[1].trimmed) : ""
        self.text = alias.isEmpty ? names.filter { !$0.isEmpty }.joined(separator: " > ") : alias
        range = (isEmbedded ? index - 1 : index)..<(end + 2)
    }

    /// The maximum number of bytes between the brackets.
    private static let limit = 400

    private static let pictures = ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp"]

    /// Encodes a path for an address (RFC 3986, section 3.3). Letters of all alphabets are kept.
    private static func encoded(_ path: String) -> String {
        var result: [UInt8] = []
        for byte in path.utf8 {
            if byte >= 0x80 || byte.isASCIILetterOrDigit || "-._~!$&'()*+,;=@/".utf8.contains(byte) {
                result.append(byte)
            } else {
                result.appendPercentEncoded(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
