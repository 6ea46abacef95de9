/// Which keys an import has met, and where each stood first.
///
/// Of a record it keeps two hashes and a place, some sixty bytes, however long its key is; of a file its name. Two keys would
/// be taken for one where their hashes agree: among a million, that happens once in forty million imports.
struct KeyLedger {
    enum Finding: Equatable {
        /// The key is new.
        case first
        /// The same record as where the key stood first.
        case repeated
        /// Another record has the key; it stands here.
        case taken(file: String, line: Int?)
    }

    private struct Entry {
        let file: UInt32
        /// 0 where it is the file as a whole.
        let line: UInt32
        let content: UInt32
    }

    private var files: [String] = []
    private var entries: [Int: Entry] = [:]

    /// Whether a key stands here.
    func has(_ key: Int) -> Bool { entries[key] != nil }

    /// Notes a record, unless its key stands here already.
    ///
    /// - Parameters:
    ///   - key: a hash of the key and of what it is the key in.
    ///   - content: a hash of all that the record says.
    ///   - line: where it begins in the file, from 1; nil where it is all of it.
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
