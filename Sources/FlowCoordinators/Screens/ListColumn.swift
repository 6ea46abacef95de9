internal import ArticleStore

/// A column of a list, with a function that returns its value for an item.
struct ListColumn<Item>: Sendable {
    let column: List.Column
    let cell: @Sendable (Item) -> List.Cell

    init(
        _ title: String, _ role: List.Column.Role, orders: [ArticleQuery.Sort] = [], link: List.Column.Link? = nil,
        value: @escaping @Sendable (Item) -> List.Cell
    ) {
        column = List.Column(title, role, orders: orders, link: link)
        cell = value
    }

    /// Creates a column of texts.
    init(
        _ title: String, _ role: List.Column.Role, orders: [ArticleQuery.Sort] = [],
        _ text: @escaping @Sendable (Item) -> String
    ) {
        self.init(title, role, orders: orders, value: { .text(text($0)) })
    }
}
