internal import CSQLite
public import Text

/// A row of a result. It is valid only inside of the closure that receives it.
public struct Row {
    let statement: OpaquePointer
    /// The number of columns.
    public let count: Int

    init(_ statement: OpaquePointer) {
        self.statement = statement
        count = Int(sqlite3_column_count(statement))
    }

    /// Returns the value of a column.
    ///
    /// - Parameter column: its position, from 0.
    /// - Throws: `DatabaseError.unexpectedValue` if the column is NULL and `T` is not optional, or if it has another
    ///   type.
    @inlinable
    public func value<T: ColumnValue>(_ column: Int) throws(DatabaseError) -> T {
        // Inlined, so that the generic type is resolved at compile time.
        guard column >= 0, column < count, let value = T.read(self, at: column) else {
            throw unexpectedValue(column, T.self)
        }
        return value
    }

    /// Returns the value that `make` creates from a column.
    ///
    /// - Parameters:
    ///   - column: its position, from 0.
    ///   - make: creates the value; returns nil if the column has a value that the schema does not allow.
    /// - Throws: `DatabaseError.unexpectedValue` if `make` returns nil.
    @inlinable
    public func value<Stored: ColumnValue, T>(_ column: Int, _ make: (Stored) -> T?) throws(DatabaseError) -> T {
        guard let value = make(try value(column)) else { throw unexpectedValue(column, T.self) }
        return value
    }

    /// Returns the UTF-8 of a text column. It is valid as long as the row.
    ///
    /// - Parameter column: its position, from 0.
    /// - Throws: `DatabaseError.unexpectedValue` if it is not a text.
    public func utf8(_ column: Int) throws(DatabaseError) -> UnsafeBufferPointer<UInt8> {
        guard column >= 0, column < count, let text = text(at: column) else {
            throw unexpectedValue(column, String.self)
        }
        return text
    }

    /// Returns the value of a column in its stored type.
    package func stored(_ column: Int) -> Value {
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

    /// Returns the text by its length, so that it may contain NUL.
    func text(at index: Int) -> UnsafeBufferPointer<UInt8>? {
        guard type(of: index) == SQLITE_TEXT, let start = sqlite3_column_text(statement, Int32(index)) else {
            return nil
        }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(index))))
    }
}

/// A type that can be read from a column of a row.
///
/// The set of conformances is closed: `Int`, `Int64`, `Double`, `Bool`, `String`, `[UInt8]`, `Date`, and the optional
/// of each.
public protocol ColumnValue {
    /// Returns the value of column `index`, or nil if it has another storage class, such as NULL.
    static func read(_ row: Row, at index: Int) -> Self?
}

extension Int64: ColumnValue {
    /// Reads an INTEGER.
    public static func read(_ row: Row, at index: Int) -> Int64? {
        guard row.type(of: index) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(row.statement, Int32(index))
    }
}

extension Int: ColumnValue {
    /// Reads an INTEGER.
    public static func read(_ row: Row, at index: Int) -> Int? {
        Int64.read(row, at: index).flatMap { Int(exactly: $0) }
    }
}

extension Bool: ColumnValue {
    /// Reads an INTEGER; false if it is 0.
    public static func read(_ row: Row, at index: Int) -> Bool? {
        Int64.read(row, at: index).map { $0 != 0 }
    }
}

extension Double: ColumnValue {
    /// Reads a REAL or an INTEGER.
    public static func read(_ row: Row, at index: Int) -> Double? {
        let type = row.type(of: index)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
        return sqlite3_column_double(row.statement, Int32(index))
    }
}

extension String: ColumnValue {
    /// Reads a TEXT, including NUL characters. Invalid UTF-8 becomes U+FFFD.
    public static func read(_ row: Row, at index: Int) -> String? {
        row.text(at: index).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Array: ColumnValue where Element == UInt8 {
    /// Reads a BLOB.
    public static func read(_ row: Row, at index: Int) -> [UInt8]? {
        guard row.type(of: index) == SQLITE_BLOB else { return nil }
        let count = Int(sqlite3_column_bytes(row.statement, Int32(index)))
        // SQLite returns a null pointer for an empty blob.
        guard count > 0, let start = sqlite3_column_blob(row.statement, Int32(index)) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension Date: ColumnValue {
    /// Reads an INTEGER of Unix seconds.
    public static func read(_ row: Row, at index: Int) -> Date? {
        Int64.read(row, at: index).map { Date(timeIntervalSince1970: Double($0)) }
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// Returns nil for NULL, else the value.
    @inlinable
    public static func read(_ row: Row, at index: Int) -> Wrapped?? {
        if row.isNull(at: index) { return .some(nil) }
        return Wrapped.read(row, at: index).map { .some($0) }
    }
}
