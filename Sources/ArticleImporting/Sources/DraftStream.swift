import ArticleStore
import Platform
import Text

/// All records of the inputs of an import, one after the other, however large the inputs are.
struct DraftStream {
    enum Item {
        case article(IncomingArticle)
        /// The sources that a library export lists.
        case sources([ExportedSource])
        /// Feeds of an OPML list whose files are missing.
        case feeds([FeedList.Feed])
        /// A record that this stream has already returned with the same content.
        case repeated
        /// A record from which an existing article was made, with the hash of the article's key.
        case known(key: Int, of: Source.ID)
        /// A draft to skip, once for each key that its article may have, without its text.
        case skippedDraft([IncomingArticle])
        /// A file that is not an article, with the reason.
        case notAnArticle(String)
        case rejected(Rejection)
    }

    private var files: SourceFiles
    private var file: SourceFiles.File?
    private var records: RecordReader?
    /// The number of records of the current file that were read.
    private var count = 0
    private var keys = ReadKeys()
    /// The next entries of the current feed.
    private var lookahead = FeedLookahead()
    /// The records that need not be read again; nil if they are unknown.
    private var known: KnownRecords?
    /// The current file, prepared for lookups in `known`.
    private var knownFile: KnownRecords.File?
    /// The number of records that are not articles, in the files that were read completely.
    private var skippedInFiles = 0
    private let options: ImportOptions

    /// - Throws: ``ImportError`` if a source does not exist.
    init(
        _ sources: [ImportSource], options: ImportOptions, isInterrupted: @escaping () -> Bool,
        onEvent: @escaping (ImportEvent) -> Void
    ) throws(ImportError) {
        files = try SourceFiles(
            sources, options: options, isInterrupted: isInterrupted, onEvent: onEvent)
        self.options = options
    }

    /// The number of skipped files and folders.
    var skippedFiles: Int { files.skippedFiles }

    /// The number of records in exports that are not articles.
    var skippedRecords: Int { skippedInFiles + (records?.skippedRecords ?? 0) }

    private mutating func endFile() {
        skippedInFiles += records?.skippedRecords ?? 0
        records = nil
        count = 0
        lookahead = FeedLookahead()
    }

    /// The input from which the last item comes; nil if it could not be opened.
    var root: ImportRoot? { files.root }

    /// The input that is being read, if its next records may be known already.
    var continuing: ImportRoot? {
        guard let root, root.kind == .folder || records?.asksOfSeveral == true else { return nil }
        return root
    }

    /// Copies input that is not a local file into temporary files. See `SourceFiles`.
    mutating func spool(in folder: String) throws { try files.spool(in: folder) }

    /// Skips known records in the rest of the current file and in the other files of the input.
    mutating func skip(_ known: KnownRecords) {
        self.known = known
        knownFile = file.flatMap(knownFile)
    }

    private func knownFile(_ file: SourceFiles.File) -> KnownRecords.File? {
        // A file that was moved into a folder of drafts is no longer an article, so it must be read.
        guard let known, known.root == file.root, !file.facts.isDraft || options.includesDrafts else { return nil }
        return known.file(file.relativePath)
    }

    /// - Returns: nil at the end.
    /// - Throws: ``ImportStoppedError``; ``InputFailure`` if an input cannot be read to its end.
    mutating func next() throws -> Item? {
        while true {
            let isLast = count == options.countLimit
            do {
                if records == nil {
                    let feeds = files.removeListedFeeds()
                    guard feeds.isEmpty else { return .feeds(feeds) }
                    guard let file = try files.next() else {
                        // The last file may have been a list.
                        let feeds = files.removeListedFeeds()
                        return feeds.isEmpty ? nil : .feeds(feeds)
                    }
                    self.file = file
                    knownFile = knownFile(file)
                    records = try RecordReader(file, options: options)
                }
                count += 1
                if let file, let item = try nextItem(in: file) {
                    if isLast { return leaveRest() }
                    guard case .notAnArticle(let reason) = item else { return item }
                    files.skip(reason)
                    endFile()
                    continue
                }
                endFile()
            } catch let error as RecordError {
                if isLast { return leaveRest() }
                return .rejected(Rejection(source: files.name, line: error.line, reason: error.reason))
            } catch let error as SystemError {
                endFile()
                return .rejected(Rejection(source: files.name, line: nil, reason: "cannot read the file: \(error)"))
            }
        }
    }

