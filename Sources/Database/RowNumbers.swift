/// Which rows of a table are meant, by their numbers: told one by one, or by a statement that finds them where they are used.
///
/// A store can thus select rows of another store, however many, without knowing it.
public struct RowNumbers: Sendable {
    package enum Kind: Sendable {
        /// These, as far as they are there.
        case listed([Int64])
        /// Those that a SELECT of one column finds.
        case selected(String, [Value])
        /// All there are.
        case all
    }

    package let kind: Kind

    /// Rows of these numbers, as far as they are there.
    public init(_ numbers: [Int64]) { kind = .listed(numbers) }

    package init(_ kind: Kind) { self.kind = kind }

    /// All rows that there are.
    public static let all = RowNumbers(.all)

    /// The numbers, where they were told one by one.
    public var listed: [Int64]? { if case .listed(let numbers) = kind { numbers } else { nil } }

    /// Whether all rows are meant.
    public var isAll: Bool { if case .all = kind { true } else { false } }
}
