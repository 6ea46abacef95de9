import Text

/// A mistake in a configuration file.
struct ConfigurationMistake: Error, Hashable {
    /// The line of the mistake, from 1; nil if it does not belong to a line.
    var line: Int?
    var column: Int?
    /// The description without a period.
    let message: String

    init(_ message: String, line: Int? = nil, column: Int? = nil) {
        self.message = message
        self.line = line
        self.column = column
    }

    /// Returns the mistake in the format of compilers and editors: `FILE:LINE:COLUMN: MESSAGE`.
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
