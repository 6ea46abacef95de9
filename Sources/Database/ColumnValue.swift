internal import CSQLite
public import Essentials

/// A type that can be read from a column of a row.
///
/// The conformances are closed: `Int`, `Int64`, `Double`, `Bool`, `String`, `[UInt8]`, `Date`, and the optional of each.
public protocol ColumnValue {
    /// The value in column `index`, or nil when it is stored as something else (NULL, or another storage class).
    static func read(_ row: Row, at index: Int) -> Self?
}

extension Int64: ColumnValue {
    /// An INTEGER.
    public static func read(_ row: Row, at index: Int) -> Int64? {
        guard row.type(of: index) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(row.statement, Int32(index))
    }
}

extension Int: ColumnValue {
    /// An INTEGER.
    public static func read(_ row: Row, at index: Int) -> Int? {
        Int64.read(row, at: index).flatMap { Int(exactly: $0) }
    }
}

extension Bool: ColumnValue {
    /// An INTEGER, false when it is 0.
    public static func read(_ row: Row, at index: Int) -> Bool? {
        Int64.read(row, at: index).map { $0 != 0 }
    }
}

extension Double: ColumnValue {
    /// A REAL or an INTEGER.
    public static func read(_ row: Row, at index: Int) -> Double? {
        let type = row.type(of: index)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
        return sqlite3_column_double(row.statement, Int32(index))
    }
}

extension String: ColumnValue {
    /// A TEXT, with any NUL in it. Bytes that are not UTF-8 become U+FFFD.
    public static func read(_ row: Row, at index: Int) -> String? {
        row.text(at: index).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Array: ColumnValue where Element == UInt8 {
    /// A BLOB.
    public static func read(_ row: Row, at index: Int) -> [UInt8]? {
        guard row.type(of: index) == SQLITE_BLOB else { return nil }
        let count = Int(sqlite3_column_bytes(row.statement, Int32(index)))
        // SQLite returns a null pointer for an empty blob.
        guard count > 0, let start = sqlite3_column_blob(row.statement, Int32(index)) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension Date: ColumnValue {
    /// An INTEGER of Unix seconds.
    public static func read(_ row: Row, at index: Int) -> Date? {
        Int64.read(row, at: index).map { Date(timeIntervalSince1970: Double($0)) }
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// Nil for NULL, else the value.
    @inlinable
    public static func read(_ row: Row, at index: Int) -> Wrapped?? {
        if row.isNull(at: index) { return .some(nil) }
        return Wrapped.read(row, at: index).map { .some($0) }
    }
}
