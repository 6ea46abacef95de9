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
