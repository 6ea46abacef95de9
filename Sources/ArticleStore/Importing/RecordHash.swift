/// What a record says, in 63 bits that are the same on every machine and in every run, and in one more whether an import has to
/// read the record even where it has not changed.
///
/// It tells records apart by accident, not against an attack: who makes two that agree deceives only an import of their own.
/// It is the multiplication and folding of wyhash, which takes 16 bytes a step: a record that has not changed costs little else.
/// Source: <https://github.com/wangyi-fudan/wyhash>.
struct RecordHash: Hashable {
    /// The number that a library keeps.
    private(set) var value: UInt64

    /// The hash of bytes, of a record that need not be read again.
    ///
    /// - Parameter seed: stands for all else that follows into what is made of them.
    init(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = seed ^ Self.secret.0
        var index = 0
        while index + 16 < raw.count {
            hash = Self.fold(Self.word(raw, index) ^ Self.secret.1, Self.word(raw, index + 8) ^ hash)
            index += 16
        }
        // What is left, from 0 to 16 bytes, each in its place.
        var rest: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &rest) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[index...])) }
        hash = Self.fold(UInt64(littleEndian: rest.0) ^ Self.secret.1, UInt64(littleEndian: rest.1) ^ hash)
        value = Self.fold(hash ^ UInt64(raw.count), Self.secret.2) & ~1
    }

    /// The hash of a text.
    init(_ text: String, seed: UInt64) {
        var text = text
        self = text.withUTF8 { RecordHash($0, seed: seed) }
    }

    /// Whether an import has to read the record each time: it has something to tell of it.
    var isToBeRead: Bool {
        get { value & 1 == 1 }
        set { value = value & ~1 | (newValue ? 1 : 0) }
    }

    /// One number of two.
    static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
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
