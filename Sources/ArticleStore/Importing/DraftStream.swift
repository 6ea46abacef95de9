import Text

/// Everything that the sources of an import give, one record after another, however large they are.
struct DraftStream {
    enum Item {
        /// An article, and how many bytes it was made of.
        case draft(ArticleDraft, size: Int)
        /// A record that this stream has given already, the same.
        case repeated
        /// A draft that is not wanted.
        case skipped
        case rejected(Rejection)
    }

    /// Reading was stopped by whoever asked for it.
    struct Stopped: Error {}

    private enum Reading {
        case lines(LineSplitter)
        case elements(JSONSplitter)
        case file(ByteReader, Article.Format, FileNameFacts)
    }

    /// What a record holds, and where.
    private struct Record {
        let outcome: ArticleFields.Outcome
        let size: Int
        /// A hash of all that it says.
        let content: Int
        /// Nil where it is a file of its own.
        let line: Int?

        init(_ outcome: ArticleFields.Outcome, _ bytes: UnsafeBufferPointer<UInt8>, line: Int?) {
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            // The name of a file has a date, too.
            if case .draft(let draft) = outcome { hasher.combine(draft.published) }
            self.outcome = outcome
            size = bytes.count
            content = hasher.finalize()
            self.line = line
        }

        init(_ outcome: ArticleFields.Outcome, item: JSON, size: Int, line: Int) {
            self.outcome = outcome
            self.size = size
            content = item.hashValue
            self.line = line
        }
    }

    /// What stands in a source as one: an article or a feed of them.
    private enum Part {
        case record(Record)
        case feed(JSONFeed)
    }

    /// What is still to be read, the next at the end.
    private var paths: [Path] = []
    private var reading: Reading?
    /// The feed whose items come next.
    private var feed: JSONFeed?
    /// How many files in folders are of no kind that is read.
    private(set) var passedOver = 0
    /// What is being read, as reports call it.
    private var name = ""
    private var slugs = SlugLedger()
    private var visitedFolders: Set<FileTree.Identity> = []
    private let options: ImportOptions
    private let isInterrupted: () -> Bool

    private enum Path {
        case given(ImportSource)
        case found(FilePath)
        /// What came through a stream, in a temporary file.
        case spooled(InputFile, name: String, format: ImportFormat?)
        case unreadable(name: String, FileTree.Failure)
    }

    /// - Throws: ``ImportFailure`` where a source is not there.
    init(
        _ sources: [ImportSource], options: ImportOptions, isInterrupted: @escaping () -> Bool
    ) throws(ImportFailure) {
        for case .path(let path) in sources {
            do {
                _ = try FileTree.status(of: FilePath(path))
            } catch {
                // Anything else, such as a folder that may not be entered, is reported when its turn comes.
                if error.isMissing { throw .noSuchFile(path) }
            }
        }
        paths = sources.reversed().map(Path.given)
        self.options = options
        self.isInterrupted = isInterrupted
    }

    /// Takes in all that comes from elsewhere (pipes, terminals), so that nothing is waited for later.
    ///
    /// - Parameter folder: where it is kept.
    /// - Throws: ``Stopped``, and ``ImportFailure`` where it cannot be kept.
    mutating func spool(in folder: String) throws {
        for index in paths.indices.reversed() {
            guard case .given(let source) = paths[index] else { continue }
            var name = ""
            do {
                let input: InputFile
                var format = options.format
                switch source {
                case .descriptor(let descriptor, let given):
                    name = given
                    guard try FileTree.kind(of: descriptor) == .stream else { continue }
                    input = InputFile(descriptor: descriptor)
                case .path(let path):
                    name = path
                    guard try FileTree.status(of: FilePath(path)).kind == .stream else { continue }
                    input = try InputFile(path: FilePath(path))
                    format = format ?? ImportFormat(fileName: path)
                }
                let file = try InputFile(spooling: input, in: folder) { if isInterrupted() { throw Stopped() } }
                paths[index] = .spooled(file, name: name, format: format)
            } catch let failure as FileTree.Failure {
                paths[index] = .unreadable(name: name, failure)
            } catch let failure as InputFile.SpoolFailure {
                throw ImportFailure.cannotKeep(name, folder: folder, reason: failure.cause.cause)
            }
        }
    }

    /// - Returns: nil at the end.
    /// - Throws: ``Stopped``.
    mutating func next() throws -> Item? {
        while true {
            do {
                if reading == nil {
                    guard let path = paths.popLast() else { return nil }
                    try begin(path)
                }
                if let record = try nextOfReading() { return try item(of: record) }
                reading = nil
            } catch let failure as RecordFailure {
                return .rejected(Rejection(source: name, line: failure.line, reason: failure.reason))
            } catch let failure as FileTree.Failure {
                reading = nil
                return .rejected(Rejection(source: name, line: nil, reason: failure.reason))
            }
        }
    }

    /// - Throws: ``RecordFailure`` where another record has the slug: which of them is meant cannot be known, and taking
    ///   both would change the article at every import.
    private mutating func item(of record: Record) throws(RecordFailure) -> Item {
        guard case .draft(let draft) = record.outcome else { return .skipped }
        switch slugs.note(draft.slug, content: record.content, source: name, line: record.line) {
        case .first: return .draft(draft, size: record.size)
        case .repeated: return .repeated
        case .taken(let source, let line):
            let place = source + (line.map { ":\($0)" } ?? "")
            throw RecordFailure(line: record.line, "the slug \"\(draft.slug)\" is taken by \(place)")
        }
    }

