/// Splits JSON text into the elements of its top-level array, or into a sequence of objects, and holds only one element
/// in memory. The inside of an element is not validated here.
struct JSONSplitter {
    private enum Place { case start, amongObjects, beforeFirst, afterElement, end }

    private var cursor: JSONCursor
    /// The maximum number of bytes of an element.
    var limit: Int {
        get { cursor.limit }
        set { cursor.limit = newValue }
    }
    private var place = Place.start
    /// Whether the end was reached and the text is empty, without even an empty array.
    private(set) var isBlank = false

    init(_ reader: ByteReader, limit: Int) throws {
        cursor = try JSONCursor(reader, limit: limit)
    }

    /// Calls `body` with the next element and its line.
    ///
    /// - Returns: nil at the end.
    /// - Throws: ``RecordError`` if the element is over the limit, after which the next can be read, or if the JSON is
    ///   so broken that the start of the next element is unknown, after which the end follows; the errors of reading.
    mutating func next<T>(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> T) throws -> T? {
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
