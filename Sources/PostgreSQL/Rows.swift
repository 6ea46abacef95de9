internal import CPostgreSQL
package import Text

/// The result of a statement.
package final class Rows: @unchecked Sendable, RandomAccessCollection {
    // It is safe to share, because libpq does not change a finished result.
    let libpq: UnsafePointer<libpq>
    let result: OpaquePointer

    init(_ result: OpaquePointer, _ libpq: UnsafePointer<libpq>) {
        (self.result, self.libpq) = (result, libpq)
    }

    deinit { libpq.pointee.PQclear(result) }

    package var startIndex: Int { 0 }
    package var endIndex: Int { Int(libpq.pointee.PQntuples(result)) }
    package subscript(row: Int) -> Row { Row(rows: self, number: Int32(row)) }

    /// The number of rows that the statement inserted, changed, deleted, or returned.
    package var affected: Int {
        libpq.pointee.PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }
}

/// A row of a result.
package struct Row {
    let rows: Rows
    let number: Int32

    /// Returns the value of a column.
    ///
    /// - Parameter column: its position, from 0.
    /// - Throws: `PostgreSQLError.unexpectedValue` if the column is NULL and `T` is not optional, or if it has another
    ///   type.
    package func value<T: ColumnValue>(_ column: Int) throws(PostgreSQLError) -> T {
        guard column >= 0, column < Int(rows.libpq.pointee.PQnfields(rows.result)),
            let value = T.read(self, at: Int32(column))
        else { throw PostgreSQLError.unexpectedValue(column: column, expected: "\(T.self)") }
        return value
    }

    /// Returns the value that `make` creates from a column.
    ///
    /// - Parameters:
    ///   - column: its position, from 0.
    ///   - make: creates the value; returns nil if the column has a value that the schema does not allow.
    /// - Throws: `PostgreSQLError.unexpectedValue` if `make` returns nil.
    package func value<Stored: ColumnValue, T>(_ column: Int, _ make: (Stored) -> T?) throws(PostgreSQLError) -> T {
        guard let value = make(try value(column)) else {
            throw PostgreSQLError.unexpectedValue(column: column, expected: "\(T.self)")
        }
        return value
    }

    func type(of column: Int32) -> UInt32 { rows.libpq.pointee.PQftype(rows.result, column) }

    func isNull(at column: Int32) -> Bool { rows.libpq.pointee.PQgetisnull(rows.result, number, column) != 0 }

    /// The bytes of a column, which are valid as long as the row; nil for NULL.
    func bytes(at column: Int32) -> UnsafeRawBufferPointer? {
        guard !isNull(at: column), let start = rows.libpq.pointee.PQgetvalue(rows.result, number, column) else {
            return nil
        }
        return UnsafeRawBufferPointer(
            start: start, count: Int(rows.libpq.pointee.PQgetlength(rows.result, number, column)))
    }
}

/// A type that can be read from a column.
///
/// The set of conformances is closed: `Int`, `Int64`, `Double`, `Bool`, `String`, `[UInt8]`, `Date`, and the
/// optional of each.
package protocol ColumnValue {
    /// Returns the value of a column, or nil if it has another type or is NULL.
    static func read(_ row: Row, at column: Int32) -> Self?
}

extension Int64: ColumnValue {
    /// Reads a `bigint`, `integer`, or `smallint`.
    package static func read(_ row: Row, at column: Int32) -> Int64? {
        guard let bytes = row.bytes(at: column) else { return nil }
        switch (row.type(of: column), bytes.count) {
        case (ColumnType.int8, 8): return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case (ColumnType.int4, 4): return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case (ColumnType.int2, 2): return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        default: return nil
        }
    }
}

extension Int: ColumnValue {
    /// Reads a `bigint`, `integer`, or `smallint`.
    package static func read(_ row: Row, at column: Int32) -> Int? {
        Int64.read(row, at: column).flatMap { Int(exactly: $0) }
    }
}

extension Double: ColumnValue {
    /// Reads a `double precision` or a `real`.
    package static func read(_ row: Row, at column: Int32) -> Double? {
        guard let bytes = row.bytes(at: column) else { return nil }
        switch (row.type(of: column), bytes.count) {
        case (ColumnType.float8, 8):
            return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case (ColumnType.float4, 4):
            return Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        default: return nil
        }
    }
}

extension Bool: ColumnValue {
    /// Reads a `boolean`.
    package static func read(_ row: Row, at column: Int32) -> Bool? {
        guard row.type(of: column) == ColumnType.bool, let bytes = row.bytes(at: column), bytes.count == 1 else {
            return nil
        }
        return bytes[0] != 0
    }
}

extension String: ColumnValue {
    /// Reads a `text`, `varchar`, or `name`.
    package static func read(_ row: Row, at column: Int32) -> String? {
        guard [ColumnType.text, ColumnType.varchar, ColumnType.name].contains(row.type(of: column)),
            let bytes = row.bytes(at: column)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Date: ColumnValue {
    /// Reads whole seconds since 1970 from an integer.
    package static func read(_ row: Row, at column: Int32) -> Date? {
        Int64.read(row, at: column).map { Date(timeIntervalSince1970: Double($0)) }
    }
}

extension Array: ColumnValue where Element == UInt8 {
    /// Reads a `bytea`.
    package static func read(_ row: Row, at column: Int32) -> [UInt8]? {
        guard row.type(of: column) == ColumnType.bytea, let bytes = row.bytes(at: column) else { return nil }
        return Array(bytes)
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// Returns nil for NULL, else the value.
    package static func read(_ row: Row, at column: Int32) -> Wrapped?? {
        if row.isNull(at: column) { return .some(nil) }
        return Wrapped.read(row, at: column).map { .some($0) }
    }
}
