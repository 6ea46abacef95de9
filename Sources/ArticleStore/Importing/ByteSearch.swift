import Platform

extension UnsafeBufferPointer<UInt8> {
    /// Returns the index of the first occurrence of a text at or after an index; nil if there is none.
    func firstIndex(of text: StaticString, from start: Int = 0) -> Int? {
        let length = text.utf8CodeUnitCount
        guard let base = baseAddress, length > 0, start >= 0 else { return nil }
        var index = start
        while index + length <= count,
            let found = memchr(base + index, Int32(text.utf8Start[0]), count - index - length + 1)
        {
            index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(found, text.utf8Start, length) == 0 { return index }
            index += 1
        }
        return nil
    }
}

extension String {
    /// Whether it contains the bytes of a text.
    func contains(bytesOf text: StaticString) -> Bool {
        var copy = self
        return copy.withUTF8 { $0.firstIndex(of: text) != nil }
    }
}
