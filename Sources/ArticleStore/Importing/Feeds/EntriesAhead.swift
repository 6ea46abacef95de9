/// Entries of a feed that are read before the first of them is taken, to see which ids stand at several of them: such an id does
/// not tell them apart.
struct EntriesAhead {
    /// How many are read at most; of a longer feed, so many are compared at a time.
    static let count = 1000
    private static let size = 8 << 20

    /// An entry that was read ahead.
    struct Entry {
        /// Nil at the end of the file.
        let record: Result<RecordReader.Record?, any Error>
        /// The feed that it is of.
        let feed: FeedHead?
    }

    /// The entries that were read ahead, the next at the end.
    private var entries: [Entry] = []
    /// Hashes of the ids and the addresses that stand at several entries of the feed, as far as it was read.
    private var shared: Set<Int> = []

    /// The next entry; nil where nothing was read ahead.
    mutating func next() -> Entry? { entries.popLast() }

    /// Reads entries that follow one.
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
            // The same entry counts once.
            if met.updateValue(record.content.value, forKey: name.hashValue) ?? record.content.value
                != record.content.value
            {
                shared.insert(name.hashValue)
            }
        }
    }

    /// Returns the keys that an entry may have, the one first that it has in this feed: the first that no other entry has.
    func keys(of draft: ArticleDraft, content: UInt64) -> [ExactText] {
        let keys = draft.feedKeys(content: content)
        guard let key = keys.first(where: { !shared.contains($0.hashValue) }) else { return keys.reversed() }
        return [key] + keys.filter { $0 != key }
    }
}

extension ArticleDraft {
    /// The keys that an entry of a feed may have: its ID, its address, and the ID with more and more of what the entry says.
    fileprivate func feedKeys(content: UInt64) -> [ExactText] {
        [key] + (sourceURL.map { [ExactText($0)] } ?? []) + longerKeys(content: content)
    }
}
