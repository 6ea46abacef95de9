/// The records that the articles of a source were made from, by which an import knows again what has not changed without reading
/// what it says.
///
/// An article that was made of the same bytes, from the same place and by the same rules, is the same. Of each it keeps 32 bytes,
/// which say as well whether and where an import has met it, so that no ledger has to.
struct KnownRecords {
    /// A file that was given, or that is in what was, as its records are looked for.
    struct File {
        /// Of the article that it is itself; nil where it can be none.
        fileprivate let own: Int?
        /// Of the articles that its records are.
        fileprivate let records: Int
        /// What the keys of its records begin with.
        fileprivate let prefix: ExactText
    }

    /// Where a record was met.
    struct Place {
        let file: String
        /// Nil where it is all of the file.
        let line: Int?
    }

    /// The number of a file, from 1, and a line; zeros for none.
    private struct Meeting {
        var file: UInt32 = 0
        var line: UInt32 = 0
    }

    /// By what an article is known.
    struct Key {
        /// A hash of what its record calls itself; of an article that is a file, of nothing.
        let name: Int
        /// A hash of its key in its source.
        let key: Int
    }

    private struct Entry {
        /// A hash of the content and of the place.
        let record: UInt64
        let key: Key

        init(_ content: UInt64, at place: Int, _ key: Key) {
            record = Self.record(content, at: place)
            self.key = key
        }

        static func record(_ content: UInt64, at place: Int) -> UInt64 {
            RecordHash.fold(content, UInt64(truncatingIfNeeded: place) | 1)
        }
    }

    let source: Source
    /// What was given to the import and belongs to the source.
    let root: ImportRoot
    private let isNamed: Bool
    /// In the order of their records.
    private var entries: [Entry] = []
    /// Where each was met.
    private var meetings: [Meeting]
    /// The files in which records were met.
    private var files: [String] = []
    /// The entries in the order of their keys; empty until one is looked for by its key.
    private var byKey: [UInt32] = []

    /// What is known of a source.
    ///
    /// - Parameters:
    ///   - root: what was given and belongs to it.
    ///   - options: whether the source was named, and whether articles that were changed here stay as they are.
    init(of source: Source, at root: ImportRoot, options: ImportOptions, by writer: some ArticleWriter) throws {
        self.source = source
        self.root = root
        isNamed = options.source != nil
        var entries: [Entry] = []
        var file: (path: ExactText, place: Int)?
        try writer.forEachEntry(of: source.id) { key, entry in
            guard let content = entry.origin.content, !entry.origin.isEdited || !options.overwritesEdits else { return }
            let hash = key.hashValue
            guard source.kind.hasPaths else {
                return entries.append(Entry(content, at: Self.anywhere, Key(name: hash, key: hash)))
            }
            let place = PathKey(key)
            guard let record = place.record else {
                return entries.append(Entry(content, at: hash, Key(name: 0, key: hash)))
            }
            // The records of a file stand one after the other.
            if place.path != file?.path { file = (place.path, Self.prefix(ofRecordsIn: place.path).hashValue) }
            guard let file else { return }
            entries.append(Entry(content, at: file.place, Key(name: record.hashValue, key: hash)))
        }
        entries.sort { $0.record < $1.record }
        meetings = Array(repeating: Meeting(), count: entries.count)
        self.entries = entries
    }

    /// The place of records whose keys name no file.
    private static let anywhere = 0

    /// A file.
    /// - Parameter path: that below what was given; nil for a stream.
    func file(_ path: ExactText?) -> File? {
        guard source.kind.hasPaths else { return File(own: nil, records: Self.anywhere, prefix: "") }
        let site = SourceSite(.record(root, path: path, nil))
        guard let path = isNamed ? path : site?.path(in: source) else { return nil }
        let prefix = Self.prefix(ofRecordsIn: path)
        return File(own: PathKey(path: path).key.hashValue, records: prefix.hashValue, prefix: prefix)
    }

    private static func prefix(ofRecordsIn path: ExactText) -> ExactText { PathKey(path: path, record: "").key }

    /// The number of the article that was made from a record, where there is exactly one; for ``meet(_:in:line:)`` and ``key(of:)``.
    ///
    /// - Parameter isFile: whether the record is all of the file.
    func number(of content: RecordHash, in file: File, isFile: Bool) -> Int? {
        guard let place = isFile ? file.own : file.records else { return nil }
        let record = Entry.record(content.value, at: place)
        let low = Self.first(below: entries.count) { entries[$0].record < record }
        guard low < entries.count, entries[low].record == record else { return nil }
        let isOnly = low + 1 == entries.count || entries[low + 1].record != record
        return isOnly ? low : nil
    }

    /// By what the article of a number is known.
    func key(of number: Int) -> Key { entries[number].key }

    /// Notes where the article of a number was met.
    /// - Returns: whether it was the first time.
    mutating func meet(_ number: Int, in file: String, line: Int?) -> Bool {
        guard meetings[number].file == 0 else { return false }
        if files.last != file { files.append(file) }
        meetings[number] = Meeting(file: UInt32(clamping: files.count), line: UInt32(clamping: line ?? 0))
        return true
    }

    /// Where the article was met that a record of a file would be; nil where it was not.
    /// - Parameter name: what the record calls itself; nil where it is all of the file.
    mutating func place(of name: ExactText?, in file: File) -> Place? {
        guard !files.isEmpty, let key = name.map({ ("\(file.prefix)\($0)" as ExactText).hashValue }) ?? file.own else {
            return nil
        }
        if byKey.isEmpty {
            byKey = entries.indices.map { UInt32(clamping: $0) }
            byKey.sort { entries[Int($0)].key.key < entries[Int($1)].key.key }
        }
        var index = Self.first(below: byKey.count) { entries[Int(byKey[$0])].key.key < key }
        while index < byKey.count, entries[Int(byKey[index])].key.key == key {
            let meeting = meetings[Int(byKey[index])]
            if meeting.file > 0 {
                return Place(file: files[Int(meeting.file) - 1], line: meeting.line == 0 ? nil : Int(meeting.line))
            }
            index += 1
        }
        return nil
    }

    /// The first of the numbers below an end for which something does not hold that holds for those before it alone.
    private static func first(below end: Int, where isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, end)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
