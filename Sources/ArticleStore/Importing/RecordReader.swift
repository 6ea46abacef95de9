import Database
import Text

/// The records of one file, in whichever format it is.
struct RecordReader {
    /// What a record holds, and where.
    struct Record {
        let outcome: ArticleFields.Outcome
        let size: Int
        /// A hash of all that it says, the same in every run.
        let content: UInt64
        /// Nil where it is a file of its own.
        let line: Int?

        init(_ outcome: ArticleFields.Outcome, _ bytes: UnsafeBufferPointer<UInt8>, line: Int?) {
            self.outcome = outcome
            size = bytes.count
            content = Fingerprint(bytes).value
            self.line = line
        }

        init(_ outcome: ArticleFields.Outcome, item: JSON, size: Int, line: Int) {
            self.outcome = outcome
            self.size = size
            var writer = JSONWriter()
            writer.value(item, isCanonical: true)
            content = Fingerprint(writer.text).value
            self.line = line
        }
    }

    /// What stands in a file as one: an article or a feed of them.
    private enum Part {
        case record(Record)
        case feed(JSONFeed)
    }

    private enum Reading {
        case records(any RecordSource)
        case lines(LineSplitter)
        case elements(JSONSplitter)
        case file(ByteReader, Article.Format, FileNameFacts)
        case end
    }

    private var reading: Reading
    /// The feed whose items come next.
    private var jsonFeed: JSONFeed?
    private let options: ImportOptions

    /// What the feed says of itself that the last record is from, as far as it was read; nil where it is from none.
    var feed: FeedHead? {
        if case .records(let records) = reading { records.feed } else { jsonFeed?.head }
    }

    /// How many of the records were no articles, and were passed over.
    var passedOver: Int {
        if case .records(let records) = reading { records.passedOver } else { 0 }
    }

    /// - Throws: what reading throws, ``RecordError`` where the file says to be in an encoding that is not known, and
    ///   ``ImportError`` where the options do.
    init(_ file: SourceFiles.File, options: ImportOptions) throws {
        self.options = options
        let bytes = try file.bytes.decoded(as: options.encoding, mayBeHTML: file.format == .html)
        if bytes.count == 0 { _ = try bytes.fill() }
        switch options.format ?? bytes.withBytes({ ImportFormat(start: $0, ending: file.format) }) {
        case .feed: reading = .records(try FeedReader(bytes, limit: options.recordLimit))
        case .wordpress: reading = .records(try WordPressReader(bytes, limit: options.recordLimit))
        case .ghost:
            reading = .records(
                try GhostReader(bytes, limit: options.recordLimit, temporaryFolder: options.temporaryFolder))
        case .bookmarks: reading = .records(try BookmarkReader(bytes, limit: options.recordLimit))
        case .csv: reading = .records(try TableReader(bytes, limit: options.recordLimit))
        case .jsonl: reading = .lines(try LineSplitter(bytes, limit: options.recordLimit))
        case .json: reading = .elements(try JSONSplitter(bytes, limit: options.recordLimit))
        case .markdown: reading = .file(bytes, .markdown, file.facts)
        case .html: reading = .file(bytes, .html, file.facts)
        case .text: reading = .file(bytes, .plain, file.facts)
        }
    }

    /// - Returns: nil at the end of the file.
    /// - Throws: ``RecordError``, after which the next record can be read, and what reading throws.
    mutating func next() throws -> Record? {
        while true {
            if let record = try nextOfFeed() { return record }
            switch try nextPart() {
            case nil: return nil
            case .record(let record): return record
            case .feed(let feed): self.jsonFeed = feed
            }
        }
    }

    private mutating func nextOfFeed() throws(RecordError) -> Record? {
        guard let (item, number) = jsonFeed?.next(), let feed = jsonFeed else { return nil }
        do throws(RecordError) {
            guard let members = item.members else { throw RecordError("no JSON object") }
            return Record(
                try ArticleFields.outcome(of: members, options: options), item: item, size: feed.itemSize,
                line: feed.line)
        } catch {
            throw RecordError(line: feed.line, "item \(number) of the feed: \(error.reason)")
        }
    }

    /// - Returns: nil at the end of the file.
    private mutating func nextPart() throws -> Part? {
        switch reading {
        case .end: return nil
        case .records(var records):
            defer { reading = .records(records) }
            guard let record = try records.next() else { return nil }
            do throws(RecordError) {
                let outcome = try ArticleFields.outcome(of: record.members, options: options)
                return .record(Record(outcome, item: .object(record.members), size: record.size, line: record.line))
            } catch {
                throw RecordError(line: record.line, error.reason)
            }
        case .lines(var lines):
            defer { reading = .lines(lines) }
            while true {
                let part = try lines.next { [options] bytes, line -> Part? in
                    let text = UnsafeBufferPointer(rebasing: bytes.trimmed)
                    return text.isEmpty ? nil : try Self.part(ofJSON: text, line: line, options)
                }
                switch part {
                case .none: return nil
                case .some(.none): continue
                case .some(.some(let part)): return part
                }
            }
        case .elements(var elements):
            defer { reading = .elements(elements) }
            return try elements.next { [options] bytes, line in try Self.part(ofJSON: bytes, line: line, options) }
        case .file(let reader, let format, let facts):
            reading = .end
            try reader.dropByteOrderMark()
            while try reader.fill() {
                guard reader.count <= options.recordLimit else {
                    throw RecordError("a file of more than \(options.recordLimit) bytes")
                }
            }
            return try reader.withBytes { bytes in
                do throws(RecordError) {
                    let file = try FrontMatter.read(bytes)
                    let outcome = try ArticleFields.outcome(of: file, format: format, name: facts, options: options)
                    return .record(Record(outcome, bytes, line: nil))
                } catch {
                    throw RecordError(line: error.line ?? 1, error.reason)
                }
            }
        }
    }

    private static func part(
        ofJSON bytes: UnsafeBufferPointer<UInt8>, line: Int, _ options: ImportOptions
    ) throws(RecordError) -> Part {
        let value: JSON
        do {
            value = try JSONParser.value(of: bytes)
        } catch {
            let before = bytes[..<error.offset]
            let column = error.offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
            throw RecordError(line: line + before.lineCount, "\(error.reason) (byte \(column) of the line)")
        }
        guard let members = value.members else { throw RecordError(line: line, "no JSON object") }
        if let feed = JSONFeed(members, size: bytes.count, line: line) { return .feed(feed) }
        do {
            let entry = WallabagEntry.members(of: members)
            return .record(
                Record(try ArticleFields.outcome(of: entry ?? members, options: options), bytes, line: line))
        } catch {
            throw RecordError(line: line, error.reason)
        }
    }
}
