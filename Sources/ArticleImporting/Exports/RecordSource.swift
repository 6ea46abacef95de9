import ArticleStore
import Platform
import Text

/// A file of records whose reader converts them to the field names of articles: a feed, or an export of another
/// program.
protocol RecordSource {
    /// The facts about the whole feed that were read so far; nil if there are none.
    var feed: FeedHead? { get }
    /// The number of records that were skipped because they are not articles.
    var skippedRecords: Int { get }
    /// Reads the next record.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `RecordError` if a record is invalid, after which the next can be read; the errors of reading.
    mutating func next() throws -> SourceRecord?
}

extension RecordSource {
    var feed: FeedHead? { nil }
    var skippedRecords: Int { 0 }
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
    /// The feed to which the record belongs, if records of several feeds are in the file; else nil.
    let feed: FeedHead?

    init(
        _ members: [JSON.Member], line: Int, name: String? = nil, marks: SavedMarks = SavedMarks(),
        feed: FeedHead? = nil
    ) {
        self.members = members
        self.marks = marks
        self.feed = feed
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
        case .number(let text), .string(let text): text.utf8.count
        case .encoded(let text): text.count
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

/// A user's marks in the export of another program. Only marks that are set count: an entry that is unread there may
/// have been read here.
struct SavedMarks {
    var isRead = false
    var isStarred = false
    var isForLater = false
    /// The reading position in thousandths of the text.
    var place: Int?
    /// The names of the user's own tags.
    var tags: [String] = []

    /// Sets the marks that are set in another value.
    mutating func merge(_ other: SavedMarks) {
        isRead = isRead || other.isRead
        isStarred = isStarred || other.isStarred
        isForLater = isForLater || other.isForLater
        place = place ?? other.place
        tags += other.tags
    }

    /// The marks in the form of a library record; `nil` if none is set.
    var json: JSON? {
        var marks: [JSON.Member] = []
        if isRead { marks.append(.init("read", .bool(true))) }
        if isStarred { marks.append(.init("starred", .bool(true))) }
        if isForLater { marks.append(.init("later", .bool(true))) }
        if let place, (1...999).contains(place) { marks.append(.init("place", JSON(place))) }
        marks.add("tags", tags)
        return marks.isEmpty ? nil : .object(marks)
    }
}

extension JSON {
    /// Whether it means yes in one of the usual forms: `true`, `1`, `"1"`, `"yes"`.
    var isYes: Bool { self == .bool(true) || text.map { Self.yes.contains($0.lowercased()) } ?? false }

    private static let yes: Set<String> = ["1", "true", "yes"]
}

/// A page whose address the user saved, with the user's notes but without the page's text.
struct SavedLink {
    var address: String
    var title: String?
    /// The user's note, or the text that they highlighted on the page.
    var note: String?
    /// The date of saving, as it is written.
    var saved: String?
    /// The date of the last change to the link, as it is written.
    var changed: String?
    var tags: [String] = []
    /// The fields without a property in an article.
    var extra: [JSON.Member] = []

    /// The link as an article: its text is the note and the link. Nil if the address is not a page but a script, data,
    /// or a search of the browser.
    var members: [JSON.Member]? {
        let address = String(self.address.trimmed)
        let scheme = address.prefix(16).lowercased()
        guard !address.isEmpty, !["javascript:", "data:", "place:"].contains(where: scheme.hasPrefix) else {
            return nil
        }
        let title = (title ?? "").oneLine
        var members: [JSON.Member] = []
        if FeedLink.isWeb(address) { members.add("url", address) } else { members.add("id", address) }
        members.add("title", FeedTitle.cut(title.isEmpty ? address : title))
        var extra = extra
        if let saved, !saved.isEmpty {
            if let seconds = UnixTime.seconds(saved) {
                members.append(.init("date", seconds))
            } else if (try? DateParser.date(from: saved)) != nil {
                members.add("date", saved)
            } else if saved != "0" {
                extra.add("saved", saved)
            }
        }
        if let changed = changed.flatMap({ UnixTime.seconds($0) }) { members.append(.init("updated", changed)) }
        members.add("tags", tags.map { String($0.trimmed) }.filter { !$0.isEmpty })
        members.append(.init("content_html", .string(html(address))))
        members.add(extra: extra)
        return members
    }

    private func html(_ address: String) -> String {
        let note = note.map { WordPressText.paragraphs(of: XMLText.escapedForHTML(String($0.trimmed))) } ?? ""
        // A relative address means nothing outside of its site.
        guard address.prefix(32).contains(":") else { return note }
        let address = XMLText.escapedForHTML(address)
        return (note.isEmpty ? "" : note + "\n") + "<p><a href=\"\(address)\">\(address)</a></p>"
    }
}

/// Dates as browsers and link services store them: a number counted from 1970.
enum UnixTime {
    /// The number of microseconds from 1601 to 1970.
    private static let from1601: Int64 = 11_644_473_600_000_000

    /// Returns a count of seconds, milliseconds, microseconds, or nanoseconds in seconds. The size of the number shows
    /// its unit. Returns nil for other texts and for dates before 1973: such services are younger, and 0 means no date.
    static func seconds(_ text: some StringProtocol) -> JSON? {
        guard var count = Int64(text.split { $0 == "." }.first ?? "") else { return nil }
        switch count {
        // Chromium-based browsers count microseconds from 1601, and Windows counts tenths of microseconds.
        case from1601..<10 * from1601: count -= from1601
        case 10 * from1601..<1_000_000_000_000_000_000: count = count / 10 - from1601
        default: break
        }
        while count >= 100_000_000_000 { count /= 1000 }
        return count >= 100_000_000 ? .number(String(count)) : nil
    }
}

/// Keeps records in a temporary file until the data that they depend on is known.
final class RecordSpool {
    private let folder: String
    private let file: TemporaryFile
    private var pending: [UInt8] = []
    private static let piece = 1 << 18

    /// - Parameter folder: the folder of the file.
    /// - Throws: `RecordError` if the file cannot be created.
    init(in folder: String) throws(RecordError) {
        self.folder = folder
        do { file = try TemporaryFile(in: folder) } catch { throw Self.failure(error, folder) }
    }

    private static func failure(_ error: SystemError, _ folder: String) -> RecordError {
        RecordError("cannot store temporary data in \(folder): \(error)")
    }

    /// Adds a record.
    ///
    /// - Parameter line: the line on which it began.
    /// - Throws: `RecordError` if the disk is full.
    func append(_ bytes: UnsafeBufferPointer<UInt8>, line: Int) throws(RecordError) {
        for number in [bytes.count, line] { withUnsafeBytes(of: Int64(number)) { pending += $0 } }
        pending += bytes
        if pending.count >= Self.piece { try flush() }
    }

    private func flush() throws(RecordError) {
        do throws(SystemError) {
            try file.append(pending)
        } catch {
            throw Self.failure(error, folder)
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// Returns the records in their order, after all were added.
    func records() throws -> Records {
        try flush()
        do throws(SystemError) { try file.rewind() } catch { throw Self.failure(error, folder) }
        pending = []
        let bytes = ByteReader { [file] buffer in
            while true {
                let count = read(file.descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                guard errno == EINTR else { throw SystemError.current }
            }
        }
        return Records(bytes: bytes)
    }

    /// The records of a spool.
    struct Records {
        fileprivate let bytes: ByteReader

        /// Calls `body` with the next record and its line; returns nil at the end.
        mutating func next<T>(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> T) throws -> T? {
            guard try fill(to: 16) else { return nil }
            let (count, line) = bytes.withBytes { bytes in
                let bytes = UnsafeRawBufferPointer(bytes)
                return (
                    Int(bytes.loadUnaligned(as: Int64.self)),
                    Int(bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
                )
            }
            bytes.drop(16)
            guard try fill(to: count) else { return nil }
            defer { bytes.drop(count) }
            return try bytes.withBytes { try body(UnsafeBufferPointer(rebasing: $0.prefix(count)), line) }
        }

        private func fill(to count: Int) throws -> Bool {
            while bytes.count < count { guard try bytes.fill() else { return false } }
            return true
        }
    }
}
