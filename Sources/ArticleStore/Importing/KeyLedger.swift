/// The keys that an import has read, and the first record with each key.
///
/// For a record it keeps two hashes and a position, about sixty bytes, however long the key is. For a file it keeps the
/// name. Two different keys with equal hashes would be taken for one: with a million keys, that happens once in forty
/// million imports.
struct KeyLedger {
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
    func has(_ key: Int) -> Bool { entries[key] != nil }

    /// Records a key, unless it was already read.
    ///
    /// - Parameters:
    ///   - key: a hash of the key and its scope.
    ///   - content: a hash of the whole record.
    ///   - line: the line on which the record begins, from 1; nil if it is the whole file.
    mutating func note(_ key: Int, content: UInt64, file: String, line: Int?) -> Finding {
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
