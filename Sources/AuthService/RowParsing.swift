internal import Database

extension Row {
    /// The value that `parse` makes of the text in a column.
    ///
    /// - Throws: `DatabaseError.unexpectedValue` when it makes none, so that a damaged row is not taken for wrong input.
    func value<T>(_ column: Int, as parse: (String) -> T?) throws(DatabaseError) -> T {
        let text: String = try value(column)
        guard let value = parse(text) else {
            throw .unexpectedValue(column: column, expected: "\(T.self)", sql: "a row of an account or a session")
        }
        return value
    }
}
