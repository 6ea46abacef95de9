import ArticleStore
import Platform
import Text

/// Reads the records of a file in any format.
struct RecordReader {
    /// A record and its position.
    struct Record {
        /// The article or other result; nil if the record is known and was not interpreted.
        let outcome: ArticleFields.Outcome?
        let size: Int
        /// A hash of the content and of the options that determine the result.
        let content: RecordHash
        /// Nil if the record is a whole file.
        let line: Int?
        /// The feed to which the record belongs, if records of several feeds are in the file; else nil.
        fileprivate(set) var feed: FeedHead?

        /// Whether it is the header of a library export.
        fileprivate var isOfLibrary: Bool { if case .sources = outcome { true } else { false } }

        fileprivate init(_ outcome: ArticleFields.Outcome?, _ content: RecordHash, size: Int, line: Int?) {
            self.outcome = outcome
            self.size = size
            self.line = line
            var content = content
            if case .draft(let draft, let claim)? = outcome {
                content.isToBeRead = claim != nil || draft.marks != nil || draft.dateFallback?.written != nil
            }
            self.content = content
        }

        fileprivate init(_ outcome: ArticleFields.Outcome, item: JSON, size: Int, line: Int, seed: UInt64) {
            var writer = JSONWriter()
            writer.value(item, isCanonical: true)
            self.init(outcome, RecordHash(writer.text, seed: seed), size: size, line: line)
        }
    }

    /// Whether a record need not be read. It gets the hash and the line of the record; the line is nil for a whole
    /// file.
    typealias IsKnown = (RecordHash, Int?) -> Bool

    /// The items of a feed whose header comes after them.
    private struct FeedItems {
        let feed: JSONFeed
        let line: Int
        /// The average number of bytes of an item.
        let size: Int
        var rest: ArraySlice<JSON>
        var count = 0

        /// Nil if the object is not a feed.
        init?(_ object: [JSON.Member], size: Int, line: Int) {
            guard let feed = JSONFeed(object),
                case .array(let items)? = object.last(where: { $0.key == "items" })?.value
            else { return nil }
            self.feed = feed
            self.line = line
            self.size = size / max(1, items.count)
            rest = items[...]
        }
    }

    private enum Reading {
        case records(any RecordSource)
        case lines(LineSplitter)
        case elements(JSONSplitter)
        case file(ByteReader, Article.Format, RecordLocation)
        case end
    }

    /// The number of bytes that are read before the format is detected, if the file is long enough.
    private static let headSize = 1 << 14

    private var reading: Reading
    /// The feed whose items come next.
    private var items: FeedItems?
    /// The record that comes next; nil if it is an item of a feed.
    private var record: Record?
    private let place: RecordLocation
    private let options: ImportOptions
    /// The options that go into the hashes of records in addition to their content.
    private let seed: UInt64
    /// The encoding of the file before the conversion to UTF-8.
    private let encoding: String?
    /// Whether nothing has been read yet.
    private var isAtStart = true

    /// The facts about the feed of the last record that were read so far; nil if it is not from a feed.
    var feed: FeedHead? {
        if case .records(let records) = reading { records.feed } else { items?.feed.head }
    }

    /// Whether `isKnown` is called for each record of the file.
    var asksOfSeveral: Bool {
        switch reading {
        case .lines, .elements: true
        case .records, .file, .end: false
        }
    }

    /// The number of records that were skipped because they are not articles.
    var skippedRecords: Int {
        if case .records(let records) = reading { records.skippedRecords } else { 0 }
    }

