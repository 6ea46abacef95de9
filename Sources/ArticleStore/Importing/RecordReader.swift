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

        fileprivate init(_ outcome: ArticleFields.Outcome?, _ content: RecordHash, size: Int, line: Int?) {
            self.outcome = outcome
            self.size = size
            self.line = line
            var content = content
            if case .draft(let draft, let claim)? = outcome {
                content.isToBeRead = claim != nil || draft.marks != nil || draft.unread?.written != nil
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

    /// A unit of the file: a record, or a feed with several items.
    private enum Part {
        case record(Record)
        case feed(FeedItems)

        /// Whether it is the header of a library export.
        var isOfLibrary: Bool {
            if case .record(let record) = self, case .sources = record.outcome { true } else { false }
        }
    }

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
        case file(ByteReader, Article.Format, RecordPlace)
        case end
    }

    /// The number of bytes that are read before the format is detected, if the file is long enough.
    private static let headSize = 1 << 14

    private var reading: Reading
    /// The feed whose items come next.
    private var items: FeedItems?
    private let place: RecordPlace
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
    var passedOver: Int {
        if case .records(let records) = reading { records.passedOver } else { 0 }
    }

    /// - Throws: the errors of reading; ``RecordError`` if the file declares an unknown encoding; ``ImportError`` if
    ///   the options name one.
    init(_ file: SourceFiles.File, options: ImportOptions) throws {
        self.options = options
        seed = options.seed
        place = RecordPlace(ofRecordsIn: file)
        let bytes = try file.bytes.decoded(as: options.encoding, mayBeHTML: file.format == .html)
        encoding = bytes.encoding
        // The first bytes of a pipe may be too few to detect a format.
        while bytes.count < Self.headSize, bytes.withBytes(ImportFormat.mayBeAnother), try bytes.fill() {}
        switch options.format ?? bytes.withBytes({ ImportFormat(start: $0, ending: file.format) }) {
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
        case .markdown: reading = .file(bytes, .markdown, RecordPlace(file))
        case .html: reading = .file(bytes, .html, RecordPlace(file))
        case .text: reading = .file(bytes, .plain, RecordPlace(file))
        }
    }

    /// - Returns: nil at the end of the file.
    /// - Throws: ``RecordError``, after which the next record can be read; the errors of reading.
    mutating func next(_ isKnown: IsKnown) throws -> Record? {
        do {
            while true {
                if let record = try nextOfFeed() { return record }
                defer { isAtStart = false }
                switch try nextPart(isKnown) {
                case nil:
                    if isAtStart, isBlank { throw RecordError("no record in it: the file is blank") }
                    return nil
                case .record(let record): return record
                case .feed(let items): self.items = items
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
            guard let members = item.members.map(items.feed.members) else { throw RecordError("no JSON object") }
            return Record(
                try ArticleFields.outcome(of: members, in: place, options: options), item: .object(members),
                size: items.size, line: items.line, seed: seed)
        } catch {
            throw RecordError(line: items.line, "item \(items.count) of the feed: \(error.reason)")
        }
    }

    /// - Returns: nil at the end of the file.
    private mutating func nextPart(_ isKnown: IsKnown) throws -> Part? {
        switch reading {
        case .end: return nil
        case .records(var records):
            defer { reading = .records(records) }
            guard let record = try records.next() else { return nil }
            do throws(RecordError) {
                let outcome = try ArticleFields.outcome(of: record.members, in: place, options: options)
                    .marked(record.marks)
                return .record(
                    Record(outcome, item: .object(record.members), size: record.size, line: record.line, seed: seed))
            } catch {
                throw RecordError(line: record.line, (record.name.map { $0 + ": " } ?? "") + error.reason)
            }
        case .lines(var lines):
            defer { reading = .lines(lines) }
            while true {
                let part = try lines.next { bytes, line -> Part? in
                    let text = UnsafeBufferPointer(rebasing: bytes.trimmed)
                    return text.isEmpty ? nil : try self.part(ofJSON: text, line: line, isKnown)
                }
                switch part {
                case .none: return nil
                case .some(.none): continue
                case .some(.some(let part)):
                    if part.isOfLibrary { lines.limit = options.exportedRecordLimit }
                    return part
                }
            }
        case .elements(var elements):
            defer { reading = .elements(elements) }
            let part = try elements.next { bytes, line in
                try self.part(ofJSON: bytes, line: line, isKnown)
            }
            if part?.isOfLibrary == true { elements.limit = options.exportedRecordLimit }
            return part
        case .file(let reader, let format, let place):
            reading = .end
            try reader.dropByteOrderMark()
            var limit = options.recordLimit
            while try reader.fill() {
                if reader.count > limit, reader.withBytes(FrontMatter.isOfLibrary) {
                    limit = options.exportedRecordLimit
                }
                guard reader.count <= limit else { throw RecordError("a file of more than \(limit) bytes") }
            }
            return try reader.withBytes { bytes in
                let content = RecordHash(bytes, seed: seed)
                if isKnown(content, nil) { return .record(Record(nil, content, size: bytes.count, line: nil)) }
                do throws(RecordError) {
                    var file = try FrontMatter.read(bytes)
                    if format == .html, file.members.isEmpty { file = WebPage(file.body)?.file ?? file }
                    if format == .markdown, place.name.isMDX || MDX.begins(file.body),
                        LibraryRecord(file.members) == nil
                    {
                        file = FrontMatter(members: file.members, body: MDX.markdown(of: file.body))
                    }
                    let outcome = try ArticleFields.outcome(of: file, format: format, in: place, options: options)
                    return .record(Record(outcome, content, size: bytes.count, line: nil))
                } catch {
                    throw RecordError(line: error.line ?? 1, error.reason)
                }
            }
        }
    }

    private func part(
        ofJSON bytes: UnsafeBufferPointer<UInt8>, line: Int, _ isKnown: IsKnown
    ) throws(RecordError) -> Part {
        let content = RecordHash(bytes, seed: seed)
        if isKnown(content, line) { return .record(Record(nil, content, size: bytes.count, line: line)) }
        let value: JSON
        do {
            value = try JSONParser.value(of: bytes)
        } catch {
            let before = bytes[..<error.offset]
            let column = error.offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
            throw RecordError(line: line + before.lineCount, "\(error.reason) (byte \(column) of the line)")
        }
        guard let members = value.members else { throw RecordError(line: line, "no JSON object") }
        if let items = FeedItems(members, size: bytes.count, line: line) { return .feed(items) }
        do throws(RecordError) {
            var entry = WallabagEntry.members(of: members)
            var marks = entry == nil ? SavedMarks() : WallabagEntry.marks(of: members)
            if entry == nil {
                entry = try OmnivoreEntry.members(of: members, in: place.folder, limit: options.recordLimit)
                if entry != nil { marks = OmnivoreEntry.marks(of: members) }
            }
            let outcome = try ArticleFields.outcome(of: entry ?? members, in: place, options: options).marked(marks)
            // Hash the whole entry, because its text may be in another file.
            if let entry {
                return .record(Record(outcome, item: .object(entry), size: bytes.count, line: line, seed: seed))
            }
            return .record(Record(outcome, content, size: bytes.count, line: line))
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
    /// A hash of the options that determine the article in addition to the record. Records that were read with other
    /// options count as changed, and are compared with the library in full.
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
