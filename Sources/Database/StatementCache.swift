internal import CSQLite

/// Prepared statements of one connection, kept by their text.
///
/// A statement is *removed* while it is in use, so running the same SQL again inside its own row closure prepares
/// a second one instead of resetting the first. The least recently used is finalized when the cache is full.
struct StatementCache: ~Copyable {
    private var statements: [String: OpaquePointer] = [:]
    /// Texts in the order of their last use, the oldest first.
    private var order: [String] = []
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
    }

    mutating func take(_ sql: String) -> OpaquePointer? {
        guard let statement = statements.removeValue(forKey: sql) else { return nil }
        if order.last == sql {
            order.removeLast()
        } else if let position = order.lastIndex(of: sql) {
            order.remove(at: position)
        }
        return statement
    }

    mutating func put(_ statement: OpaquePointer, for sql: String) {
        guard statements[sql] == nil else {
            sqlite3_finalize(statement)
            return
        }
        if order.count == capacity, let oldest = statements.removeValue(forKey: order.removeFirst()) {
            sqlite3_finalize(oldest)
        }
        statements[sql] = statement
        order.append(sql)
    }
}
