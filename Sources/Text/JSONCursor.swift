/// Moves through JSON text and holds only one value in memory. The inside of values that it returns or skips is not
/// validated here.
package struct JSONCursor {
    private let reader: ByteReader
    /// The maximum number of bytes of a returned value.
    package var limit: Int
    /// The current line, from 1.
    package private(set) var line = 1
    /// Whether the JSON is so broken that the start of the next value is unknown.
    package private(set) var isBroken = false

    /// - Parameter limit: the maximum number of bytes of a returned value.
    package init(_ reader: ByteReader, limit: Int) throws {
        self.reader = reader
        self.limit = limit
        try self.reader.dropByteOrderMark()
    }

    /// Returns the next byte that is not white space, without consuming it; nil at the end.
    package mutating func peek() throws -> UInt8? {
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

    /// Skips the byte that ``peek()`` returned.
    package func drop() { reader.drop(1) }

    /// Calls `body` with the value that begins here and with its line.
    ///
    /// - Throws: ``RecordError`` if the value is over the limit, after which the next can be read, or if the JSON is so
    ///   broken that the start of the next value is unknown; the errors of reading.
    package mutating func value<T>(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> T) throws -> T {
        let first = line
        guard let count = try count(upTo: limit) else {
            throw RecordError(line: first, "an element of more than \(limit) bytes")
        }
        defer { reader.drop(count) }
        return try reader.withBytes { try body(UnsafeBufferPointer(rebasing: $0[..<count]), first) }
    }

    /// Skips the value that begins here, however large it is.
    ///
    /// - Throws: like ``value(_:)``.
    package mutating func skip() throws {
        if let count = try count(upTo: limit) { reader.drop(count) }
    }

    /// Calls `body` for each member of the object that begins here. `body` must read or skip the value.
    ///
    /// - Throws: like ``value(_:)``; the errors of `body`.
    package mutating func forEachMember(_ body: (inout JSONCursor, String) throws -> Void) throws {
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

    /// Calls `body` for each element of the array that begins here. `body` must read or skip it.
    ///
    /// - Throws: like ``value(_:)``; the errors of `body`.
    package mutating func forEachElement(_ body: (inout JSONCursor) throws -> Void) throws {
        drop()
        var isFirst = true
        while try isThere(before: UInt8(ascii: "]"), isFirst) {
            isFirst = false
            try body(&self)
        }
    }

    /// Whether another member or element follows before the closing bracket.
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

    /// Returns the error that stops the reading of the text.
    package mutating func broken(_ reason: String) -> RecordError {
        isBroken = true
        return RecordError(line: line, reason + "; the rest of the text is not read")
    }

    /// Returns the number of bytes of the value that begins here; nil if it is over the limit, in which case it was
    /// skipped.
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

    /// Finds the end of a value by its brackets and quotation marks, even if it arrives in several pieces.
    private struct Scan {
        package private(set) var lines = 0
        private(set) var isBroken = false
        private var depth = 0
        private var isInString = false
        private var isEscaped = false

        /// Returns the index after the value; nil if the value continues.
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
                        // The bracket belongs to the container around a number or a word.
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

/// Splits JSON text into the elements of its top-level array, or into a sequence of objects, and holds only one element
/// in memory. The inside of an element is not validated here.
package struct JSONSplitter {
    private enum Place { case start, amongObjects, beforeFirst, afterElement, end }

    private var cursor: JSONCursor
    /// The maximum number of bytes of an element.
    package var limit: Int {
        get { cursor.limit }
        set { cursor.limit = newValue }
    }
    private var place = Place.start
    /// Whether the end was reached and the text is empty, without even an empty array.
    package private(set) var isBlank = false

    package init(_ reader: ByteReader, limit: Int) throws {
        cursor = try JSONCursor(reader, limit: limit)
    }

    /// Calls `body` with the next element and its line.
    ///
    /// - Returns: nil at the end.
    /// - Throws: ``RecordError`` if the element is over the limit, after which the next can be read, or if the JSON is
    ///   so broken that the start of the next element is unknown, after which the end follows; the errors of reading.
    package mutating func next<T>(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> T) throws -> T? {
        guard place != .end else { return nil }
        defer { if cursor.isBroken { place = .end } }
        guard var byte = try cursor.peek() else {
            guard place == .start || place == .amongObjects else {
                throw cursor.broken("the text ends inside the array")
            }
            isBlank = place == .start
            place = .end
            return nil
        }
        if place == .start {
            place = byte == UInt8(ascii: "[") ? .beforeFirst : .amongObjects
            if place == .beforeFirst {
                cursor.drop()
                return try next(body)
            }
        }
        if place == .amongObjects {
            guard byte == UInt8(ascii: "{") else { throw cursor.broken("neither an array nor an object") }
            return try cursor.value(body)
        }
        if byte == UInt8(ascii: "]") {
            cursor.drop()
            if try cursor.peek() != nil { throw cursor.broken("more text after the array") }
            place = .end
            return nil
        }
        if place == .afterElement {
            guard byte == UInt8(ascii: ",") else { throw cursor.broken("\",\" or \"]\" was expected") }
            cursor.drop()
            guard let next = try cursor.peek() else { throw cursor.broken("the text ends inside the array") }
            byte = next
        }
        guard ![UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":")].contains(byte) else {
            throw cursor.broken("a value was expected")
        }
        place = .afterElement
        return try cursor.value(body)
    }
}
