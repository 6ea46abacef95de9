internal import CSQLite

/// A row of a result, read by column. It is valid only inside the closure that receives it.
public struct Row {
    let statement: OpaquePointer
    /// How many columns the row has.
    public let count: Int

    init(_ statement: OpaquePointer) {
        self.statement = statement
        count = Int(sqlite3_column_count(statement))
    }

    /// The value of a column.
    ///
    /// - Parameter column: its position, from 0.
    /// - Throws: `DatabaseError.unexpectedValue` when the column is NULL and `T` is not optional, or holds another type.
    @inlinable
    public func value<T: ColumnValue>(_ column: Int) throws(DatabaseError) -> T {
        // Inlined, with what it calls, so that no type is looked up for a value.
        guard column >= 0, column < count, let value = T.read(self, at: column) else {
            throw unexpectedValue(column, T.self)
        }
        return value
    }

    /// Returns the value that `make` creates from a column.
    ///
    /// - Parameters:
    ///   - column: its position, from 0.
    ///   - make: makes it; nil where the value is none that the schema allows.
    /// - Throws: `DatabaseError.unexpectedValue` when nothing can be made of it.
    @inlinable
    public func value<Stored: ColumnValue, T>(_ column: Int, _ make: (Stored) -> T?) throws(DatabaseError) -> T {
        guard let value = make(try value(column)) else { throw unexpectedValue(column, T.self) }
        return value
    }

    /// The UTF-8 of a column that is a text, as long as the row is valid.
    ///
    /// - Parameter column: its position, from 0.
    /// - Throws: `DatabaseError.unexpectedValue` when it is none.
    public func utf8(_ column: Int) throws(DatabaseError) -> UnsafeBufferPointer<UInt8> {
        guard column >= 0, column < count, let text = text(at: column) else {
            throw unexpectedValue(column, String.self)
        }
        return text
    }

    /// A column as it is stored, whatever that is.
    func stored(_ column: Int) -> Value {
        switch type(of: column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, Int32(column)))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, Int32(column)))
        case SQLITE_TEXT: .text(String.read(self, at: column) ?? "")
        case SQLITE_BLOB: .blob([UInt8].read(self, at: column) ?? [])
        default: .null
        }
    }

    @usableFromInline
    func unexpectedValue(_ column: Int, _ type: Any.Type) -> DatabaseError {
        .unexpectedValue(
            column: column, expected: "\(type)", sql: sqlite3_sql(statement).map { String(cString: $0) } ?? "")
    }

    @usableFromInline
    func isNull(at index: Int) -> Bool { type(of: index) == SQLITE_NULL }

    func type(of index: Int) -> Int32 { sqlite3_column_type(statement, Int32(index)) }

    /// By its length, so that a NUL inside does not end it.
    func text(at index: Int) -> UnsafeBufferPointer<UInt8>? {
        guard type(of: index) == SQLITE_TEXT, let start = sqlite3_column_text(statement, Int32(index)) else {
            return nil
        }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(index))))
    }
}
