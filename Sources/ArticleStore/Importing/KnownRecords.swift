/// The records that the articles of a source were made from, by which an import knows again what has not changed without reading
/// what it says.
///
/// An article that was made of the same bytes, from the same place and by the same rules, is the same. Of each it keeps 24 bytes.
struct KnownRecords {
    /// A file that was given, or that is in what was, as its records are looked for.
    struct File {
        /// Of the article that it is itself; nil where it can be none.
        fileprivate let own: Int?
        /// Of the articles that its records are.
        fileprivate let records: Int
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

    /// What is known of a source.
    ///
    /// - Parameters:
    ///   - root: what was given and belongs to it.
    ///   - options: whether the source was named, and whether articles that were changed here stay as they are.
    init(of source: Source, at root: ImportRoot, options: ImportOptions, by writer: some ArticleWriter) throws {
        self.source = source
        self.root = root
        isNamed = options.source != nil
        try writer.forEachEntry(of: source.id) { key, entry in
            guard let content = entry.origin.content, !entry.origin.isEdited || !options.overwritesEdits else { return }
            let hash = key.hashValue
            guard source.kind == .folder else {
                return entries.append(Entry(content, at: Self.anywhere, Key(name: hash, key: hash)))
            }
            entries.append(Entry(content, at: hash, Key(name: 0, key: hash)))
            // The key of a record is that of its file, a sign, and its own; either may have more of these signs.
            var rest = key[...]
            while let sign = rest.firstIndex(of: "#") {
                rest = key[key.index(after: sign)...]
                entries.append(
                    Entry(content, at: key[...sign].hashValue, Key(name: rest.hashValue, key: hash)))
            }
        }
        entries.sort { $0.record < $1.record }
    }

    /// The place of records whose keys name no file.
    private static let anywhere = 0

    /// A file.
    /// - Parameter path: that below what was given; nil for a stream.
    func file(_ path: String?) -> File? {
        guard source.kind == .folder else { return File(own: nil, records: Self.anywhere) }
        let site = SourceSite(.record(root, path: path, nil))
        guard let path = isNamed ? path : site?.path(in: source) else { return nil }
        return File(own: path.hashValue, records: (path + "#").hashValue)
    }

    /// The article that was made from a record, where there is exactly one.
    ///
    /// - Parameter isFile: whether the record is all of the file.
    func key(of content: RecordHash, in file: File, isFile: Bool) -> Key? {
        guard let place = isFile ? file.own : file.records else { return nil }
        let record = Entry.record(content.value, at: place)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].record < record { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].record == record else { return nil }
        let isOnly = low + 1 == entries.count || entries[low + 1].record != record
        return isOnly ? entries[low].key : nil
    }
}
