import Text

/// A file of records that its reader puts into the words that articles are made of: a feed, or what another program exported.
protocol RecordSource {
    /// The facts about the whole feed, as far as it was read; nil if there are none.
    var feed: FeedHead? { get }
    /// The number of records that were skipped because they are not articles.
    var passedOver: Int { get }
    /// The next record.
    ///
    /// - Returns: nil at the end.
    /// - Throws: ``RecordError`` for one that is wrong, after which the next can be read; and what reading throws.
    mutating func next() throws -> SourceRecord?
}

extension RecordSource {
    var feed: FeedHead? { nil }
    var passedOver: Int { 0 }
}

/// A record in the words that articles are made of: `id`, `title`, `url`, `date`, `updated`, `authors`, `tags`, `summary`,
/// `language`, `slug`, `base`, and one of `content_html`, `content_text` and `body` (Markdown); what else is said is in
/// `extra`, under its own name.
struct SourceRecord {
    let members: [JSON.Member]
    /// The line on which it begins, from 1.
    let line: Int
    /// The name for people if the line does not identify the record; nil if it does.
    let name: String?
    /// Of the members together, in bytes.
    let size: Int
    /// The marks that the reader has given it in the other program.
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
    /// About how many bytes of text it holds.
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
    /// Adds a text where there is one.
    mutating func add(_ key: String, _ text: String?) {
        if let text, !text.isEmpty { append(.init(key, .string(text))) }
    }

    /// Adds texts where there are some.
    mutating func add(_ key: String, _ texts: [String]) {
        if !texts.isEmpty { append(.init(key, JSON(texts))) }
    }

    /// Adds what no article has a place for, where there is some.
    mutating func add(extra: [JSON.Member]) {
        if !extra.isEmpty { append(.init("extra", .object(extra))) }
    }
}
