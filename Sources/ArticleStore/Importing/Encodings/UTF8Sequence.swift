/// The kind of bytes at a position in UTF-8.
enum UTF8Sequence {
    /// A scalar with its number of bytes, and whether it is a valid character in XML 1.0 (section 2.2).
    case whole(Int, isCharacter: Bool)
    /// The start of a scalar that is incomplete.
    case cut(Int)
    /// A number of bytes that are not UTF-8.
    case wrong(Int)

    /// - Parameter bytes: four bytes, or fewer at the end.
    init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        let bytes = UnsafeBufferPointer(rebasing: bytes)
        let first = bytes[0]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0..<0x80: length = 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default:
            self = .wrong(1)
            return
        }
        for index in 1..<max(length, 1) {
            guard index < bytes.count else {
                self = .cut(index)
                return
            }
            guard (index == 1 ? second : 0x80...0xBF).contains(bytes[index]) else {
                self = .wrong(index)
                return
            }
        }
        let isControl = length == 1 && first < 0x20 && first != 0x09 && first != 0x0A && first != 0x0D
        let isNoncharacter = first == 0xEF && bytes[1] == 0xBF && bytes[2] >= 0xBE
        self = .whole(length, isCharacter: !isControl && !isNoncharacter)
    }
}
