/// A hash of a record in 63 bits, which is the same on every machine and in every run. Another bit says whether an
/// import must read the record even if it is unchanged.
///
/// The hash distinguishes records by chance, and does not resist an attack: a user who makes two records with the same
/// hash deceives only their own import. It uses the multiply-and-fold step of wyhash, which processes 16 bytes at a
/// time, so that checking an unchanged record is cheap. Source: <https://github.com/wangyi-fudan/wyhash>.
package struct RecordHash: Hashable {
    /// The number that the library stores.
    package private(set) var value: UInt64

    /// Hashes the bytes of a record that need not be read again.
    ///
    /// - Parameter seed: a hash of everything else that determines the article.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = seed ^ Self.secret.0
        var index = 0
        while index + 16 < raw.count {
            hash = Self.fold(Self.word(raw, index) ^ Self.secret.1, Self.word(raw, index + 8) ^ hash)
            index += 16
        }
        // The remaining 0 to 16 bytes.
        var rest: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &rest) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[index...])) }
        hash = Self.fold(UInt64(littleEndian: rest.0) ^ Self.secret.1, UInt64(littleEndian: rest.1) ^ hash)
        value = Self.fold(hash ^ UInt64(raw.count), Self.secret.2) & ~1
    }

    /// Hashes a text.
    package init(_ text: String, seed: UInt64) {
        var text = text
        self = text.withUTF8 { RecordHash($0, seed: seed) }
    }

    /// Whether an import must read the record each time because it has something to report about it.
    package var isToBeRead: Bool {
        get { value & 1 == 1 }
        set { value = value & ~1 | (newValue ? 1 : 0) }
    }

    /// Combines two numbers into one.
    package static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    private static let secret: (UInt64, UInt64, UInt64) = (
        0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3
    )
}