    /// - Throws: the errors of reading; `RecordError` if the file declares an unknown encoding; ``ImportError`` if
    ///   the options name one.
    init(_ file: SourceFiles.File, options: ImportOptions) throws {
        self.options = options
        seed = options.seed
        place = RecordLocation(ofRecordsIn: file)
        var bytes = try file.bytes.decoded(as: options.encoding, mayBeHTML: file.format == .html)
        encoding = bytes.encoding
        if options.replacesInvalidText { bytes = bytes.replacingInvalidText() }
        // The first bytes of a pipe may be too few to detect a format.
        while bytes.count < Self.headSize, bytes.withBytes(ImportFormat.mayBeAnother), try bytes.fill() {}
        let format = options.format ?? bytes.withBytes({ ImportFormat(start: $0, ending: file.format) })
        if format == .json || format == .jsonl, let export = bytes.withBytes({ ReaderExport.Format($0) }) {
            reading = .records(
                try ReaderExport(
                    export, bytes, limit: options.recordLimit, temporaryFolder: options.temporaryFolder))
            return
        }
        switch format {
        case .feed: reading = .records(try FeedReader(bytes, limit: options.recordLimit))
        case .wordpress: reading = .records(try WordPressReader(bytes, limit: options.recordLimit))
        case .ghost:
            reading = .records(
                try GhostReader(bytes, limit: options.recordLimit, temporaryFolder: options.temporaryFolder))
        case .bookmarks: reading = .records(try BookmarkReader(bytes, limit: options.recordLimit))
        case .csv: reading = .records(try TableReader(bytes, limit: options.recordLimit))
        case .json where bytes.withBytes(JSONFeedReader.isFeed), .jsonl where bytes.withBytes(JSONFeedReader.isFeed):
            reading = .records(
                try JSONFeedReader(bytes, limit: options.recordLimit, temporaryFolder: options.temporaryFolder))
        case .jsonl: reading = .lines(try LineSplitter(bytes, limit: options.recordLimit))
        case .json: reading = .elements(try JSONSplitter(bytes, limit: options.recordLimit))
        // A list of addresses does not have a file extension of its own, but a file named as Markdown is Markdown.
        case .markdown where file.format == nil && options.format == nil && bytes.withBytes(AddressListReader.isList),
            .text where options.format == nil && bytes.withBytes(AddressListReader.isList):
            reading = .records(try AddressListReader(bytes, limit: options.recordLimit))
        case .markdown: reading = .file(bytes, .markdown, RecordLocation(file))
        case .html: reading = .file(bytes, .html, RecordLocation(file))
        case .text: reading = .file(bytes, .plain, RecordLocation(file))
        // A list of feeds is opened as such.
        case .newsboat: reading = .end
        }
    }

    /// - Returns: nil at the end of the file.
    /// - Throws: `RecordError`, after which the next record can be read; the errors of reading.
    mutating func next(_ isKnown: IsKnown) throws -> Record? {
        do {
            while true {
                if let record = try nextOfFeed() ?? record.take() { return record }
                defer { isAtStart = false }
                guard try readMore(isKnown) else {
                    if isAtStart, isBlank { throw RecordError("the file is blank") }
                    return nil
                }
            }
        } catch let error as RecordError {
            // Bytes that were invalid in the original encoding are invalid UTF-8 here.
            guard let encoding else { throw error }
            throw RecordError(line: error.line, error.reason.replacing("valid UTF-8", with: "valid \(encoding)"))
        }
    }

    /// Whether the file was empty.
    private var isBlank: Bool {
        switch reading {
        case .lines: true
        case .elements(let elements): elements.isBlank
        case .records, .file, .end: false
        }
    }

    private mutating func nextOfFeed() throws(RecordError) -> Record? {
        guard let item = items?.rest.popFirst() else { return nil }
        items?.count += 1
        guard let items else { return nil }
        do throws(RecordError) {
            guard let members = item.members.map(items.feed.members) else { throw RecordError("not a JSON object") }
            return Record(
                try ArticleFields.outcome(of: members, in: place, options: options), item: .object(members),
                size: items.size, line: items.line, seed: seed)
        } catch {
            throw RecordError(line: items.line, "item \(items.count) of the feed: \(error.reason)")
        }
    }

