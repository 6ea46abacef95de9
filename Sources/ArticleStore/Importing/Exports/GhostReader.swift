import Text

/// Reads an export of Ghost: one JSON object with the tables of its database (`db[0].data`, or `data` alone).
///
/// The posts come before the tables of their authors and tags. So the reader goes through the whole export first. It
/// keeps the posts in a temporary file, and the necessary part of the other tables in memory.
struct GhostReader: RecordSource {
    private var cursor: JSONCursor
    private let folder: String
    private var posts: RecordSpool.Records?
    private var tables = GhostTables()
    /// The errors in the rows that were read.
    private var errors: [RecordError] = []

    /// - Parameters:
    ///   - bytes: the export in UTF-8.
    ///   - limit: the maximum number of bytes of a post or another row.
    ///   - folder: the folder for the temporary file.
    init(_ bytes: ByteReader, limit: Int, temporaryFolder folder: String) throws {
        cursor = try JSONCursor(bytes, limit: limit)
        self.folder = folder
    }

    mutating func next() throws -> SourceRecord? {
        if posts == nil { posts = try readAll() }
        let record = try posts?.next { [tables] bytes, line in
            guard let post = try Self.value(of: bytes, line: line).members else {
                throw RecordError(line: line, "a post that is no JSON object")
            }
            return SourceRecord(try GhostPost.members(of: post, in: tables, line: line), line: line)
        }
        if let record { return record }
        guard errors.isEmpty else { throw errors.removeFirst() }
        return nil
    }

    private static func value(of bytes: UnsafeBufferPointer<UInt8>, line: Int) throws(RecordError) -> JSON {
        do {
            return try JSONParser.value(of: bytes)
        } catch {
            throw RecordError(line: line + bytes[..<error.offset].lineCount, error.reason)
        }
    }

    // MARK: - Going through the whole

    private mutating func readAll() throws -> RecordSpool.Records {
        let spool = try RecordSpool(in: folder)
        var cursor = cursor
        defer { self.cursor = cursor }
        do {
            try readDocument(&cursor, into: spool)
        } catch let error as RecordError {
            errors.append(error)
        }
        return try spool.records()
    }

    private mutating func readDocument(_ cursor: inout JSONCursor, into spool: RecordSpool) throws {
        var hasData = false
        guard try cursor.peek() == UInt8(ascii: "{") else {
            throw cursor.broken("no export of Ghost: an object was expected")
        }
        try cursor.forEachMember { cursor, key in
            switch (key, try cursor.peek()) {
            case ("db", UInt8(ascii: "[")):
                try cursor.forEachElement { cursor in
                    guard try cursor.peek() == UInt8(ascii: "{") else { return try cursor.skip() }
                    try cursor.forEachMember { cursor, key in
                        guard try key == "data" && cursor.peek() == UInt8(ascii: "{") else { return try cursor.skip() }
                        hasData = true
                        try readTables(&cursor, into: spool)
                    }
                }
            case ("data", UInt8(ascii: "{")):
                hasData = true
                try readTables(&cursor, into: spool)
            default: try cursor.skip()
            }
        }
        if !hasData { throw RecordError("an export of Ghost without data") }
    }

    private mutating func readTables(_ cursor: inout JSONCursor, into spool: RecordSpool) throws {
        try cursor.forEachMember { cursor, table in
            let isKnown = table == "posts" || GhostTables.names.contains(table)
            guard try isKnown && cursor.peek() == UInt8(ascii: "[") else { return try cursor.skip() }
            try cursor.forEachElement { cursor in
                do {
                    try cursor.value { bytes, line in
                        guard table != "posts" else { return try spool.append(bytes, line: line) }
                        let row = try Self.value(of: bytes, line: line).members ?? []
                        try tables.take(row, of: table, size: bytes.count)
                    }
                } catch let error as RecordError where !cursor.isBroken && errors.count < Self.errorLimit {
                    errors.append(error)
                }
            }
        }
    }

    /// The greatest number of errors that are reported for the rows before the posts.
    private static let errorLimit = 1000

    /// Whether a text begins as an export of Ghost.
    static func isGhost(_ start: UnsafeBufferPointer<UInt8>) -> Bool {
        let head = String(decoding: start.prefix(1024).filter { $0 > 0x20 }.prefix(256), as: UTF8.self)
        return head.hasPrefix(#"{"db":[{"#) || head.hasPrefix(#"{"data":{"posts":["#)
            || head.hasPrefix(#"{"meta":{"#) && head.contains(bytesOf: #""exported_on""#)
    }
}
