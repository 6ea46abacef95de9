/// Which slugs an import has met, and where each stood first.
///
/// Of a record it keeps two hashes and a place, some sixty bytes, however long its slug is; of a source its name. Two
/// slugs would be taken for one where their hashes agree: among a million, that happens once in forty million imports.
struct SlugLedger {
    enum Finding: Equatable {
        /// The slug is new.
        case first
        /// The same record as where the slug stood first.
        case repeated
        /// Another record has the slug; it stands here.
        case taken(source: String, line: Int?)
    }

    private struct Entry {
        let source: UInt32
        /// 0 where it is the file as a whole.
        let line: UInt32
        /// Of all that the record says.
        let content: UInt32
    }

    private var sources: [String] = []
    private var entries: [Int: Entry] = [:]

    /// Notes a record, unless its slug stands here already.
    ///
    /// - Parameters:
    ///   - content: a hash of all that the record says.
    ///   - line: where it begins in the source, from 1; nil where it is all of it.
    mutating func note(_ slug: String, content: Int, source: String, line: Int?) -> Finding {
        let content = UInt32(truncatingIfNeeded: content)
        let slug = slug.hashValue
        guard let entry = entries[slug] else {
            if sources.last != source { sources.append(source) }
            entries[slug] = Entry(
                source: UInt32(clamping: sources.count - 1), line: UInt32(clamping: line ?? 0), content: content)
            return .first
        }
        if entry.content == content { return .repeated }
        return .taken(source: sources[Int(entry.source)], line: entry.line == 0 ? nil : Int(entry.line))
    }
}
