import Platform

extension UnsafeBufferPointer<UInt8> {
    /// Where a byte is first, from an index on; nil where it is not. As fast as the C library is, since most texts hold few of the
    /// signs that are looked for in each.
    func firstIndex(of byte: UInt8, from index: Int) -> Int? {
        guard index < count, let start = baseAddress,
            let found = memchr(start + index, Int32(byte), count - index)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }

    /// Whether some bytes are in it, one after the other.
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
