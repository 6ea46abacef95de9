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
        /// The texts, one for each column.
        public let cells: [String]
        /// What the screen reports when the row is chosen; nil when it cannot be.
        public let event: AppEvent?

        /// A row.
        public init(_ cells: [String], event: AppEvent? = nil) {
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

    /// A list.
    public init(columns: [Column], rows: [Row], placeholder: String, footer: String? = nil) {
        self.columns = columns
        self.rows = rows
        self.placeholder = placeholder
        self.footer = footer
    }
}
