import ArticleStore
import Platform
import Text

/// Reads a list of web addresses, one per line. Each becomes a link.
struct AddressListReader: RecordSource {
    private var lines: LineSplitter

    /// - Parameter limit: the maximum number of bytes of a line.
    init(_ bytes: ByteReader, limit: Int) throws { lines = try LineSplitter(bytes, limit: limit) }

    mutating func next() throws -> SourceRecord? {
        while true {
            let record = try lines.next { bytes, line throws(RecordError) -> SourceRecord? in
                guard let address = try Self.address(UnsafeBufferPointer(rebasing: bytes.trimmed), line: line) else {
                    return nil
                }
                return SavedLink(address: address).members.map { SourceRecord($0, line: line) }
            }
            guard let record else { return nil }
            if let record { return record }
        }
    }

    /// Returns the address in a line, or `nil` for a blank line or a comment, which begins with `#`.
    private static func address(_ line: UnsafeBufferPointer<UInt8>, line number: Int) throws(RecordError) -> String? {
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        guard let text = String(validating: line, as: UTF8.self), let address = WebAddress.valid(text) else {
            throw RecordError(line: number, "not a web address, in a list of addresses")
        }
        return address
    }

    /// Returns whether a text is a list of addresses, judged by its beginning.
    static func isList(_ start: UnsafeBufferPointer<UInt8>) -> Bool {
        let lines = start.split(separator: 0x0A).map(\.trimmed)
        // The last line may be incomplete.
        let whole = lines.count > 1 && start.last != 0x0A ? lines.dropLast() : lines[...]
        var hasAddress = false
        for line in whole where !line.isEmpty && line.first != UInt8(ascii: "#") {
            guard let text = String(validating: line, as: UTF8.self), WebAddress.valid(text) != nil else {
                return false
            }
            hasAddress = true
        }
        return hasAddress
    }
}