    /// Reads the next record, or the next feed with its items.
    ///
    /// - Returns: false at the end of the file.
    private mutating func readMore(_ isKnown: IsKnown) throws -> Bool {
        switch reading {
        case .end: return false
        case .records(var records):
            defer { reading = .records(records) }
            guard let record = try records.next() else { return false }
            do throws(RecordError) {
                let outcome = try ArticleFields.outcome(of: record.members, in: place, options: options)
                    .marked(record.marks)
                self.record = Record(
                    outcome, item: .object(record.members), size: record.size, line: record.line, seed: seed)
                self.record?.feed = record.feed
            } catch {
                throw RecordError(line: record.line, (record.name.map { $0 + ": " } ?? "") + error.reason)
            }
        case .lines(var lines):
            defer { reading = .lines(lines) }
            var isBlank = true
            while isBlank {
                let blank = try lines.next { bytes, line in
                    let text = UnsafeBufferPointer(rebasing: bytes.trimmed)
                    if !text.isEmpty { try readJSON(text, line: line, isKnown) }
                    return text.isEmpty
                }
                guard let blank else { return false }
                isBlank = blank
            }
            if record?.isOfLibrary == true { lines.limit = options.exportedRecordLimit }
        case .elements(var elements):
            defer { reading = .elements(elements) }
            guard try elements.next({ bytes, line in try readJSON(bytes, line: line, isKnown) }) != nil else {
                return false
            }
            if record?.isOfLibrary == true { elements.limit = options.exportedRecordLimit }
        case .file(let reader, let format, let place):
            reading = .end
            try reader.dropByteOrderMark()
            var limit = options.recordLimit
            while try reader.fill() {
                if reader.count > limit, reader.withBytes(FrontMatter.isOfLibrary) {
                    limit = options.exportedRecordLimit
                }
                guard reader.count <= limit else { throw RecordError("the file is larger than \(limit) bytes") }
            }
            record = try reader.withBytes { bytes in
                let content = RecordHash(bytes, seed: seed)
                if isKnown(content, nil) { return Record(nil, content, size: bytes.count, line: nil) }
                do throws(RecordError) {
                    var file = try FrontMatter.read(bytes)
                    if format == .html, file.members.isEmpty { file = WebPage(file.body)?.file ?? file }
                    if format == .markdown, place.name.isMDX || MDX.begins(file.body),
                        LibraryRecord(file.members) == nil
                    {
                        file = FrontMatter(members: file.members, body: MDX.markdown(of: file.body))
                    }
                    let outcome = try ArticleFields.outcome(of: file, format: format, in: place, options: options)
                    return Record(outcome, content, size: bytes.count, line: nil)
                } catch {
                    throw RecordError(line: error.line ?? 1, error.reason)
                }
            }
        }
        return true
    }

    /// Sets ``record`` or, for a JSON Feed, ``items``.
    private mutating func readJSON(
        _ bytes: UnsafeBufferPointer<UInt8>, line: Int, _ isKnown: IsKnown
    ) throws(RecordError) {
        let content = RecordHash(bytes, seed: seed)
        if isKnown(content, line) {
            record = Record(nil, content, size: bytes.count, line: line)
            return
        }
        let value: JSON
        do {
            value = try JSONParser.value(of: bytes)
        } catch {
            let before = bytes[..<error.offset]
            let column = error.offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
            throw RecordError(line: line + before.lineCount, "\(error.reason) (byte \(column) of the line)")
        }
        guard let members = value.members else { throw RecordError(line: line, "not a JSON object") }
        if let items = FeedItems(members, size: bytes.count, line: line) {
            self.items = items
            return
        }
        do throws(RecordError) {
            var entry = WallabagEntry.members(of: members)
            var marks = entry == nil ? SavedMarks() : WallabagEntry.marks(of: members)
            if entry == nil {
                entry = try OmnivoreEntry.members(of: members, in: place.folder, limit: options.recordLimit)
                if entry != nil { marks = OmnivoreEntry.marks(of: members) }
            }
            let outcome = try ArticleFields.outcome(of: entry ?? members, in: place, options: options).marked(marks)
            // Hash the whole entry, because its text may be in another file.
            record =
                if let entry {
                    Record(outcome, item: .object(entry), size: bytes.count, line: line, seed: seed)
                } else {
                    Record(outcome, content, size: bytes.count, line: line)
                }
        } catch {
            throw RecordError(line: line, error.reason)
        }
    }
}

extension ArticleFields.Outcome {
    /// Returns the outcome with the marks of another program.
    fileprivate func marked(_ marks: SavedMarks) -> Self {
        guard case .draft(var draft, let claim) = self, let json = marks.json else { return self }
        draft.marks = json
        return .draft(draft, claim: claim)
    }
}