    /// Leaves out the rest of the file.
    private mutating func leaveRest() -> Item {
        let reason = "more than \(count - 1) entries: the others were not read"
        endFile()
        return .rejected(Rejection(source: files.name, line: nil, reason: reason))
    }

    /// - Returns: nil at the end of the file.
    /// - Throws: `RecordError` if a record is invalid, or another record of this import has the same key.
    private mutating func nextItem(in file: SourceFiles.File) throws -> Item? {
        guard var records else { return nil }
        self.records = nil
        defer { self.records = records }
        var known: Item?
        let record: RecordReader.Record?
        let feed: FeedHead?
        if let entry = lookahead.next() {
            (record, feed) = (try entry.record.get(), entry.feed)
        } else {
            record = try records.next { content, line in
                known = self.known(content, in: file, line: line)
                return known != nil
            }
            feed = records.feed
            if let record, feed != nil { lookahead.read(record, from: &records) }
        }
        guard let record else { return nil }
        switch record.outcome {
        case nil: return known
        case .skippedDraft(let keys):
            return .skippedDraft(
                keys.map {
                    IncomingArticle(
                        draftOf: $0, place(of: record, in: file, feed: feed), content: record.content.value)
                })
        case .notAnArticle(let reason): return .notAnArticle(reason)
        case .sources(let facts): return .sources(facts)
        case .draft(let draft, let claim):
            return try article(draft, claim, of: record, in: file, feed: feed)
        }
    }

    /// Returns the item for a record that is known without reading it; nil if it must be read.
    private mutating func known(_ content: RecordHash, in file: SourceFiles.File, line: Int?) -> Item? {
        guard let knownFile, let number = known?.number(of: content, in: knownFile, isFile: line == nil),
            let key = known?.key(of: number), let source = known?.source.id,
            // Another record with the same key was read.
            !keys.contains(Self.hash(of: file, record: line == nil ? nil : key.name))
        else { return nil }
        let isFirst = known?.markRead(number, in: files.name, line: line) ?? false
        return isFirst ? .known(key: key.key, of: source) : .repeated
    }

    /// Records the key of a record that was read.
    private mutating func insertKey(
        _ draft: ArticleDraft, _ hash: Int, of record: RecordReader.Record, isClaimed: Bool
    ) -> ReadKeys.Finding {
        if let knownFile, !isClaimed,
            let place = known?.place(of: record.line == nil ? nil : draft.key, in: knownFile)
        {
            return .taken(file: place.file, line: place.line)
        }
        return keys.insert(hash, content: record.content.value, file: files.name, line: record.line)
    }

    /// Returns a hash of a key and its scope.
    ///
    /// - Parameter record: the hash of the record's key; nil if the record is the whole file.
    private static func hash(of file: SourceFiles.File, record: Int?) -> Int {
        var hasher = Hasher()
        hasher.combine(file.root.location ?? ExactText(file.root.name))
        hasher.combine(file.relativePath)
        hasher.combine(record)
        return hasher.finalize()
    }