    private mutating func begin(_ path: Path) throws {
        switch path {
        case .given(.descriptor(let descriptor, let name)):
            self.name = name
            try open(InputFile(descriptor: descriptor), format: options.format, facts: .none)
        case .given(.path(let path)):
            name = path
            let status = try FileTree.status(of: FilePath(path))
            if status.kind == .folder { return try visit(FilePath(path), status.identity) }
            let isFile = status.kind == .file
            if options.format == nil, ImportFormat.isXML(fileName: path) { throw Self.unreadXML }
            try open(
                InputFile(path: FilePath(path)), format: options.format ?? ImportFormat(fileName: path),
                facts: isFile ? FileNameFacts(path: path) : .none)
        case .spooled(let file, let name, let format):
            self.name = name
            try open(file, format: format, facts: .none)
        case .unreadable(let name, let failure):
            self.name = name
            throw failure
        case .found(let path):
            name = path.text
            let status = try FileTree.status(of: path)
            if status.kind == .folder { return try visit(path, status.identity) }
            // Text files lie in folders for many reasons; only by its own name is one taken for an article.
            guard status.kind == .file, let format = ImportFormat(fileName: name), format != .text else {
                passedOver += 1
                return
            }
            try open(
                InputFile(path: path), format: options.format ?? format, facts: FileNameFacts(path: name))
        }
    }

    private mutating func visit(_ path: FilePath, _ identity: FileTree.Identity) throws {
        guard visitedFolders.insert(identity).inserted else { return }
        paths += try FileTree.content(of: path).reversed().map(Path.found)
    }

    private mutating func open(_ file: InputFile, format: ImportFormat?, facts: FileNameFacts) throws {
        let isInterrupted = isInterrupted
        let reader = ByteReader { buffer in
            while true {
                if let count = try file.read(into: buffer) { return count }
                if isInterrupted() { throw Stopped() }
            }
        }
        if format == nil { _ = try reader.fill() }
        guard let format = format ?? reader.withBytes({ ImportFormat(start: $0) }) else { throw Self.unreadXML }
        switch format {
        case .jsonl: reading = .lines(try LineSplitter(reader, limit: options.recordLimit))
        case .json: reading = .elements(try JSONSplitter(reader, limit: options.recordLimit))
        case .markdown: reading = .file(reader, .markdown, facts)
        case .html: reading = .file(reader, .html, facts)
        case .text: reading = .file(reader, .plain, facts)
        }
    }

    private static let unreadXML = RecordFailure(
        "XML, such as a feed of RSS or Atom, is not read; convert it to JSON Feed, or say what it is with --format")

    /// - Returns: nil at the end of what is being read.
    private mutating func nextOfReading() throws -> Record? {
        while true {
            if let record = try nextOfFeed() { return record }
            switch try nextPart() {
            case nil: return nil
            case .record(let record): return record
            case .feed(let feed): self.feed = feed
            }
        }
    }

    private mutating func nextOfFeed() throws(RecordFailure) -> Record? {
        guard let (item, number) = feed?.next(), let feed else { return nil }
        do throws(RecordFailure) {
            guard let members = item.members else { throw RecordFailure("no JSON object") }
            return Record(
                try ArticleFields.outcome(of: members, options: options), item: item, size: feed.itemSize,
                line: feed.line)
        } catch {
            throw RecordFailure(line: feed.line, "item \(number) of the feed: \(error.reason)")
        }
    }

    /// - Returns: nil at the end of what is being read.
    private mutating func nextPart() throws -> Part? {
        switch reading {
        case nil: return nil
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
            reading = nil
            try reader.dropByteOrderMark()
            while try reader.fill() {
                guard reader.count <= options.recordLimit else {
                    throw RecordFailure("a file of more than \(options.recordLimit) bytes")
                }
            }
            return try reader.withBytes { bytes in
                do throws(RecordFailure) {
                    let file = try FrontMatter.read(bytes)
                    let outcome = try ArticleFields.outcome(of: file, format: format, name: facts, options: options)
                    return .record(Record(outcome, bytes, line: nil))
                } catch {
                    throw RecordFailure(line: error.line ?? 1, error.reason)
                }
            }
        }
    }

    private static func part(
        ofJSON bytes: UnsafeBufferPointer<UInt8>, line: Int, _ options: ImportOptions
    ) throws(RecordFailure) -> Part {
        let value: JSON
        do {
            value = try JSONParser.value(of: bytes)
        } catch {
            let before = bytes[..<error.offset]
            let column = error.offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
            throw RecordFailure(line: line + before.lineCount, "\(error.reason) (byte \(column) of the line)")
        }
        guard let members = value.members else { throw RecordFailure(line: line, "no JSON object") }
        if let feed = JSONFeed(members, size: bytes.count, line: line) { return .feed(feed) }
        do {
            return .record(Record(try ArticleFields.outcome(of: members, options: options), bytes, line: line))
        } catch {
            throw RecordFailure(line: line, error.reason)
        }
    }
}
