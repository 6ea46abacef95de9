internal import CSQLite

/// The prepared statements of one connection, by their text.
///
/// A statement that is in use is never returned again: running the same SQL inside of its own row closure prepares a
/// second statement instead of resetting the first. If the cache is full, the least recently used statement is
/// finalized.
struct StatementCache: ~Copyable {
    private struct Entry {
        let sql: String
        let statement: OpaquePointer
        var isInUse = true
        var lastUse: UInt64
    }

    /// A linear search is fast enough: the cache is small, and most texts are literals, which are compared by address.
    private var entries: [Entry] = []
    private var uses: UInt64 = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    deinit {
        for entry in entries { sqlite3_finalize(entry.statement) }
    }

    mutating func remove(_ sql: String) -> OpaquePointer? {
        // Most other texts have another length, which is compared faster than the texts.
        guard
            let index = entries.firstIndex(where: {
                $0.sql.utf8.count == sql.utf8.count && !$0.isInUse && $0.sql == sql
            })
        else { return nil }
        entries[index].isInUse = true
        return entries[index].statement
    }

    /// Returns a statement to the cache, even if it was not taken from there.
    mutating func put(_ statement: OpaquePointer, for sql: String) {
        uses += 1
        if let index = entries.firstIndex(where: { $0.statement == statement }) {
            entries[index].isInUse = false
            entries[index].lastUse = uses
            return
        }
        guard !entries.contains(where: { $0.sql == sql }) else {
            sqlite3_finalize(statement)
            return
        }
        if entries.count >= capacity {
            let free = entries.indices.filter { !entries[$0].isInUse }
            guard let oldest = free.min(by: { entries[$0].lastUse < entries[$1].lastUse }) else {
                sqlite3_finalize(statement)
                return
            }
            sqlite3_finalize(entries.remove(at: oldest).statement)
        }
        entries.append(Entry(sql: sql, statement: statement, isInUse: false, lastUse: uses))
    }
}
