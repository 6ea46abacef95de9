public import ArticleStore

/// Rows of text in columns.
public struct List: Sendable {
    /// A column.
    public struct Column: Sendable, Hashable {
        /// The meaning of a column. A front uses it to decide where to show the column.
        public enum Role: Hashable, Sendable {
            /// Identifies the row to a program: a number or an ID.
            case identity
            /// Another name of the row, for a path or a file name.
            case alias
            /// The text by which a person recognizes the row, such as a title.
            case primary
            /// Further information about the row.
            case fact
            /// Information that a narrow screen may omit.
            case detail
            /// Words under which the row is filed, such as tags. There may be several.
            case labels
            /// A computed value that helps a person choose, such as the reading time.
            case estimate
            /// Symbols for the user's marks. Programs read the marks from the model instead.
            case mark
        }

        /// The title.
        public let title: String
        /// The meaning of the column.
        public let role: Role
        /// The sort orders that use this column, the usual one first.
        public let orders: [ArticleQuery.Sort]
        /// The filter that words of this column link to (author or tag); nil if they are not links.
        public let filing: Filing?

        /// Creates a column.
        public init(_ title: String, _ role: Role = .fact, orders: [ArticleQuery.Sort] = [], filing: Filing? = nil) {
            self.filing = filing
            self.title = title
            self.role = role
            self.orders = orders
        }
    }

    /// A row.
    public struct Row: Sendable {
        /// Identifies the row, even if rows are added or removed; nil if rows cannot be told apart.
        public let id: String?
        /// The texts, one for each column.
        public let cells: [String]
        /// The words of each cell that are links, by column; empty if no column has links.
        public let words: [[String]]
        /// The event that the screen reports when the row is chosen; nil if it cannot be chosen.
        public let event: AppEvent?
        /// The question to ask the user before the event is reported; nil if the event can be undone.
        public let confirmation: String?
        /// A line about the row with highlighted parts, such as the passage that a search found; nil if there is none.
        public let excerpt: MarkedText?
        /// The other actions on the row, apart from choosing it.
        public let actions: [Action]

        /// Creates a row.
        public init(
            _ cells: [String], event: AppEvent? = nil, confirmation: String? = nil, id: String? = nil,
            excerpt: MarkedText? = nil, actions: [Action] = [], words: [[String]] = []
        ) {
            self.words = words
            self.excerpt = excerpt
            self.actions = actions
            self.id = id
            self.cells = cells
            self.event = event
            self.confirmation = confirmation
        }
    }

    /// A way to load rows beyond one end of the loaded rows.
    ///
    /// Loading adds rows at that end. When the list has reached its maximum size, rows at the other end are removed. A
    /// front finds its current row again by `Row.id`.
    public struct Beyond: Sendable {
        /// The event that the screen reports to load some more rows.
        public let some: AppEvent
        /// The event that the screen reports to load the rows at the very end.
        public let last: AppEvent
        /// The place with these rows, for a front that shows one page at a time; nil if the place is unknown until the
        /// library is asked.
        public let place: AppRoute?

        /// Creates a way to load rows beyond an end.
        public init(some: AppEvent, last: AppEvent, place: AppRoute? = nil) {
            self.some = some
            self.last = last
            self.place = place
        }
    }

    /// The columns.
    public let columns: [Column]
    /// The rows.
    public let rows: [Row]
    /// The text to show in an empty list.
    public let placeholder: String
    /// The number of rows of the whole list; nil if they were not counted.
    public let total: Int?
    /// The number of rows of the whole list before the loaded ones; nil if they were not counted.
    public let offset: Int?
    /// The effect of choosing a row, in a few words; nil if rows cannot be chosen.
    public let choice: String?
    /// The way to load rows before the first; nil if there are none.
    public let earlier: Beyond?
    /// The way to load rows after the last; nil if there are none.
    public let more: Beyond?
    /// The search text, empty without a search; nil if the list cannot be searched. `AppEvent.searched` changes
    /// it.
    public let search: String?
    /// The ID of the row that was viewed last, even if it was not opened from this list; nil if there is none.
    public let current: String?

    /// Creates a list.
    public init(
        columns: [Column], rows: [Row], placeholder: String, total: Int? = nil, offset: Int? = nil,
        choice: String? = nil, earlier: Beyond? = nil, more: Beyond? = nil, search: String? = nil,
        current: String? = nil
    ) {
        self.columns = columns
        self.rows = rows
        self.placeholder = placeholder
        self.total = total
        self.offset = offset
        self.choice = choice
        self.earlier = earlier
        self.more = more
        self.search = search
        self.current = current
    }
}
