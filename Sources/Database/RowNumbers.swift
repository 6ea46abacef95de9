/// A selection of rows by row ID: a list of IDs, or a statement that finds them where they are used.
///
/// So a store can select any number of rows of another store without depending on it.
public struct RowNumbers: Sendable {
    package enum Kind: Sendable {
        /// The rows with these IDs, if they exist.
        case listed([Int64])
        /// The rows that a SELECT of one column finds.
        case selected(String, [Value])
        /// All rows.
        case all
    }

    package let kind: Kind

    /// Creates a selection of the rows with these IDs, if they exist.
    public init(_ numbers: [Int64]) { kind = .listed(numbers) }

    package init(_ kind: Kind) { self.kind = kind }

    /// All rows.
    public static let all = RowNumbers(.all)

    /// The IDs, if they were listed.
    public var listed: [Int64]? { if case .listed(let numbers) = kind { numbers } else { nil } }

    /// Whether all rows are selected.
    public var isAll: Bool { if case .all = kind { true } else { false } }
}
