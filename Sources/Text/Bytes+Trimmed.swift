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