    private mutating func article(
        _ draft: ArticleDraft, _ claim: ExportedSource?, of record: RecordReader.Record, in file: SourceFiles.File,
        feed: FeedHead?
    ) throws(RecordError) -> Item {
        let isFile = record.line == nil
        let stated = draft.key
        let place = claim.map(IncomingArticle.Place.claimed) ?? place(of: record, in: file, feed: feed)
        var draft = draft
        var otherKeys: [ExactText] = []
        // Two articles may have the same ID in some feeds. Longer keys keep them apart.
        var longerKeys = claim == nil && !isFile ? draft.longerKeys(content: record.content.value)[...] : []
        if case .entry = place {
            otherKeys = Array(longerKeys)
        } else if claim == nil, feed != nil {
            otherKeys = lookahead.keys(of: draft, content: record.content.value)
            draft.key = otherKeys.removeFirst()
        }
        while true {
            let hash: Int
            if let claim {
                var hasher = Hasher()
                // If the user chose a source, all articles belong to it, so the source is not part of the hash.
                if options.source == nil { hasher.combine(claim.uid) }
                hasher.combine(draft.key)
                hash = hasher.finalize()
            } else if case .entry(let feed) = place {
                var hasher = Hasher()
                if options.source == nil { hasher.combine(feed.address) }
                hasher.combine(draft.key)
                hash = hasher.finalize()
            } else {
                let isAlone = isFile && file.relativePath != nil
                hash = Self.hash(of: file, record: isAlone ? nil : draft.key.hashValue)
            }
            switch insertKey(draft, hash, of: record, isClaimed: claim != nil) {
            case .first:
                return .article(
                    IncomingArticle(
                        draft: draft, otherKeys: otherKeys,
                        sharedKey: feed == nil && draft.key != stated ? stated : nil, place: place,
                        content: record.content.value, size: record.size, file: files.name, line: record.line))
            case .repeated: return .repeated
            case .taken(let first, let line):
                guard let longer = longerKeys.popFirst() else {
                    throw RecordError(
                        line: record.line,
                        "the key “\(draft.key)” is already used by another record: \(first)\(line.map { ":\($0)" } ?? "")"
                    )
                }
                draft.key = longer
            }
        }
    }

    private func place(
        of record: RecordReader.Record, in file: SourceFiles.File, feed: FeedHead?
    ) -> IncomingArticle.Place {
        if let feed = record.feed, feed.address.flatMap(WebAddress.valid) != nil { return .entry(of: feed) }
        guard record.line != nil else { return .file(file.root, path: file.relativePath) }
        var feed = feed
        if let listed = file.listed {
            if feed?.address == nil { feed?.address = listed.address }
            feed?.tags = listed.tags
        }
        return .record(file.root, path: file.relativePath, feed)
    }
}

/// An article that was read but not stored yet.
struct IncomingArticle {
    /// The place where it was read.
    enum Place: Hashable {
        /// A file of its own, with the path below the input; the path is nil for a stream.
        case file(ImportRoot, path: ExactText?)
        /// A record of a file.
        case record(ImportRoot, path: ExactText?, FeedHead?)
        /// A record of a library export, which states its source itself.
        case claimed(ExportedSource)
        /// An entry of a feed in an export of a feed reader. The feed has a web address.
        case entry(of: FeedHead)

        /// The input of the import; nil if the record states its source itself.
        var root: ImportRoot? {
            switch self {
            case .file(let root, _), .record(let root, _, _): root
            case .claimed, .entry: nil
            }
        }

        /// The path of its file below the input.
        var path: ExactText? {
            switch self {
            case .file(_, let path), .record(_, let path, _): path
            case .claimed, .entry: nil
            }
        }

        /// The feed to which the entry belongs.
        var feed: FeedHead? { if case .record(_, _, let feed) = self { feed } else { nil } }
    }

    let draft: ArticleDraft
    /// Further keys for an entry of a feed, in case other entries with the same ID appear or disappear.
    let otherKeys: [ExactText]
    /// The key that a record states, if an earlier record of the import has it already; otherwise nil.
    let sharedKey: ExactText?
    let place: Place
    /// A hash of the record as it was read.
    let content: UInt64
    /// The size of the original record in bytes.
    let size: Int
    /// The file, as reports name it.
    let file: String
    /// The line on which it begins, from 1; nil if it is the whole file.
    let line: Int?
}

extension IncomingArticle {
    /// The address of its story, if it has one.
    var story: StoryAddress? { draft.sourceURL.flatMap(StoryAddress.init) }

    /// Creates a skipped draft, which has only a key and no content.
    init(draftOf key: ExactText, _ place: Place, content: UInt64) {
        self.init(
            draft: ArticleDraft(key: key, slug: "", title: "", body: ""), otherKeys: [], sharedKey: nil, place: place,
            content: content, size: 0, file: "", line: nil)
    }
}
