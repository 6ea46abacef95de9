import Platform

/// Everything that the inputs of an import give, one record after another, however large they are.
struct DraftStream {
    enum Item {
        case article(IncomingArticle)
        /// What an export says of its sources.
        case sources([ExportedSource])
        /// A record that this stream has given already, the same.
        case repeated
        /// A draft that is not wanted, once for each key that an article of it may have; without its text.
        case skipped([IncomingArticle])
        case rejected(Rejection)
    }

    private var files: SourceFiles
    private var file: SourceFiles.File?
    private var records: RecordReader?
    private var keys = KeyLedger()
    /// How many records of the files that were read to their end are no articles.
    private var passedOverInFiles = 0
    private let options: ImportOptions

    /// - Throws: ``ImportError`` where a source is not there.
    init(
        _ sources: [ImportSource], options: ImportOptions, isInterrupted: @escaping () -> Bool,
        onPassedOver: @escaping (PassedOver) -> Void
    ) throws(ImportError) {
        files = try SourceFiles(
            sources, options: options, isInterrupted: isInterrupted, onPassedOver: onPassedOver)
        self.options = options
    }

    /// How much of what is in folders was not read.
    var passedOver: Int { files.passedOver }

    /// How many records of exports are no articles.
    var passedOverRecords: Int { passedOverInFiles + (records?.passedOver ?? 0) }

    private mutating func endFile() {
        passedOverInFiles += records?.passedOver ?? 0
        records = nil
    }

    /// What was given to the import, and the last item is from; nil where it could not even be looked at.
    var root: ImportRoot? { files.root }

    /// Takes in all that comes from elsewhere. See `SourceFiles`.
    mutating func spool(in folder: String) throws { try files.spool(in: folder) }

    /// - Returns: nil at the end.
    /// - Throws: ``ImportStoppedError``, and ``InputFailure`` where an input cannot be read to its end.
    mutating func next() throws -> Item? {
        while true {
            do {
                if records == nil {
                    guard let file = try files.next() else { return nil }
                    self.file = file
                    records = try RecordReader(file, options: options)
                }
                if let record = try records?.next(), let file {
                    if case .passedOver(let reason) = record.outcome {
                        files.passOver(reason)
                        endFile()
                        continue
                    }
                    return try item(of: record, in: file)
                }
                endFile()
            } catch let error as RecordError {
                return .rejected(Rejection(source: files.name, line: error.line, reason: error.reason))
            } catch let error as SystemError {
                endFile()
                return .rejected(Rejection(source: files.name, line: nil, reason: "cannot be read: \(error)"))
            }
        }
    }

    /// - Throws: ``RecordError`` where another record of this import has the key.
    private mutating func item(
        of record: RecordReader.Record, in file: SourceFiles.File
    ) throws(RecordError) -> Item {
        switch record.outcome {
        case .skipped(let keys): return .skipped(keys.map { IncomingArticle(draftOf: $0, place(of: record, in: file)) })
        case .passedOver: return .skipped([])
        case .sources(let facts): return .sources(facts)
        case .draft(let draft, let claim): return try article(draft, claim, of: record, in: file)
        }
    }

    private mutating func article(
        _ draft: ArticleDraft, _ claim: ExportedSource?, of record: RecordReader.Record, in file: SourceFiles.File
    ) throws(RecordError) -> Item {
        let place: IncomingArticle.Place
        var draft = draft
        var hasher = Hasher()
        if let claim {
            place = .claimed(claim)
            // Of another source, if one was asked for, all are.
            if options.source == nil { hasher.combine(claim.uid) }
            hasher.combine(draft.key)
        } else {
            place = self.place(of: record, in: file)
            hasher.combine(file.root.location ?? file.root.name)
            hasher.combine(file.relativePath)
            if record.line != nil || file.relativePath == nil { hasher.combine(draft.key) }
        }
        let prefix = hasher
        while true {
            switch keys.note(hasher.finalize(), content: record.content, file: files.name, line: record.line) {
            case .first:
                return .article(
                    IncomingArticle(
                        draft: draft, place: place, content: record.content, size: record.size, file: files.name,
                        line: record.line))
            case .repeated: return .repeated
            case .taken(let first, let line):
                // Two articles under one id, as some feeds have them: the title and the day tell them apart.
                let longer = draft.key + "#" + draft.titleAndDay
                guard claim == nil, record.line != nil, !draft.key.hasSuffix("#" + draft.titleAndDay) else {
                    throw RecordError(
                        line: record.line,
                        "the key “\(draft.key)” is that of another record: \(first)\(line.map { ":\($0)" } ?? "")")
                }
                draft.key = longer
                hasher = prefix
                hasher.combine(longer)
            }
        }
    }

    private func place(of record: RecordReader.Record, in file: SourceFiles.File) -> IncomingArticle.Place {
        record.line == nil
            ? .file(file.root, path: file.relativePath)
            : .record(file.root, path: file.relativePath, records?.feed)
    }
}
