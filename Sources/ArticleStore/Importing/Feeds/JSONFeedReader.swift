import Text

/// Reads a feed in JSON item by item.
///
/// Facts about the whole feed may come after the items. So the reader goes through the whole feed first, and keeps the
/// items in a temporary file.
struct JSONFeedReader: RecordSource {
    private var cursor: JSONCursor
    private let folder: String
    private var items: RecordSpool.Records?
    private var current: JSONFeed?
    /// The number of items that were returned.
    private var count = 0
    /// The errors in the items that were read.
    private var errors: [RecordError] = []

    var feed: FeedHead? { current?.head }

    /// - Parameters:
    ///   - bytes: the feed in UTF-8.
    ///   - limit: the maximum number of bytes of an item, or of another member of the feed.
    ///   - folder: the folder for the temporary file.
    init(_ bytes: ByteReader, limit: Int, temporaryFolder folder: String) throws {
        cursor = try JSONCursor(bytes, limit: limit)
        self.folder = folder
    }

    mutating func next() throws -> SourceRecord? {
        while true {
            if items == nil, errors.isEmpty {
                if cursor.isBroken { return nil }
                guard let byte = try cursor.peek() else { return nil }
                guard byte == UInt8(ascii: "{") else { throw cursor.broken("more text after the feed") }
                try readAll()
            }
            if let record = try nextItem() { return record }
            items = nil
            if !errors.isEmpty { throw errors.removeFirst() }
        }
    }

    private mutating func nextItem() throws -> SourceRecord? {
        guard let feed = current else { return nil }
        count += 1
        let name = "item \(count) of the feed"
        return try items?.next { bytes, line in
            let item: JSON
            do throws(JSONError) {
                item = try JSONParser.value(of: bytes)
            } catch {
                throw RecordError(line: line + bytes[..<error.offset].lineCount, "\(name): \(error.reason)")
            }
            guard let members = item.members else { throw RecordError(line: line, "\(name): no JSON object") }
            return SourceRecord(feed.members(of: members), line: line, name: name)
        }
    }

    /// Goes through the feed and stores its items.
    private mutating func readAll() throws {
        let spool = try RecordSpool(in: folder)
        let line = cursor.line
        var cursor = cursor
        defer { self.cursor = cursor }
        var head: [JSON.Member] = []
        do {
            try cursor.forEachMember { cursor, key in
                let byte = try cursor.peek()
                if key == "items", byte == UInt8(ascii: "[") {
                    try readItems(&cursor, into: spool)
                } else if JSONFeed.keys.contains(key) {
                    head.append(JSON.Member(key, try cursor.value(Self.value)))
                } else {
                    try cursor.skip()
                }
            }
        } catch let error as RecordError {
            errors.append(error)
        }
        count = 0
        current = JSONFeed(head)
        if current == nil { errors.append(RecordError(line: line, "an object that is no JSON Feed")) }
        items = try spool.records()
    }

    private mutating func readItems(_ cursor: inout JSONCursor, into spool: RecordSpool) throws {
        try cursor.forEachElement { cursor in
            do {
                try cursor.value { bytes, line in try spool.append(bytes, line: line) }
            } catch let error as RecordError where !cursor.isBroken && errors.count < Self.errorLimit {
                errors.append(error)
            }
        }
    }

    private static func value(of bytes: UnsafeBufferPointer<UInt8>, line: Int) throws -> JSON {
        do throws(JSONError) {
            return try JSONParser.value(of: bytes)
        } catch {
            throw RecordError(line: line + bytes[..<error.offset].lineCount, error.reason)
        }
    }

    /// The maximum number of invalid items that are reported.
    private static let errorLimit = 1000

    /// Whether a text begins as a JSON feed that states its version before the items.
    static func isFeed(_ start: UnsafeBufferPointer<UInt8>) -> Bool {
        guard start.trimmed.first == UInt8(ascii: "{") else { return false }
        var index = 0
        while let key = start.firstIndex(of: "\"version\"", from: index) {
            index = key + 9
            // Some programs write a slash as `\/`.
            let rest = start[index...].prefix(64).filter { $0 > 0x20 && $0 != UInt8(ascii: "\\") }
            if rest.starts(with: ":\"https://jsonfeed.org/version/".utf8) { return true }
        }
        return false
    }
}
