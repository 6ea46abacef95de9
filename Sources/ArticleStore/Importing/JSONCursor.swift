import Text

/// Goes through JSON text without holding more of it than one value. What is inside a value that it hands out or passes over
/// is not checked here.
struct JSONCursor {
    private let reader: ByteReader
    /// How many bytes a value may have that is handed out.
    var limit: Int
    /// The line that it stands in, from 1.
    private(set) var line = 1
    /// Whether it cannot be said where the next value would begin.
    private(set) var isBroken = false

    /// - Parameter limit: how many bytes a value may have that is handed out.
    init(_ reader: ByteReader, limit: Int) throws {
        self.reader = reader
        self.limit = limit
        try self.reader.dropByteOrderMark()
    }

    /// The next byte that is no space, which stays where it is; nil at the end.
    mutating func peek() throws -> UInt8? {
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

    /// Passes over the byte that ``peek()`` gave.
    func drop() { reader.drop(1) }

    /// Hands the value that begins here to `body`, with the number of the line that it begins in.
    ///
    /// - Throws: ``RecordError`` for one over the limit, after which the next can be read, and for text of which it cannot be said
    ///   where the next would begin; and what reading throws.
    mutating func value<T>(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> T) throws -> T {
        let first = line
        guard let count = try count(upTo: limit) else {
            throw RecordError(line: first, "an element of more than \(limit) bytes")
        }
        defer { reader.drop(count) }
        return try reader.withBytes { try body(UnsafeBufferPointer(rebasing: $0[..<count]), first) }
    }

    /// Passes over the value that begins here, however large it is.
    /// - Throws: as ``value(_:)``.
    mutating func skip() throws {
        if let count = try count(upTo: limit) { reader.drop(count) }
    }

    /// Goes through the members of the object that begins here. `body` has to read or pass over the value of each.
    /// - Throws: as ``value(_:)``, and what `body` throws.
    mutating func forEachMember(_ body: (inout JSONCursor, String) throws -> Void) throws {
        drop()
        var isFirst = true
        while try isThere(before: UInt8(ascii: "}"), isFirst) {
            isFirst = false
            guard try peek() == UInt8(ascii: "\"") else { throw broken("a key in quotation marks was expected") }
            let key = try value { bytes, line in
                do throws(JSONError) {
                    return try JSONParser.value(of: bytes).text ?? ""
                } catch {
                    throw RecordError(line: line, error.reason)
                }
            }
            guard try peek() == UInt8(ascii: ":") else { throw broken("\":\" was expected") }
            drop()
            guard try peek() != nil else { throw broken("the text ends inside an object") }
            try body(&self, key)
        }
    }

    /// Goes through the elements of the array that begins here. `body` has to read or pass over each.
    /// - Throws: as ``value(_:)``, and what `body` throws.
    mutating func forEachElement(_ body: (inout JSONCursor) throws -> Void) throws {
        drop()
        var isFirst = true
        while try isThere(before: UInt8(ascii: "]"), isFirst) {
            isFirst = false
            try body(&self)
        }
    }

    /// Whether another member or element comes before the end of what holds them.
    private mutating func isThere(before end: UInt8, _ isFirst: Bool) throws -> Bool {
        var next = try peek()
        if next == end {
            drop()
            return false
        }
        if !isFirst, next != nil {
            guard next == UInt8(ascii: ",") else {
                throw broken("\",\" or \"\(Unicode.Scalar(end))\" was expected")
            }
            drop()
            next = try peek()
        }
        guard let next else { throw broken("the text ends inside \(end == 0x5D ? "an array" : "an object")") }
        guard ![UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":")].contains(next) else {
            throw broken("a value was expected")
        }
        return true
    }

    /// Why it cannot go on.
    mutating func broken(_ reason: String) -> RecordError {
        isBroken = true
        return RecordError(line: line, reason + "; the rest of the text is not read")
    }

    /// How many bytes the value has that begins here; nil where they are more than a limit, and it was passed over.
    private mutating func count(upTo limit: Int) throws -> Int? {
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
                guard !isTooLarge, end <= limit else {
                    reader.drop(end)
                    return nil
                }
                return end
            }
            scanned = reader.count
            if scanned > limit {
                isTooLarge = true
                reader.drop(scanned)
                scanned = 0
            }
            if try reader.fill() { continue }
            isBroken = true
            if isTooLarge { return nil }
            throw RecordError(line: first, "the text ends inside the element that begins here")
        }
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
