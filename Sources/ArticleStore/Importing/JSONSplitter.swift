/// Splits JSON text into the elements of its top-level array, or into the objects that stand one after another, without
/// reading more of it than one element. What is inside an element is not checked here.
struct JSONSplitter {
    private enum Place { case start, amongObjects, beforeFirst, afterElement, end }

    private let reader: ByteReader
    /// How many bytes one may have.
    var limit: Int
    private var place = Place.start
    private var line = 1
    /// Whether the end was reached and nothing stood before it, not even an array of nothing.
    private(set) var isBlank = false

    init(_ reader: ByteReader, limit: Int) throws {
        self.reader = reader
        self.limit = limit
        try self.reader.dropByteOrderMark()
    }

    /// Hands the next element to `body`, with the number of the line that it begins in.
    /// - Returns: nil at the end.
    /// - Throws: ``RecordError`` for an element over the limit, after which the next can be read, and for text of
    ///   which it cannot be said where the next would begin, after which comes the end; and what reading throws.
    mutating func next<T>(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> T) throws -> T? {
        guard place != .end else { return nil }
        guard var byte = try nextByte() else {
            if place == .start || place == .amongObjects {
                isBlank = place == .start
                place = .end
                return nil
            }
            throw broken("the text ends inside the array")
        }
        if place == .start {
            place = byte == UInt8(ascii: "[") ? .beforeFirst : .amongObjects
            if place == .beforeFirst {
                reader.drop(1)
                return try next(body)
            }
        }
        if place == .amongObjects {
            guard byte == UInt8(ascii: "{") else { throw broken("neither an array nor an object") }
            return try element(body)
        }
        if byte == UInt8(ascii: "]") {
            reader.drop(1)
            if try nextByte() != nil { throw broken("more text after the array") }
            place = .end
            return nil
        }
        if place == .afterElement {
            guard byte == UInt8(ascii: ",") else { throw broken("\",\" or \"]\" was expected") }
            reader.drop(1)
            guard let next = try nextByte() else { throw broken("the text ends inside the array") }
            byte = next
        }
        guard ![UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":")].contains(byte) else {
            throw broken("a value was expected")
        }
        place = .afterElement
        return try element(body)
    }

    private mutating func broken(_ reason: String) -> RecordError {
        place = .end
        return RecordError(line: line, reason + "; the rest of the text is not read")
    }

    /// The next byte that is no space, left in the stream.
    private mutating func nextByte() throws -> UInt8? {
        while true {
            let (spaces, lines, byte) = reader.withBytes { bytes -> (Int, Int, UInt8?) in
                var lines = 0
                for index in bytes.indices {
                    switch bytes[index] {
                    case 0x0A: lines += 1
                    case 0x20, 0x0D, 0x09: break
                    default: return (index, lines, bytes[index])
                    }
                }
                return (bytes.count, lines, nil)
            }
            line += lines
            reader.drop(spaces)
            if let byte { return byte }
            guard try reader.fill() else { return nil }
        }
    }

    private mutating func element<T>(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> T) throws -> T? {
        let first = line
        var scan = Scan()
        var scanned = 0
        var isTooLarge = false
        while true {
            let end = reader.withBytes { scan.end(in: $0, from: scanned) }
            if scan.isBroken {
                line += scan.lines
                throw broken("a line break inside a string")
            }
            if let end {
                line += scan.lines
                defer { reader.drop(end) }
                guard !isTooLarge, end <= limit else { throw tooLarge(first) }
                return try reader.withBytes { try body(UnsafeBufferPointer(rebasing: $0[..<end]), first) }
            }
            scanned = reader.count
            if scanned > limit {
                isTooLarge = true
                reader.drop(scanned)
                scanned = 0
            }
            if try reader.fill() { continue }
            place = .end
            throw isTooLarge
                ? tooLarge(first) : RecordError(line: first, "the text ends inside the element that begins here")
        }
    }

    private func tooLarge(_ line: Int) -> RecordError {
        RecordError(line: line, "an element of more than \(limit) bytes")
    }

    /// Finds the end of a value by its brackets and quotation marks, over as many pieces as it comes in.
    private struct Scan {
        private(set) var lines = 0
        private(set) var isBroken = false
        private var depth = 0
        private var isInString = false
        private var isEscaped = false

        /// The index after the value; nil where it goes on.
        mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
            var index = start
            while index < bytes.count {
                let byte = bytes[index]
                if isInString {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\"") {
                        isInString = false
                        if depth == 0 { return index + 1 }
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == 0x0A {
                        isBroken = true
                        return nil
                    }
                } else {
                    switch byte {
                    case UInt8(ascii: "\""): isInString = true
                    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                    case UInt8(ascii: "}"), UInt8(ascii: "]"):
                        // The end of what is around a number or a word.
                        if depth == 0 { return index }
                        depth -= 1
                        if depth == 0 { return index + 1 }
                    case UInt8(ascii: ","), 0x20, 0x0D, 0x09, 0x0A:
                        if depth == 0 { return index }
                        if byte == 0x0A { lines += 1 }
                    default: break
                    }
                }
                index += 1
            }
            return nil
        }
    }
}
