import Text

/// A file of records whose reader converts them to the field names of articles: a feed, or an export of another
/// program.
protocol RecordSource {
    /// The facts about the whole feed that were read so far; nil if there are none.
    var feed: FeedHead? { get }
    /// The number of records that were skipped because they are not articles.
    var passedOver: Int { get }
    /// Reads the next record.
    ///
    /// - Returns: nil at the end.
    /// - Throws: ``RecordError`` if a record is invalid, after which the next can be read; the errors of reading.
    mutating func next() throws -> SourceRecord?
}

extension RecordSource {
    var feed: FeedHead? { nil }
    var passedOver: Int { 0 }
}

/// A record with the field names of articles: `id`, `title`, `url`, `date`, `updated`, `authors`, `tags`, `summary`,
/// `language`, `slug`, `base`, and one of `content_html`, `content_text`, and `body` (Markdown). Other data is in
/// `extra` under its own name.
struct SourceRecord {
    let members: [JSON.Member]
    /// The line on which it begins, from 1.
    let line: Int
    /// A name to show to the user if the line does not identify the record; nil if it does.
    let name: String?
    /// The size of the members in bytes.
    let size: Int
    /// The user's marks in the other program.
    let marks: SavedMarks

    init(_ members: [JSON.Member], line: Int, name: String? = nil, marks: SavedMarks = SavedMarks()) {
        self.members = members
        self.marks = marks
        self.line = line
        self.name = name
        size = members.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
    }
}

extension JSON {
    /// The approximate number of bytes of its text.
    fileprivate var size: Int {
        switch self {
        case .null, .bool: 1
        case .number(let text), .string(let text), .encoded(let text): text.utf8.count
        case .array(let elements): elements.reduce(0) { $0 + $1.size }
        case .object(let members): members.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
        }
    }
}

extension [JSON.Member] {
    /// Adds a text if it is not empty.
    mutating func add(_ key: String, _ text: String?) {
        if let text, !text.isEmpty { append(.init(key, .string(text))) }
    }

    /// Adds texts if there are any.
    mutating func add(_ key: String, _ texts: [String]) {
        if !texts.isEmpty { append(.init(key, JSON(texts))) }
    }

    /// Adds data that articles do not have fields for, if there is any.
    mutating func add(extra: [JSON.Member]) {
        if !extra.isEmpty { append(.init("extra", .object(extra))) }
    }
}
