internal import CSQLite
public import Text

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