extension ImportOptions {
    /// A hash of the options on which the article of a record depends. If they change, every record is parsed and
    /// compared with the library again.
    fileprivate var seed: UInt64 {
        RecordHash(
            "\(RecordReader.rules) \(includesDrafts) \(format?.rawValue ?? "") \(author ?? "")", seed: 0
        ).value
    }
}

extension RecordReader {
    /// The version of the rules that make articles from records. Increase it with each change that makes a different
    /// article from the same bytes, such as a different excerpt or date.
    fileprivate static let rules = 3
}

/// The facts about a record apart from its content.
struct RecordLocation {
    /// The facts in the name of its file.
    let name: FileNameFacts
    /// The modification time of its file; nil for a stream.
    let modified: Date?
    /// Whether its file was found in a folder, which may contain many other files, instead of being named by the user.
    let isFound: Bool
    /// The folder of its file, if related files may be next to it; else nil.
    let folder: OpenFolder?

    /// The place of a text that is not from a file.
    static var none: RecordLocation { RecordLocation(name: .none) }

    private init(name: FileNameFacts) {
        self.name = name
        modified = nil
        isFound = false
        folder = nil
    }

    /// Creates the place of an article that is a file.
    init(_ file: SourceFiles.File) {
        name = file.facts
        modified = file.modified
        isFound = file.root.kind == .folder
        folder = file.folder
    }

    /// Creates the place of one of several records of a file.
    init(ofRecordsIn file: SourceFiles.File) {
        name = FileNameFacts(ofRecordsIn: file.facts)
        modified = file.modified
        isFound = file.root.kind == .folder
        folder = file.folder
    }
}

extension ImportFormat {
    /// Detects the format from the start of a text. A feed is recognized whatever the file is named. Otherwise the file
    /// name counts; without one, a text that begins with a bracket is JSON, or JSON Lines if the first line is a
    /// complete object; any other text is Markdown.
    ///
    /// - Parameter ending: the format of the file name.
    init(start: UnsafeBufferPointer<UInt8>, ending: ImportFormat?) {
        let text = start.starts(with: ByteReader.byteOrderMark) ? start.dropFirst(3) : start[...]
        let trimmed = text.trimmed
        let root = XMLRoot(trimmed)
        if let root, root.isFeed || root.isList {
            self = root.isWordPress ? .wordpress : .feed
            return
        }
        if GhostReader.isGhost(UnsafeBufferPointer(rebasing: trimmed)) {
            self = .ghost
            return
        }
        if ReaderExport.Format(UnsafeBufferPointer(rebasing: trimmed)) != nil {
            self = .json
            return
        }
        if BookmarkReader.isBookmarks(UnsafeBufferPointer(rebasing: trimmed)) {
            self = .bookmarks
            return
        }
        let isJSON = trimmed.first == UInt8(ascii: "{") || trimmed.first == UInt8(ascii: "[")
        if ending == nil || ending == .text, !isJSON, TableHeader(start: UnsafeBufferPointer(rebasing: trimmed)) != nil
        {
            self = .csv
            return
        }
        if let ending, ending != .feed {
            self = ending
            return
        }
        if let root {
            self = root.isPage ? .html : .feed
            return
        }
        switch trimmed.first {
        case UInt8(ascii: "["): self = .json
        case UInt8(ascii: "{"):
            let line = UnsafeBufferPointer(rebasing: trimmed.prefix { $0 != 0x0A })
            // If the first line is longer than the available bytes, assume JSON Lines.
            self = line.count == trimmed.count || (try? JSONParser.value(of: line)) != nil ? .jsonl : .json
        default: self = ending ?? .markdown
        }
    }

    /// Whether more bytes could change the detected format. They cannot if the first line is a record: records of a
    /// stream are read as they arrive.
    static func mayBeAnother(start: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = start.drop { $0 <= 0x20 }
        let line = text.prefix { $0 != 0x0A }
        guard line.count < text.count else { return true }
        switch line.first {
        case UInt8(ascii: "{"): return (try? JSONParser.value(of: UnsafeBufferPointer(rebasing: line))) == nil
        case UInt8(ascii: "["), UInt8(ascii: "<"): return true
        default: return false
        }
    }
}
