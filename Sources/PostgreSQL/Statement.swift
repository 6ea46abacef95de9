/// A statement with the values of its parameters.
///
/// A connection prepares each text once, so keep the text constant and bind the values.
package struct Statement: Sendable, Hashable {
    /// The text, with `$1` for the first parameter.
    package let sql: String
    /// The values of the parameters.
    package let values: [Value]

    /// Creates a statement.
    package init(_ sql: String, _ values: [Value] = []) { (self.sql, self.values) = (sql, values) }

    /// The approximate number of bytes that it takes on the way to the server.
    var size: Int { values.reduce(128) { $0 + $1.size } }
}

extension Statement: ExpressibleByStringLiteral {
    /// Creates a statement without parameters.
    package init(stringLiteral value: String) { self.init(value) }
}

/// The statements that a connection has prepared, and their names. The statement that was not used for the longest time
/// makes room for a new one.
struct PreparedStatements {
    private struct Entry {
        let name: String
        var lastUse: Int
    }

    private static let limit = 256
    private var entries: [Key: Entry] = [:]
    private var uses = 0
    private var count = 0

    /// A text may be used with values of other types, for which the server prepares it separately.
    private struct Key: Hashable {
        let sql: String
        let types: [UInt32]

        init(_ statement: Statement) {
            sql = statement.sql
            types = statement.values.map(\.type)
        }
    }

    /// Returns the name of a prepared statement, or nil. Records the use, so that other statements are replaced first.
    mutating func name(of statement: Statement) -> String? {
        uses += 1
        let key = Key(statement)
        entries[key]?.lastUse = uses
        return entries[key]?.name
    }

    /// Adds a statement.
    ///
    /// - Returns: its name, and the name of the statement that must be discarded for it.
    mutating func add(_ statement: Statement) -> (name: String, discarded: String?) {
        var discarded: String?
        if entries.count >= Self.limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
            discarded = oldest.value.name
        }
        uses += 1
        count += 1
        let name = "s\(count)"
        entries[Key(statement)] = Entry(name: name, lastUse: uses)
        return (name, discarded)
    }

    /// Removes a statement that the server did not prepare.
    mutating func remove(_ statement: Statement) { entries[Key(statement)] = nil }
}
