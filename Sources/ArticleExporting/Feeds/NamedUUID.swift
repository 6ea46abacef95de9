import ArticleStore
import CMessageDigest
import Text

/// A UUID that is computed from a name (RFC 9562, section 5.5, version 5). It is the same in every export.
struct NamedUUID: CustomStringConvertible {
    /// The UUID in its usual form, in lower case.
    let description: String

    /// Creates the UUID of an article: its key is the name, and the ID of its source is the namespace.
    init(of article: Article) { self.init(name: article.key.text, in: article.source.uid) }

    /// Creates the UUID of a name in a source. Without a source, the namespace is all zeros.
    init(name: String, in source: SourceUID?) {
        let digits = source.map { Array($0.description.utf8) } ?? Array(repeating: 0x30, count: 32)
        let namespace = stride(from: 0, to: digits.count, by: 2).map {
            Self.value(digits[$0]) << 4 | Self.value(digits[$0 + 1])
        }
        var bytes = Array(Self.sha1(namespace + name.utf8).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
        }
        description = text
    }

    private static func sha1(_ message: [UInt8]) -> [UInt8] {
        var context = SHA1_CTX()
        var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_LENGTH))
        SHA1Init(&context)
        SHA1Update(&context, message, message.count)
        SHA1Final(&digest, &context)
        return digest
    }

    private static func value(_ digit: UInt8) -> UInt8 { digit < 0x3A ? digit - 0x30 : (digit | 0x20) - 0x57 }
}
