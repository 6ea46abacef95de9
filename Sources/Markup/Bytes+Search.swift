import Platform

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first index of a byte at or after an index; nil if there is none. It uses memchr(3) because most
    /// texts contain few of the characters that are searched for.
    func firstIndex(of byte: UInt8, from index: Int) -> Int? {
        guard index < count, let start = baseAddress,
            let found = memchr(start + index, Int32(byte), count - index)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }

    /// Whether it contains a sequence of bytes.
    func contains(_ bytes: StaticString) -> Bool {
        guard let begin = baseAddress else { return false }
        let length = bytes.utf8CodeUnitCount
        var index = 0
        while let start = firstIndex(of: bytes.utf8Start.pointee, from: index), count - start >= length {
            if memcmp(begin + start, bytes.utf8Start, length) == 0 { return true }
            index = start + 1
        }
        return false
    }
}
