/// Rows of text in columns.
public struct List: Sendable {
    /// A column.
    public struct Column: Sendable, Hashable {
        /// Where a column is worth its place.
        public enum Use: Sendable, Hashable {
            /// Everywhere.
            case always
            /// Where there is room for more than a person needs, and in what other programs read.
            case detail
            /// Where a person looks through the rows, but not in what is printed for once.
            case browsing
        }

        /// What stands above it.
        public let title: String
        /// Where it is shown.
        public let use: Use

        /// A column.
        public init(_ title: String, use: Use = .always) {
            self.title = title
            self.use = use
        }
    }

    /// A row.
    public struct Row: Sendable {
        /// What tells the row from the others, also when rows come and go; nil where nothing does.
        public let id: String?
        /// The texts, one for each column.
        public let cells: [String]
        /// What the screen reports when the row is chosen; nil when it cannot be.
        public let event: AppEvent?

        /// A row.
        public init(_ cells: [String], event: AppEvent? = nil, id: String? = nil) {
            self.id = id
            self.cells = cells
            self.event = event
        }
    }

    /// The columns.
    public let columns: [Column]
    /// The rows.
    public let rows: [Row]
    /// What to say when there are none.
    public let placeholder: String
    /// What to say beneath, such as how many there are in all.
    public let footer: String?
    /// What choosing a row does, in a few words; nil where rows cannot be chosen.
    public let choice: String?
    /// What the screen reports when rows before the first are wanted; nil where there are none.
    public let earlier: AppEvent?
    /// What the screen reports when rows after the last are wanted; nil where there are none.
    ///
    /// The list then has more rows, up to a bound; beyond it, rows at the other end are let go. A front keeps its row by
    /// `Row.id`. It has no use for actions of `Action.Use.paging`.
    public let more: AppEvent?
    /// What narrows the list, filled in with what narrows it already. It is sent as a form is.
    public let filter: Form?

    /// A list.
    public init(
        columns: [Column], rows: [Row], placeholder: String, footer: String? = nil, choice: String? = nil,
        earlier: AppEvent? = nil, more: AppEvent? = nil, filter: Form? = nil
    ) {
        self.choice = choice
        self.earlier = earlier
        self.more = more
        self.filter = filter
        self.columns = columns
        self.rows = rows
        self.placeholder = placeholder
        self.footer = footer
    }
}
