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

    /// Whether it contains a sequence of bytes.
    package func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        firstIndex(of: bytes, from: 0) != nil
    }

    /// Returns the index of the first occurrence of a text at or after an index; nil if there is none.
    package func firstIndex(of text: StaticString, from start: Int = 0) -> Int? {
        firstIndex(of: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), from: start)
    }

    private func firstIndex(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = baseAddress, let sought = bytes.baseAddress, let first = bytes.first, start >= 0 else {
            return nil
        }
        var index = start
        while let found = firstIndex(of: first, from: index), found + bytes.count <= count {
            if memcmp(base + found, sought, bytes.count) == 0 { return found }
            index = found + 1
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the index of the first byte, at or after an index, for which a comparison holds; nil if there is none. It
    /// compares sixteen bytes at once.
    @inlinable @inline(__always)
    package func firstIndex(from start: Int, where holds: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>) -> Int? {
        guard let base = UnsafeRawPointer(baseAddress) else { return nil }
        var index = start
        while index < count {
            let bytes =
                count - index < 16
                ? lastBytes(from: index, of: base) : base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            // The zeros after the last byte may match.
            if let place = holds(bytes).firstIndex { return index + place < count ? index + place : nil }
            index += 16
        }
        return nil
    }

    /// Returns the last bytes, of which there are fewer than sixteen, and zeros after them.
    @inlinable
    func lastBytes(from start: Int, of base: UnsafeRawPointer) -> SIMD16<UInt8> {
        let size = count - start
        var (first, second): (UInt64, UInt64) = (0, 0)
        if count < 8 {
            for index in (start..<count).reversed() { first = first << 8 | UInt64(self[index]) }
        } else {
            // Read the last eight bytes, and shift out those before the start.
            let last = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
            if size < 8 {
                first = last >> (64 - 8 * size)
            } else {
                first = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
                second = last >> (128 - 8 * size)
            }
        }
        return unsafeBitCast(SIMD2(first.littleEndian, second.littleEndian), to: SIMD16<UInt8>.self)
    }
}

extension SIMD16<UInt8> {
    /// Returns a byte sixteen times. The standard library compares with a single byte one element at a time.
    @inlinable @inline(__always)
    package static func all(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }
}

extension SIMDMask<SIMD16<Int8>> {
    /// The index of the first true element; nil if there is none.
    @inlinable @inline(__always)
    var firstIndex: Int? {
        // All bits of a true element are set.
        let words = unsafeBitCast(self, to: SIMD2<UInt64>.self)
        if words[0] != 0 { return UInt64(littleEndian: words[0]).trailingZeroBitCount / 8 }
        return words[1] == 0 ? nil : 8 + UInt64(littleEndian: words[1]).trailingZeroBitCount / 8
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
