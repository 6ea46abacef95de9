import ArticleStore
import Text

/// The records from which the articles of a source were made. With them, an import recognizes an unchanged record
/// without interpreting it.
///
/// An article that was made from the same bytes at the same place by the same rules is unchanged. Each record takes 32
/// bytes. They also store whether and where the import has read the record, so that they need no set of read keys.
struct KnownRecords {
    /// An input file or a file in an input folder, prepared for lookups.
    struct File {
        /// The hash of the article that is the file itself; nil if the file cannot be an article.
        fileprivate let own: Int?
        /// The hash for the articles that are records of the file.
        fileprivate let records: Int
        /// The prefix of the keys of its records.
        fileprivate let prefix: ExactText
    }

    /// The place where a record was read.
    struct Place {
        let file: String
        /// Nil if the record is the whole file.
        let line: Int?
    }

    /// The number of a file, from 1, and a line; zeros if the record was not read.
    private struct ReadPlace {
        var file: UInt32 = 0
        var line: UInt32 = 0
    }

    /// The keys of an article as hashes.
    struct Key {
        /// The hash of the key that the record states. If the article is a file, it is the hash of an empty text.
        let name: Int
        /// The hash of the key in the source.
        let key: Int
    }

    private struct Entry {
        /// The hash of the content and the place.
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
    /// The input that belongs to the source.
    let root: ImportRoot
    private let isNamed: Bool
    /// Sorted by record.
    private var entries: [Entry] = []
    /// The place where each record was read.
    private var readPlaces: [ReadPlace]
    /// The files in which records were read.
    private var files: [String] = []
    /// The entries sorted by key; empty until the first lookup by key.
    private var byKey: [UInt32] = []

    /// Loads the known records of a source.
    ///
    /// - Parameters:
    ///   - root: the input that belongs to the source.
    ///   - options: whether the user named the source, and whether articles that were changed in the library keep their
    ///     changes.
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
            // The records of a file are consecutive.
            if place.path != file?.path { file = (place.path, Self.prefix(ofRecordsIn: place.path).hashValue) }
            guard let file else { return }
            entries.append(Entry(content, at: file.place, Key(name: record.hashValue, key: hash)))
        }
        entries.sort { $0.record < $1.record }
        readPlaces = Array(repeating: ReadPlace(), count: entries.count)
        self.entries = entries
    }

    /// The place of records whose keys do not contain a file.
    private static let anywhere = 0

    /// Prepares a file for lookups.
    ///
    /// - Parameter path: the path below the input; nil for a stream.
    func file(_ path: ExactText?) -> File? {
        guard source.kind.hasPaths else { return File(own: nil, records: Self.anywhere, prefix: "") }
        let site = SourceSite(.record(root, path: path, nil))
        guard let path = isNamed ? path : site?.path(in: source) else { return nil }
        let prefix = Self.prefix(ofRecordsIn: path)
        return File(own: PathKey(path: path).key.hashValue, records: prefix.hashValue, prefix: prefix)
    }

    private static func prefix(ofRecordsIn path: ExactText) -> ExactText { PathKey(path: path, record: "").key }

    /// Returns the index of the article that was made from a record, if there is exactly one. Pass it to
    /// ``markRead(_:in:line:)`` and ``key(of:)``.
    ///
    /// - Parameter isFile: whether the record is the whole file.
    func number(of content: RecordHash, in file: File, isFile: Bool) -> Int? {
        guard let place = isFile ? file.own : file.records else { return nil }
        let record = Entry.record(content.value, at: place)
        let low = Self.first(below: entries.count) { entries[$0].record < record }
        guard low < entries.count, entries[low].record == record else { return nil }
        let isOnly = low + 1 == entries.count || entries[low + 1].record != record
        return isOnly ? low : nil
    }

    /// Returns the keys of the article at an index.
    func key(of number: Int) -> Key { entries[number].key }

    /// Stores the place where the article at an index was read.
    ///
    /// - Returns: whether it was read for the first time.
    mutating func markRead(_ number: Int, in file: String, line: Int?) -> Bool {
        guard readPlaces[number].file == 0 else { return false }
        if files.last != file { files.append(file) }
        readPlaces[number] = ReadPlace(file: UInt32(clamping: files.count), line: UInt32(clamping: line ?? 0))
        return true
    }

    /// Returns the place where the article with a record's key was read; nil if it was not read.
    ///
    /// - Parameter name: the key that the record states; nil if the record is the whole file.
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
            let place = readPlaces[Int(byKey[index])]
            if place.file > 0 {
                return Place(file: files[Int(place.file) - 1], line: place.line == 0 ? nil : Int(place.line))
            }
            index += 1
        }
        return nil
    }

    /// Returns the first number below an end for which the condition is false. The condition must be true for all
    /// smaller numbers and false for all larger ones.
    private static func first(below end: Int, where isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, end)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The keys that an import has read, and the first record with each key.
///
/// For a record it keeps two hashes and a position, about sixty bytes, however long the key is. For a file it keeps the
/// name. Two different keys with equal hashes would be taken for one: with a million keys, that happens once in forty
/// million imports.
struct ReadKeys {
    enum Finding: Equatable {
        /// The key is new.
        case first
        /// The first record with this key has the same content.
        case repeated
        /// A different record already has the key. It is at this position.
        case taken(file: String, line: Int?)
    }

    private struct Entry {
        let file: UInt32
        /// 0 if the record is the whole file.
        let line: UInt32
        let content: UInt32
    }

    private var files: [String] = []
    private var entries: [Int: Entry] = [:]

    /// Whether a record with this key was read.
    func contains(_ key: Int) -> Bool { entries[key] != nil }

    /// Records a key, unless it was already read.
    ///
    /// - Parameters:
    ///   - key: a hash of the key and its scope.
    ///   - content: a hash of the whole record.
    ///   - line: the line on which the record begins, from 1; nil if it is the whole file.
    mutating func insert(_ key: Int, content: UInt64, file: String, line: Int?) -> Finding {
        let content = UInt32(truncatingIfNeeded: content)
        guard let entry = entries[key] else {
            if files.last != file { files.append(file) }
            entries[key] = Entry(
                file: UInt32(clamping: files.count - 1), line: UInt32(clamping: line ?? 0), content: content)
            return .first
        }
        if entry.content == content { return .repeated }
        return .taken(file: files[Int(entry.file)], line: entry.line == 0 ? nil : Int(entry.line))
    }
}
