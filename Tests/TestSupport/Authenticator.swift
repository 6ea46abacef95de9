import CMessageDigest
public import Foundation

/// An authenticator app. It is made from the address of a QR code or a typed secret, and shows codes (RFC 6238). It
/// shares no code with the implementation under test.
public struct Authenticator: Sendable {
    private let key: [UInt8]

    /// Makes an authenticator from a secret in Base 32 or an `otpauth` address; nil for other text.
    public init?(_ text: String) {
        let secret =
            text.hasPrefix("otpauth://")
            ? URLComponents(string: text)?.queryItems?.first { $0.name == "secret" }?.value : text
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        guard let secret, !secret.isEmpty else { return nil }
        var bits = ""
        for character in secret {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            bits += String(repeating: "0", count: 5 - String(digit, radix: 2).count) + String(digit, radix: 2)
        }
        key = stride(from: 0, through: bits.count - 8, by: 8).compactMap {
            UInt8(bits.dropFirst($0).prefix(8), radix: 2)
        }
    }

    /// Returns the code at a time.
    public func code(at time: Date) -> String {
        let step = UInt64(time.timeIntervalSince1970 / 30)
        let message = (0..<8).map { UInt8(step >> (56 - 8 * UInt64($0)) & 255) }
        let padded = key + [UInt8](repeating: 0, count: 64 - key.count)
        let digest = sha1(padded.map { $0 ^ 0x5C } + sha1(padded.map { $0 ^ 0x36 } + message))
        let start = Int(digest[19] & 15)
        let number = digest[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        return String(String(number % 1_000_000 + 1_000_000).dropFirst())
    }

    private func sha1(_ bytes: [UInt8]) -> [UInt8] {
        var context = SHA1_CTX()
        SHA1Init(&context)
        SHA1Update(&context, bytes, bytes.count)
        var digest = [UInt8](repeating: 0, count: 20)
        SHA1Final(&digest, &context)
        return digest
    }
}
