import Platform

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first index of a byte at or after an index; nil if there is none. It uses memchr(3) because most
    /// texts contain few of the characters that are searched for.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Whether it contains a sequence of bytes.
    package func contains(_ bytes: StaticString) -> Bool { firstIndex(of: bytes) != nil }

    /// Returns the index of the first occurrence of a text at or after an index; nil if there is none.
    package func firstIndex(of text: StaticString, from start: Int = 0) -> Int? {
        let length = text.utf8CodeUnitCount
        guard let base = baseAddress, length > 0, start >= 0 else { return nil }
        var index = start
        while let found = firstIndex(of: text.utf8Start[0], from: index), found + length <= count {
            if memcmp(base + found, text.utf8Start, length) == 0 { return found }
            index = found + 1
        }
        return nil
    }
}

/// Eight bytes that are compared at once. The first byte is the lowest one. A result has the highest bit of the first byte for
/// which the comparison holds, and perhaps the highest bits of later bytes. Source: "Determine if a word has a byte less than n"
/// in Sean Eron Anderson's "Bit Twiddling Hacks".
@usableFromInline package struct EightBytes {
    @usableFromInline package let value: UInt64

    @inlinable package init(_ value: UInt64) { self.value = value }

    @inlinable package static func all(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// Compares each byte with a limit of at most 128.
    @inlinable package func below(_ limit: UInt8) -> UInt64 { (value &- Self.all(limit)) & ~value & Self.all(0x80) }

    /// Compares each byte with a byte, except for some of their bits.
    @inlinable package func equal(to byte: UInt8, ignoring bits: UInt8 = 0) -> UInt64 {
        EightBytes((value | Self.all(bits)) ^ Self.all(byte | bits)).below(1)
    }

    /// The bytes that are not ASCII.
    @inlinable package var notASCII: UInt64 { value & Self.all(0x80) }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the index of the first byte, at or after an index, for which a comparison holds; nil if there is none.
    @inlinable @inline(__always)
    package func firstIndex(from start: Int, where holds: (EightBytes) -> UInt64) -> Int? {
        guard let base = UnsafeRawPointer(baseAddress) else { return nil }
        var index = start
        while index + 8 <= count {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = holds(EightBytes(word))
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        let rest = count - index
        guard rest > 0 else { return nil }
        var word: UInt64 = 0
        if count >= 8 {
            // Read the last eight bytes, and shift out those that were compared already.
            word =
                UInt64(littleEndian: base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)) >> (64 - 8 * rest)
        } else {
            for place in 0..<rest { word |= UInt64(self[index + place]) << (8 * place) }
        }
        // The bytes after the last one are zeros, which may match.
        let found = holds(EightBytes(word)) & (1 << (8 * rest) - 1)
        if found != 0 { return index + found.trailingZeroBitCount / 8 }
        return nil
    }
}

extension String {
    /// Whether it contains the bytes of a text.
    package func contains(bytesOf text: StaticString) -> Bool {
        var copy = self
        return copy.withUTF8 { $0.firstIndex(of: text) != nil }
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without the ASCII spaces and control characters at both ends.
    @inlinable package var trimmed: SubSequence {
        guard let first = firstIndex(where: { $0 > 0x20 }), let last = lastIndex(where: { $0 > 0x20 }) else {
            return self[endIndex..<endIndex]
        }
        return self[first...last]
    }
}

extension Substring {
    /// The text without the ASCII spaces and control characters at both ends.
    @inlinable package var trimmed: Substring { Substring(utf8.trimmed) }
}

extension String {
    /// The text without the ASCII spaces and control characters at both ends.
    @inlinable package var trimmed: Substring { self[...].trimmed }
}
