import Text

/// A mistake in a configuration file.
struct ConfigurationMistake: Error, Hashable {
    /// The line of the mistake, from 1; nil if it does not belong to a line.
    var line: Int?
    var column: Int?
    /// In words without a full stop.
    let message: String

    init(_ message: String, line: Int? = nil, column: Int? = nil) {
        self.message = message
        self.line = line
        self.column = column
    }

    /// It as compilers and editors write and read such things: `FILE:LINE:COLUMN: MESSAGE`.
    func text(in path: String) -> String {
        ([path] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":") + ": " + message
    }

    var json: JSON {
        [
            "line": line.map { JSON($0) } ?? .null, "column": column.map { JSON($0) } ?? .null,
            "message": .string(message),
        ]
    }
}
