internal import CSQLite

/// One row of a result, read by column. It is valid only inside the closure that it is given to.
public struct Row {
    let statement: OpaquePointer

    /// The value of a column.
    ///
    /// - Parameter column: its position, from 0.
    /// - Throws: `DatabaseError.unexpectedValue` when the column is NULL and `T` is not optional, or holds another type.
    public func value<T: ColumnValue>(_ column: Int) throws(DatabaseError) -> T {
        guard column >= 0, column < count, let value = T.read(self, at: column) else {
            throw .unexpectedValue(column: column, expected: "\(T.self)", sql: sql)
        }
        return value
    }

    /// What is made of the value of a column.
    ///
    /// - Parameters:
    ///   - column: its position, from 0.
    ///   - make: makes it; nil where the value is none that the schema allows.
    /// - Throws: `DatabaseError.unexpectedValue` when nothing can be made of it.
    public func value<Stored: ColumnValue, T>(_ column: Int, _ make: (Stored) -> T?) throws(DatabaseError) -> T {
        guard let value = make(try value(column)) else {
            throw .unexpectedValue(column: column, expected: "\(T.self)", sql: sql)
        }
        return value
    }

    /// How many columns the row has.
    public var count: Int { Int(sqlite3_column_count(statement)) }

    func type(of index: Int) -> Int32 { sqlite3_column_type(statement, Int32(index)) }

    private var sql: String { sqlite3_sql(statement).map { String(cString: $0) } ?? "" }
}
