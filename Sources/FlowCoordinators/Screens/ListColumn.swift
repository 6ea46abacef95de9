internal import ArticleStore

/// A column of a list, with functions that return its text for an item.
struct ListColumn<Item>: Sendable {
    let column: List.Column
    let cell: @Sendable (Item) -> String
    /// The words in the cell that link to a list.
    let words: @Sendable (Item) -> [String]

    init(
        _ title: String, _ role: List.Column.Role, orders: [ArticleQuery.Sort] = [],
        _ cell: @escaping @Sendable (Item) -> String
    ) {
        column = List.Column(title, role, orders: orders)
        self.cell = cell
        words = { _ in [] }
    }

    /// Creates a column whose words link to lists.
    init(
        _ title: String, _ role: List.Column.Role, by filing: Filing, _ words: @escaping @Sendable (Item) -> [String]
    ) {
        column = List.Column(title, role, filing: filing)
        cell = { words($0).joined(separator: ", ") }
        self.words = words
    }
}
