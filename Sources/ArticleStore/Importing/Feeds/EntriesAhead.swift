import Text

/// Entries of a feed that are read before the first of them is used, to find IDs that several entries share. Such an ID
/// does not identify an entry.
struct EntriesAhead {
    /// The maximum number of entries to read ahead. Longer feeds are compared in groups of this size.
    static let count = 1000
    private static let size = 8 << 20

    /// An entry that was read ahead.
    struct Entry {
        /// Nil at the end of the file.
        let record: Result<RecordReader.Record?, any Error>
        /// The feed of the entry.
        let feed: FeedHead?
    }

    /// The entries that were read ahead. The next one is at the end.
    private var entries: [Entry] = []
    /// The hashes of IDs and addresses that several entries share, as far as the feed was read.
    private var shared: Set<Int> = []

    /// Returns the next entry; nil if nothing was read ahead.
    mutating func next() -> Entry? { entries.popLast() }

    /// Reads the entries after `first`.
    mutating func read(_ first: RecordReader.Record, from records: inout RecordReader) {
        entries = []
        var size = first.size
        var met: [Int: UInt64] = [:]
        note(first, &met)
        while entries.count < Self.count, size < Self.size {
            let record = Result { try records.next { _, _ in false } }
            entries.append(Entry(record: record, feed: records.feed))
            switch record {
            case .success(let record?):
                size += record.size
                note(record, &met)
            case .failure(let error) where error is RecordError: continue
            case .success(nil), .failure: return entries.reverse()
            }
        }
        entries.reverse()
    }

    private mutating func note(_ record: RecordReader.Record, _ met: inout [Int: UInt64]) {
        guard case .draft(let draft, nil)? = record.outcome else { return }
        for name in Set(draft.feedKeys(content: record.content.value)) {
            // A repeated entry counts once.
            if met.updateValue(record.content.value, forKey: name.hashValue) ?? record.content.value
                != record.content.value
            {
                shared.insert(name.hashValue)
            }
        }
    }

    /// Returns the possible keys of an entry. The first is the key in this feed: the first one that no other entry has.
    func keys(of draft: ArticleDraft, content: UInt64) -> [ExactText] {
        let keys = draft.feedKeys(content: content)
        guard let key = keys.first(where: { !shared.contains($0.hashValue) }) else { return keys.reversed() }
        return [key] + keys.filter { $0 != key }
    }
}

extension ArticleDraft {
    /// The possible keys of an entry: its ID, its address, and the ID extended with more and more of the entry's
    /// content.
    fileprivate func feedKeys(content: UInt64) -> [ExactText] {
        [key] + (sourceURL.map { [ExactText($0)] } ?? []) + longerKeys(content: content)
    }
}
