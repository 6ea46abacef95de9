import Platform

/// Everything that the sources of an import give, one record after another, however large they are; of two records with one
/// slug, the first.
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

    private var files: SourceFiles
    private var records: RecordReader?
    private var slugs = SlugLedger()
    private let options: ImportOptions

    /// - Throws: ``ImportError`` where a source is not there.
    init(
        _ sources: [ImportSource], options: ImportOptions, isInterrupted: @escaping () -> Bool
    ) throws(ImportError) {
        files = try SourceFiles(sources, options: options, isInterrupted: isInterrupted)
        self.options = options
    }

    /// How many files in folders are of no kind that is read.
    var passedOver: Int { files.passedOver }

    /// Takes in all that comes from elsewhere. See `SourceFiles`.
    mutating func spool(in folder: String) throws { try files.spool(in: folder) }

    /// - Returns: nil at the end.
    /// - Throws: ``ImportStoppedError``.
    mutating func next() throws -> Item? {
        while true {
            do {
                if records == nil {
                    guard let file = try files.next() else { return nil }
                    records = try RecordReader(file, options: options)
                }
                if let record = try records?.next() { return try item(of: record) }
                records = nil
            } catch let error as RecordError {
                return .rejected(Rejection(source: files.name, line: error.line, reason: error.reason))
            } catch let error as SystemError {
                records = nil
                return .rejected(Rejection(source: files.name, line: nil, reason: "cannot be read: \(error)"))
            }
        }
    }

    /// - Throws: ``RecordError`` where another record has the slug: which of them is meant cannot be known, and taking
    ///   both would change the article at every import.
    private mutating func item(of record: RecordReader.Record) throws(RecordError) -> Item {
        guard case .draft(let draft) = record.outcome else { return .skipped }
        switch slugs.note(draft.slug, content: record.content, source: files.name, line: record.line) {
        case .first: return .draft(draft, size: record.size)
        case .repeated: return .repeated
        case .taken(let source, let line):
            let first = source + (line.map { ":\($0)" } ?? "")
            throw RecordError(line: record.line, "the slug \"\(draft.slug)\" is taken by \(first)")
        }
    }
}
