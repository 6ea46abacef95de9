internal import ArticleStore

/// A column of a list, and what it says of an item.
struct ListColumn<Item>: Sendable {
    let column: List.Column
    let cell: @Sendable (Item) -> String

    init(
        _ title: String, _ role: List.Column.Role, orders: [ArticleQuery.Sort] = [],
        _ cell: @escaping @Sendable (Item) -> String
    ) {
        column = List.Column(title, role, orders: orders)
        self.cell = cell
    }
}
