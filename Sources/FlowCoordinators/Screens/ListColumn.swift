internal import ArticleStore

/// A column of a list, and what it says of an item.
struct ListColumn<Item>: Sendable {
    let column: List.Column
    let cell: @Sendable (Item) -> String
    /// The words of the cell that file the item.
    let words: @Sendable (Item) -> [String]

    init(
        _ title: String, _ role: List.Column.Role, orders: [ArticleQuery.Sort] = [],
        _ cell: @escaping @Sendable (Item) -> String
    ) {
        column = List.Column(title, role, orders: orders)
        self.cell = cell
        words = { _ in [] }
    }

    /// A column whose words file an item.
    init(
        _ title: String, _ role: List.Column.Role, by filing: Filing, _ words: @escaping @Sendable (Item) -> [String]
    ) {
        column = List.Column(title, role, filing: filing)
        cell = { words($0).joined(separator: ", ") }
        self.words = words
    }
}
