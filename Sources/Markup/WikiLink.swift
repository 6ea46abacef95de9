import Text

/// A link by the name of a note, as Obsidian and others write it: `[[Page]]`, `[[Page#Heading]]`, `[[Page|text]]`, and `![[Page]]`
/// for what is to be shown in its place.
struct WikiLink {
    /// Where it leads, relative to the text.
    let destination: String
    /// What stands for it.
    let text: String
    /// Whether it is a picture.
    let isImage: Bool
    /// Where it begins and ends in the text.
    let range: Range<Int>

    /// The link that opens with the first of two brackets at an index; nil where it is none.
    init?(_ text: UnsafeBufferPointer<UInt8>, at index: Int) {
        let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        guard index + 1 < text.count, text[index] == open, text[index + 1] == open else { return nil }
        let start = index + 2
        guard let end = text[start...].prefix(Self.limit).firstIndex(of: close), end > start, end + 1 < text.count,
            text[end + 1] == close
        else { return nil }
        let inside = text[start..<end]
        // White space at an end is that of a test in a script.
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
        // What begins with a caret names a block, which nothing here has a name for.
        let fragment = heading.hasPrefix("^") ? "" : HeadingNames.slug(heading)
        destination = Self.encoded(page) + (fragment.isEmpty ? "" : "#" + fragment)
        guard !destination.isEmpty else { return nil }
        isImage = isEmbedded && Self.pictures.contains { page.lowercased().hasSuffix("." + $0) }
        // With a picture, the second part is its size.
        let alias = parts.count > 1 && !isImage ? String(parts[1].trimmed) : ""
        self.text = alias.isEmpty ? names.filter { !$0.isEmpty }.joined(separator: " > ") : alias
        range = (isEmbedded ? index - 1 : index)..<(end + 2)
    }

    /// How many bytes there may be between the brackets.
    private static let limit = 400

    private static let pictures = ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp"]

    /// A path as an address has it (RFC 3986, section 3.3), with letters of any alphabet as they are.
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
