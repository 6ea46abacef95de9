internal import Text

/// A library out of which, or into which, the rows of a library are copied.
///
/// While rows are copied into a library, it is marked as unfinished, and opening it for another purpose fails.
package protocol TransferLibrary: Sendable {
    /// Returns the rows of a table after a key in the order of the keys, at most as many as a batch has.
    ///
    /// - Parameter key: the values of the key columns; nil for the first rows.
    /// - Throws: `StoreError`.
    func rows(of table: TransferTable, after key: [TransferValue]?) async throws -> [[TransferValue]]

    /// The progress of the unfinished copy into this library; nil if it is a usual library.
    ///
    /// - Throws: `StoreError`.
    func unfinishedTransfer() async throws -> TransferProgress?

    /// Marks the library as unfinished.
    ///
    /// - Throws: `StoreError`.
    func begin(_ progress: TransferProgress) async throws

    /// Writes rows and the progress after them in one transaction, and computes the data that depends on the rows.
    ///
    /// - Parameters:
    ///   - rows: the rows; possibly empty.
    ///   - table: their table.
    ///   - old: the progress before them. If it is the beginning of the table, the rows replace the initial row.
    ///   - new: the progress after them.
    /// - Throws: `StoreError`, of the kind `busy` if the library does not have the progress `old`.
    func insert(
        _ rows: [[TransferValue]], into table: TransferTable, from old: TransferProgress, to new: TransferProgress
    ) async throws

    /// Computes the counters and the rest of the search index, and removes the mark.
    ///
    /// - Throws: `StoreError`.
    func finish() async throws
}

/// The progress of copying a library, which is stored in the target.
package struct TransferProgress: Sendable, Hashable {
    /// The identity of the source.
    package let source: String
    /// The table that is copied next; nil after the last one.
    package let table: TransferTable?
    /// The key of the last copied row of the table; nil if none was copied.
    package let key: [TransferValue]?

    /// Creates a progress.
    package init(source: String, table: TransferTable?, key: [TransferValue]? = nil) {
        (self.source, self.table, self.key) = (source, table, key)
    }

    /// The text that ``init(stored:)`` reads.
    package var stored: String {
        let key = key.map { values in
            JSON.array(
                values.map { value in
                    switch value {
                    case .null: .null
                    case .integer(let number): JSON(number)
                    case .text(let text): .string(text)
                    case .bytes(let bytes): .array(bytes.map { JSON($0) })
                    }
                })
        }
        return JSON.array([.string(source), table.map { .string($0.name) } ?? .null, key ?? .null]).description
    }

    /// Creates the progress from its stored text; nil if another version has written it.
    package init?(stored: String) {
        var stored = stored
        let json = stored.withUTF8 { try? JSONParser.value(of: $0) }
        guard case .array(let parts)? = json, parts.count == 3, let source = parts[0].text else { return nil }
        self.source = source
        guard let name = parts[1].text else {
            (table, key) = (nil, nil)
            return
        }
        guard let table = TransferTable.all.first(where: { $0.name == name }) else { return nil }
        self.table = table
        guard case .array(let values) = parts[2] else {
            key = nil
            return
        }
        key = values.map { value in
            switch value {
            case .number(let text): Int64(text).map { .integer($0) } ?? .null
            case .string(let text): .text(text)
            case .array(let bytes): .bytes(bytes.compactMap { $0.text.flatMap { UInt8($0) } })
            case .null, .bool, .object, .encoded: .null
            }
        }
    }
}

extension StoreError {
    /// The error of a target into which another process copies rows.
    package static let otherTransfer = StoreError(.busy, "Another process copies into this library")
}
