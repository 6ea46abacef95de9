/// A short hash of bytes or a text that is the same on every machine and in every run: 64-bit FNV-1a, written as 16
/// hexadecimal digits.
///
/// It distinguishes texts by chance, and does not resist an attack: it is easy to create two texts with the same hash.
/// Source: <https://datatracker.ietf.org/doc/html/draft-eastlake-fnv>.
package struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The hash.
    package let value: UInt64

    /// Creates the fingerprint of bytes.
    @inlinable
    package init(_ bytes: some Sequence<UInt8>) {
        // Inlined, because calls through the generic sequence would be slow.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        value = hash
    }

    /// Creates the fingerprint of the UTF-8 bytes of a text.
    package init(_ text: String) {
        var copy = text
        self = copy.withUTF8 { Self($0) }
    }

    /// 16 hexadecimal digits.
    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
